/** `canticle run`: a line for each expectation, a summary, and a status that says how it went. */
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildDar } from '../support/daml/dar-builder.js';
import { encodePackage } from '../support/daml/lf-encoder.js';
import { CommandHere, runHere } from './in-process.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';

const folder = useTemporaryFolder();

const HOLDS = `
name: It holds
parties: [alice]
steps:
  - { mint: 5, to: alice }
  - { transfer: 6, from: alice, to: alice, refused: DAML_FAILURE }
  - repeat: 3
    steps:
      - expect: { party: alice, balance: 5 }
`;

const FAILS = `
parties: [alice]
steps:
  - { mint: 5, to: alice }
  - expect:
      - { party: alice, balance: 6 }
      - { party: alice, holdings: 1 }
`;

const BREAKS = `
parties: [alice]
steps:
  - expect: { party: alice, balance: 0 }
  - { transfer: 6, from: alice, to: alice }
  - expect: { party: alice, balance: 6 }
`;

/** @param scenarios by name, without `.yaml` */
async function run(
  scenarios: Readonly<Record<string, string | undefined>>,
  ...flags: readonly string[]
) {
  const paths = Object.entries(scenarios).map(([name, text]) => {
    const path = join(folder(), `${name}.yaml`);
    if (text !== undefined) writeFileSync(path, text);
    return path;
  });
  const { status, stdout, stderr } = await runHere('run', ...flags, ...paths);
  const plain = (text: string) => text.replaceAll(`${folder()}/`, '').split('\n').slice(0, -1);
  return { status, stdout: plain(stdout), stderr: plain(stderr) };
}

it('ends with 0 if all expectations hold', async () => {
  expect(await run({ holds: HOLDS })).toEqual({
    status: 0,
    stdout: [
      'holds.yaml: It holds (5 steps)',
      '  ✓ line 6  transfer: 6, from: alice, to: alice, refused: DAML_FAILURE',
      '  ✓ line 9  party: alice, balance: 5 (3 times)',
      '1 scenario: 2 expectations hold, 0 fail.',
    ],
    stderr: [],
  });
});

it('ends with 1 if an expectation fails, and continues with the others', async () => {
  expect(await run({ fails: FAILS, holds: HOLDS })).toEqual({
    status: 1,
    stdout: [
      'fails.yaml (2 steps)',
      '  ✗ line 6  party: alice, balance: 6',
      '      balance: expected 6.0, found 5.0',
      '      The ledger holds: balance 5.0 (0.0 locked) in 1 holdings, 1 updates seen, hosted on sandbox',
      '  ✓ line 7  party: alice, holdings: 1',
      'holds.yaml: It holds (5 steps)',
      '  ✓ line 6  transfer: 6, from: alice, to: alice, refused: DAML_FAILURE',
      '  ✓ line 9  party: alice, balance: 5 (3 times)',
      '2 scenarios: 3 expectations hold, 1 fails.',
    ],
    stderr: [],
  });
});

it('ends with 2 if a step cannot be executed, and reports the expectations that held before', async () => {
  const { status, stdout, stderr } = await run({ breaks: BREAKS });
  expect({ status, stdout }).toEqual({
    status: 2,
    stdout: [
      'breaks.yaml (2 steps)',
      '  ✓ line 4  party: alice, balance: 0',
      '1 scenario, 1 could not be carried out: 1 expectation holds, 0 fail.',
    ],
  });
  expect(stderr).toEqual([
    expect.stringMatching(
      /^canticle: breaks\.yaml:5:5: step 2 \(transfer\): refused: DAML_FAILURE: /,
    ),
    '  If the scenario expects this rejection, add `refused: DAML_FAILURE`.',
    '    alice at sandbox',
    expect.stringMatching(/^ {4}✗ exercise \S+:TransferFactory TransferFactory_Transfer on /),
    expect.stringMatching(/^ {9}with \{ expectedAdmin: DSO, .*…$/),
    '         this is { admin: DSO }',
    '         by alice, with the authority of alice',
    expect.stringMatching(/^ {9}failed: \S+: At least one input holding must be given$/),
    expect.stringMatching(/^ {4}why {4}The code looked at the ledger's time, which is 2026-01-01T/),
    '           alice holds 0.0 TestToken; the transfer needs 6.',
  ]);
});

const MISTAKEN = `
parties: [alice]
steps:
  - { transfer: 6, from: alice, to: alice, refused: CONTRACT_NOT_FOUND }
`;

it('explains a refusal with another code than the expected one', async () => {
  const { status, stdout, stderr } = await run({ mistaken: MISTAKEN });
  expect([status, stderr]).toEqual([1, []]);
  expect(stdout.slice(1, 5)).toEqual([
    expect.stringMatching(/^ {2}✗ line 4 {2}transfer: 6/),
    expect.stringMatching(/^ {6}refused: expected CONTRACT_NOT_FOUND, found DAML_FAILURE: /),
    '        alice at sandbox',
    expect.stringMatching(/^ {8}✗ exercise \S+:TransferFactory TransferFactory_Transfer on /),
  ]);
});

it('shows the choice coverage of all files, and writes it to a file that `coverage` can show', async () => {
  const file = join(folder(), 'coverage.json');
  const flags = ['--coverage-package', 'canticle-test-token', '--coverage-json', file];
  const { stdout } = await run({ holds: HOLDS, fails: FAILS }, '--coverage', ...flags);
  const begin = stdout.indexOf('Choice coverage, of committed transactions');
  const report = stdout.slice(begin);
  expect(report[1]).toMatch(/^canticle-test-token \S+: \d+ of \d+ \(\d+ %\) templates created, /);
  expect(report).toContainEqual(expect.stringMatching(/^ {2}never exercised Canticle\.TestToken:/));
  const again = await runHere('coverage', file);
  expect(again.stdout.split('\n').slice(0, -1)).toEqual(report);
  const twice = await runHere('coverage', '--json', file, file);
  const created = (text: string) =>
    /"name": "Canticle.TestToken:Token",\s+"created": (\d+)/.exec(text)![1];
  const once = Number(created(readFileSync(file, 'utf8')));
  expect(once).toBeGreaterThan(0);
  expect(created(twice.stdout)).toBe(String(2 * once));
});

it.each([
  ['absent.json', undefined, 'no such file or folder'],
  ['other.json', '{"a": 1}', 'is not a coverage file'],
])('rejects a coverage file: %s', async (name, text, reason) => {
  const path = join(folder(), name);
  if (text !== undefined) writeFileSync(path, text);
  const { status, stderr } = await runHere('coverage', path);
  expect([status, stderr]).toEqual([1, expect.stringContaining(reason)]);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
});

it('stores facts about a DAR in the folder that --cache names', async () => {
  const dar = buildDar(encodePackage({ name: 'kept', modules: { A: {} } }));
  writeFileSync(join(folder(), 'kept.dar'), dar);
  const cache = join(folder(), 'cache');
  const uploads = 'steps: [{ upload: kept.dar }]\n';
  const patient = ['--interpretation-timeout', '60000'];
  expect((await run({ uploads }, '--cache', 'off', ...patient)).status).toBe(0);
  expect(existsSync(cache)).toBe(false);
  expect((await run({ uploads }, '--cache', cache)).status).toBe(0);
  expect(readdirSync(cache)).toEqual([expect.stringMatching(/^canticle-/)]);
});

it('reports as JSON and as JUnit', async () => {
  const junit = join(folder(), 'junit.xml');
  const all = { holds: HOLDS, fails: FAILS, breaks: BREAKS, misspelt: 'partys: [alice]\n' };
  const { status, stdout } = await run(all, '--json', '--junit', junit);
  expect(status).toBe(2);
  const refused = 'transfer: 6, from: alice, to: alice, refused: DAML_FAILURE';
  expect(JSON.parse(stdout.join('\n'))).toEqual([
    {
      file: 'holds.yaml',
      name: 'It holds',
      status: 'passed',
      steps: 5,
      expectations: [
        { line: 6, column: 5, label: refused, status: 'passed', held: 1 },
        { line: 9, column: 17, label: 'party: alice, balance: 5', status: 'passed', held: 3 },
      ],
    },
    {
      file: 'fails.yaml',
      status: 'failed',
      steps: 2,
      expectations: [
        expect.objectContaining({
          line: 6,
          status: 'failed',
          failure: ['balance: expected 6.0, found 5.0', expect.stringMatching('The ledger holds')],
        }),
        expect.objectContaining({ line: 7, status: 'passed' }),
      ],
    },
    {
      file: 'breaks.yaml',
      status: 'broken',
      steps: 2,
      expectations: [expect.objectContaining({ status: 'passed' })],
      step: '2 (transfer)',
      line: 5,
      column: 5,
      reason: expect.stringMatching(
        /^breaks\.yaml:5:5: step 2 \(transfer\): refused: DAML_FAILURE/,
      ),
      explanation: expect.arrayContaining(['alice at sandbox']),
    },
    {
      file: 'misspelt.yaml',
      status: 'broken',
      reason: expect.stringMatching(/Did you mean 'parties'\?$/),
    },
  ]);
  const xml = readFileSync(junit, 'utf8').replaceAll(`${folder()}/`, '').split('\n');
  expect(xml[1]).toBe('<testsuites errors="2" failures="1" tests="7">');
  expect(xml[2]).toBe('  <testsuite name="holds.yaml" tests="2" failures="0" errors="0">');
  expect(xml[3]).toBe(`    <testcase name="line 6: ${refused}" classname="It holds"/>`);
  expect(xml).toContainEqual(
    '      <failure message="balance: expected 6.0, found 5.0">balance: expected 6.0, found 5.0',
  );
  expect(xml).toContainEqual('    <testcase name="step 2 (transfer)" classname="breaks.yaml">');
});

it('runs again when a scenario or an uploaded DAR changes, until a signal stops it', async () => {
  const [scenario, dar] = [join(folder(), 'watched.yaml'), join(folder(), 'watched.dar')];
  const write = (path: string, content: string | Uint8Array, second: number) => {
    writeFileSync(path, content);
    utimesSync(path, second, second);
  };
  const archive = (name: string) => buildDar(encodePackage({ name, modules: { A: {} } }));
  write(dar, archive('watched'), 1);
  write(scenario, 'steps: [{ upload: watched.dar }]\n', 1);
  const command = new CommandHere('run', '--watch', scenario);
  await command.until('1 scenario: ');
  write(dar, 'no DAR', 2);
  await command.until('1 scenario, 1 could not be carried out');
  write(scenario, 'parties: [alice]\n', 3);
  await command.until('1 scenario: ', 2);
  command.stop();
  expect((await command.ended()).status).toBe(0);
});

it('ends with 2 if a file is not a scenario, or is missing', async () => {
  expect(
    await run({ misspelt: 'partys: [alice]\n', absent: undefined, holds: HOLDS }),
  ).toMatchObject({
    status: 2,
    stdout: { 0: 'holds.yaml: It holds (5 steps)' },
    stderr: [
      "canticle: misspelt.yaml:1:1: Unknown field 'partys'. Did you mean 'parties'?",
      'canticle: failed to run absent.yaml: no such file or folder',
    ],
  });
});

it('requires a file', async () => {
  expect(await run({})).toMatchObject({
    status: 1,
    stderr: ["canticle: missing required argument 'files'"],
  });
});
