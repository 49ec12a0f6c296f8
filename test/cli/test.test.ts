/** `canticle test`: a line for each script, what a failed one failed with, and a status that says how it went. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  allocate,
  ANSWER,
  asset,
  createAndExerciseCmd,
  createCmd,
  darOf,
  library,
  packageOf,
  s,
  steps,
  submit,
} from '../script/script-package.js';
import { casePackage } from '../script/case-package.js';
import { buildDar } from '../support/daml/dar-builder.js';
import { e } from '../support/daml/lf-code.js';
import { t } from '../support/daml/lf-types.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';
import { ensureBuilt } from '../repository/built-package.js';
import { CommandHere, runHere } from './in-process.js';
import { RunningCommand } from './running-sandbox.js';

const folder = useTemporaryFolder();

beforeAll(ensureBuilt, 60_000);

const alice = e.var('alice');
const asAlice = (code: ReturnType<typeof submit>) => ({
  result: ANSWER,
  code: steps([['alice', t.party, allocate('alice')]], [ANSWER, code]),
});
const succeeds = asAlice(submit(alice, [createAndExerciseCmd(asset(alice), 'Say')]));
const fails = {
  result: ANSWER,
  code: steps(
    [
      ['alice', t.party, allocate('alice')],
      ['_', ANSWER, submit(alice, [createCmd(asset(alice))])],
    ],
    [ANSWER, submit(alice, [createAndExerciseCmd(asset(alice, 'silver'), 'Refuse')])],
  ),
};
const SCRIPTS = { succeeds, fails, other: { result: t.unit, code: s.finish(t.unit, e.unit) } };

async function test(scripts: Partial<typeof SCRIPTS>, ...flags: readonly string[]) {
  const file = join(folder(), 'own.dar');
  writeFileSync(file, darOf(packageOf(scripts as typeof SCRIPTS)));
  const { status, stdout, stderr } = await runHere('test', file, ...flags);
  return { status, stdout: stdout.replace(/\d+ ms/g, 'N ms'), stderr };
}

it('prints each script and its debug output, and ends with 0 if all succeed', async () => {
  const { succeeds, other } = SCRIPTS;
  const { status, stdout } = await test({ succeeds, other }, '--show-coverage');
  expect(status).toBe(0);
  expect(stdout).toContain(
    [
      'own.dar (script-tests 1.0.0)',
      '  ✓ Main:succeeds: 1 active contracts, 1 transactions, N ms',
      '      said inside',
      '  ✓ Main:other: 0 active contracts, 0 transactions, N ms',
      '2 scripts: 2 pass, 0 fail.',
    ].join('\n'),
  );
  expect(stdout).toContain(
    [
      '- Internal templates',
      '  1 defined',
      '  1 (100.0%) created',
      '  internal templates never created: 0',
      '- Internal template choices',
      '  5 defined',
      '  1 ( 20.0%) exercised',
    ].join('\n'),
  );
});

it('prints the error of a failed script, its source location, and its ledger', async () => {
  const junit = join(folder(), 'junit.xml');
  const { status, stdout } = await test(SCRIPTS, '--test-pattern', 'fails', '--junit', junit);
  expect(status).toBe(1);
  expect(stdout).toContain('  ✗ Main:fails: failed, N ms\n      Submit failed: DAML_FAILURE: ');
  expect(stdout).toContain('        in main at Main:7:3\n');
  expect(stdout).toContain('✗ exercise Main:Asset Refuse on ');
  expect(stdout).toContain(
    [
      '      The ledger:',
      '        Main:Asset',
      '          #  status  owner  viewers  name    alice',
      '          0  active  alice  []       "gold"  S',
    ].join('\n'),
  );
  const xml = readFileSync(junit, 'utf8');
  expect(xml).toContain('<testsuites errors="0" failures="1" tests="1"');
  expect(xml).toContain('<testcase name="Main:fails" classname="Main"');
  expect(xml).toContain('No, never');
});

it('reports the results as JSON', async () => {
  const { stdout } = await test(SCRIPTS, '--json', '--files', 'daml/Main.daml');
  expect(JSON.parse(stdout.replace(/: (\d+ ms)/g, ': 0'))).toMatchObject([
    {
      package: { name: 'script-tests' },
      scripts: [
        { name: 'Main:succeeds', status: 'passed', active: 1, traces: ['said inside'] },
        { name: 'Main:fails', status: 'failed', failure: { places: [{ line: 7, column: 3 }] } },
        { name: 'Main:other', status: 'passed', transactions: 0 },
      ],
    },
  ]);
});

it('prints the same output in the same order with several threads', async () => {
  const [file, rows] = [join(folder(), 'own.dar'), join(folder(), 'other.dar')];
  writeFileSync(file, darOf(packageOf(SCRIPTS)));
  writeFileSync(rows, darOf(packageOf({ other: SCRIPTS.other, more: SCRIPTS.succeeds })));
  const outcomeOf = async (ran: Promise<{ status: number | null; stdout: string }>) => {
    const { status, stdout } = await ran;
    return { status, stdout: stdout.replace(/\d+ ms/g, 'N ms') };
  };
  const flags = [file, rows, '--coverage', '--show-coverage'];
  const folders = ['one', 'three'].map((name) => join(folder(), name));
  const alone = await outcomeOf(runHere('test', ...flags, '--cache', folders[0]!));
  const together = new RunningCommand('test', ...flags, '--workers', '3', '--cache', folders[1]!);
  expect(await outcomeOf(together.ended())).toEqual(alone);
  expect(alone.stdout).toContain('5 scripts: 4 pass, 1 fail.');
});

it('rejects an invalid number of threads, an invalid seed, and a call without a DAR', async () => {
  const { status, stderr } = await runHere('test', 'absent.dar', '--workers', '0');
  expect(status).toBe(1);
  expect(stderr).toContain("'0' is invalid. Expected a whole number, 1 or more.");
  const seeded = await runHere('test', 'absent.dar', '--seed', 'x');
  expect(seeded.stderr).toContain("'x' is invalid. Expected a whole number, 0 or more.");
  const none = await runHere('test', '--files', 'Main.daml');
  expect(none).toMatchObject({
    status: 1,
    stderr: "canticle: missing required argument 'dars'\n",
  });
});

it('accepts a DAR after the names of source files', async () => {
  const file = join(folder(), 'own.dar');
  writeFileSync(file, darOf(packageOf(SCRIPTS)));
  const { stdout } = await runHere('test', '-p', 'other', '--files', 'Main.daml', file);
  expect(stdout).toContain('1 script: 1 pass, 0 fail.');
});

it('reports a missing DAR, and flags that select no script', async () => {
  const { status, stdout } = await test(SCRIPTS, '--files', 'Other.daml');
  expect({ status, stdout }).toEqual({
    status: 0,
    stdout:
      'own.dar (script-tests 1.0.0)\n  These flags select no script of this DAR.\n0 scripts: 0 pass, 0 fail.\n',
  });
  const absent = await runHere('test', 'absent.dar');
  expect(absent.status).toBe(2);
  expect(absent.stderr).toContain('canticle: failed to read absent.dar: ');
});

it('counts the coverage of two DARs separately, even if they share packages', async () => {
  const { succeeds, other } = SCRIPTS;
  const [first, second] = [join(folder(), 'first.dar'), join(folder(), 'second.dar')];
  writeFileSync(first, darOf(packageOf({ succeeds })));
  writeFileSync(second, darOf(packageOf({ other })));
  const { status, stdout } = await runHere('test', first, first, second, '--show-coverage');
  expect(status).toBe(0);
  expect(stdout).toContain('3 scripts: 3 pass, 0 fail.');
  const created = stdout.match(/(?<=Internal templates\n  1 defined\n  ).*(?= created)/g);
  expect(created).toEqual(['1 (100.0%)', '1 (100.0%)', '0 (  0.0%)']);
});

it('runs the scripts of dependencies with --all, under the names of their packages', async () => {
  const file = join(folder(), 'all.dar');
  const other = casePackage({}, { 'Of:another': { parties: [], steps: [] } });
  writeFileSync(file, buildDar(packageOf({ other: SCRIPTS.other }), library.main, other));
  const own = await runHere('test', file);
  expect(own.stdout).toContain('1 script: 1 pass, 0 fail.');
  const all = await runHere('test', file, '--all');
  expect(all.stdout).toContain('✓ Main:other: ');
  expect(all.stdout).toContain('✓ script-cases:Main:Of_another: ');
});

it('runs a script with each row of a table, and names the row that fails', async () => {
  const file = join(folder(), 'rows.dar');
  const says = {
    type: t.arrow(t.text, s.of(t.unit)),
    expression: e.lambda(
      { x: t.text },
      e.if(
        e.call(e.builtin('EQUAL', t.text), e.var('x'), e.text('wrong')),
        e.call(e.builtin('ERROR', s.of(t.unit)), e.text('it is wrong')),
        s.finish(t.unit, e.unit),
      ),
    ),
  };
  writeFileSync(file, darOf(packageOf({}, { values: { says } })));
  const tables = {
    'a.json': '["right", "wrong"]',
    'b.yaml': '- right\n- wrong\n',
    'c.csv': 'x\nright\nwrong\n',
  };
  const flags = Object.entries(tables).flatMap(([name, text]) => {
    writeFileSync(join(folder(), name), text);
    return ['--rows', `Main:says=${join(folder(), name)}`];
  });
  const { status, stdout } = await runHere('test', file, ...flags);
  expect(status).toBe(1);
  expect(stdout.match(/✓ Main:says, row 1: "right": /g)).toHaveLength(3);
  const failed = /✗ Main:says, row 2: "wrong": failed, \d+ ms\n {6}it is wrong/g;
  expect(stdout.match(failed)).toHaveLength(3);
});

it('runs again with --watch when the DAR changes, and ends with the last result', async () => {
  const file = join(folder(), 'watched.dar');
  const { succeeds, fails, other } = SCRIPTS;
  writeFileSync(file, darOf(packageOf({ fails })));
  const command = new CommandHere('test', file, '--watch');
  await command.until('1 script: 0 pass, 1 fail.\n');
  writeFileSync(file, darOf(packageOf({ succeeds, other })));
  await command.until('2 scripts: 2 pass, 0 fail.\n');
  command.stop();
  expect(await command.ended()).toMatchObject({ status: 0, stderr: '' });
});
