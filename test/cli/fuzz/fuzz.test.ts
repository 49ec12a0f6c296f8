/** `canticle fuzz`: where a run starts, what it does, and how it reports. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCanticle } from 'canticle';
import { emptyHead } from '../../fuzzing/zoo/crashes.js';
import { DONE, zooPackage } from '../../fuzzing/zoo/notation.js';
import {
  allocate,
  ANSWER,
  asset,
  createAndExerciseCmd,
  createCmd,
  darOf,
  packageOf,
  s,
  steps,
  submit,
} from '../../script/script-package.js';
import { buildDar } from '../../support/daml/dar-builder.js';
import { e, p } from '../../support/daml/lf-code.js';
import type { ModuleSpec } from '../../support/daml/lf-encoder.js';
import type { CaseChoice } from '../../support/daml/short-templates.js';
import { t } from '../../support/daml/lf-types.js';
import { useTemporaryFolder } from '../../support/temporary-folder.js';
import { runHere } from '../in-process.js';

const folder = useTemporaryFolder();

function file(name: string, content: Uint8Array | string): string {
  const path = join(folder(), name);
  writeFileSync(path, content);
  return path;
}
const faulty = () => file('faulty.dar', buildDar(emptyHead(false)));
const fixed = () => file('fixed.dar', buildDar(emptyHead(true)));

const alice = e.var('alice');
const SCRIPTS = {
  setup: {
    result: ANSWER,
    code: steps(
      [['alice', t.party, allocate('alice')]],
      [ANSWER, submit(alice, [createCmd(asset(alice))])],
    ),
  },
  broken: {
    result: ANSWER,
    code: steps(
      [['alice', t.party, allocate('alice')]],
      [ANSWER, submit(alice, [createAndExerciseCmd(asset(alice), 'Refuse')])],
    ),
  },
};
const WITH_ARGUMENT = {
  noted: {
    type: t.arrow(t.text, s.of(ANSWER)),
    expression: e.lambda({ name: t.text }, SCRIPTS.setup.code),
  },
};
const scriptPackage = packageOf(SCRIPTS, { values: WITH_ARGUMENT });
const packageName = scriptPackage.name;
const scripts = () => file('scripts.dar', darOf(scriptPackage));

async function fuzz(dar: string, ...flags: readonly string[]) {
  const { status, stdout, stderr } = await runHere('fuzz', dar, '--runs', '60', ...flags);
  return { status, stdout, stderr: stderr.replaceAll(`${folder()}/`, '') };
}
async function jsonOf(...args: Parameters<typeof fuzz>): Promise<Record<string, any>> {
  const { stdout, stderr } = await fuzz(...args, '--json');
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Record<string, any>;
}

it('ends with 1 and names the bug, and with 0 on the model without it', async () => {
  const found = await fuzz(faulty());
  expect(found).toMatchObject({ status: 1, stderr: '' });
  expect(found.stdout).toContain('✗ partial-function at Main:');
  const { status, stdout } = await fuzz(fixed());
  expect(stdout).toContain('no bug found');
  expect(status).toBe(0);
});

it('writes each bug as a scenario that fails, a Daml script and a test', async () => {
  const dar = faulty();
  const { stderr } = await fuzz(dar, '--emit', join(folder(), 'bugs'));
  const names = ['partial-function.yaml', 'partial-function.daml', 'partial-function.test.js'];
  expect(stderr).toBe(names.map((name) => `canticle: wrote bugs/${name}\n`).join(''));
  const scenario = join(folder(), 'bugs', names[0]!);
  expect(readFileSync(scenario, 'utf8')).toContain('packages: ["../faulty.dar"]');
  expect((await runHere('run', scenario)).status).toBe(1);
  writeFileSync(dar, buildDar(emptyHead(true)));
  expect((await runHere('run', scenario)).status).toBe(0);
  expect(readFileSync(join(folder(), 'bugs', names[2]!), 'utf8')).toContain('replayDaml(');
});

it('prints the same bytes for the same flags, and others for another seed', async () => {
  const dar = faulty();
  const first = await fuzz(dar, '--json');
  expect(await fuzz(dar, '--json')).toEqual(first);
  expect((await fuzz(dar, '--json', '--seed', '1')).stdout).not.toBe(first.stdout);
});

it('reports as JSON and for JUnit, with the steps of each bug', async () => {
  const junit = join(folder(), 'junit.xml');
  const report = await jsonOf(faulty(), '--junit', junit, '--skip-check', 'stuck-contract');
  expect(report).toMatchObject({ seed: 0, sequences: 60, start: { contracts: 0 } });
  const bug = report['bugs'].find((each: any) => each.check === 'partial-function');
  expect(bug.steps.length).toBeGreaterThan(0);
  expect(report['coverage'].branches.reached).toBeGreaterThan(0);
  const { readFileSync } = await import('node:fs');
  expect(readFileSync(junit, 'utf8')).toContain('<testcase name="partial-function: ');
});

it('names branches that never ran, with their conditions', async () => {
  const { stdout } = await fuzz(faulty(), '--runs', '1', '--steps', '1');
  expect(stdout).toMatch(/Coverage: \d+ of \d+ branches\n {2}Main, .*: waits for .* of .*/);
});

it('stops at the wanted coverage', async () => {
  const all = await jsonOf(faulty(), '--until-coverage', '1%');
  expect(all['sequences']).toBe(20);
});

it('starts at the result of a setup script', async () => {
  const { start } = await jsonOf(scripts(), '--setup', 'Main:setup');
  expect(start).toEqual({ parties: ['alice'], contracts: 1 });
});

it('starts at the result of a scenario, or a saved world', async () => {
  const dar = scripts();
  const scenario = file(
    'world.yaml',
    [
      `packages: [${dar}]`,
      'parties: [alice]',
      'steps:',
      `  - create: '#${packageName}:Main:Asset'`,
      '    by: alice',
      '    with: { owner: $alice, name: gold, viewers: [] }',
    ].join('\n'),
  );
  const { start } = await jsonOf(dar, '--scenario', scenario);
  expect(start.contracts).toBeGreaterThan(0);
  expect(start.parties.some((party: string) => party.startsWith('alice::'))).toBe(true);
  const world = join(folder(), 'saved.world');
  createCanticle({ scenario }).save(world);
  expect((await jsonOf(dar, '--load', world)).start).toEqual(start);
});

it('takes parties, templates, exclusions and weights', async () => {
  const dar = scripts();
  const report = await jsonOf(
    ...([dar, '--party', 'amy,ben', '--template', 'Asset', '--exclude', 'Asset.Refuse'] as const),
    ...(['--weight', 'Asset.Say=0', '--runs', '5'] as const),
  );
  expect(report['start']).toEqual({ parties: ['amy', 'ben'], contracts: 0 });
});

it('takes budgets for the steps and the traffic of a submission', async () => {
  const failing = async (...flags: readonly string[]) => {
    const { bugs } = await jsonOf(scripts(), ...flags);
    const failures = bugs.filter(({ isNote }: any) => isNote !== true);
    return [...new Set(failures.map(({ check }: any) => check))];
  };
  expect(await failing()).toEqual([]);
  expect(await failing('--step-budget', '1')).toEqual(['step-budget']);
  expect(await failing('--traffic-budget', '1')).toEqual(['traffic-budget']);
});

it('writes the setup into the texts of a bug', async () => {
  const flags = ['--setup', 'Main:setup', '--traffic-budget', '1', '--runs', '5'];
  await fuzz(scripts(), ...flags, '--emit', join(folder(), 'after-setup'));
  const text = (name: string) =>
    readFileSync(join(folder(), 'after-setup', `traffic-budget.${name}`), 'utf8');
  expect(text('yaml')).toContain('- { script: Main:setup }');
  expect(text('daml')).toContain('_ <- Main.setup');
  expect(text('test.js')).toContain('setup: "Main:setup",');
});

it('runs scripts with an argument as actions', async () => {
  const report = await jsonOf(scripts(), '--action', 'Main:noted', '--template', 'Main:noted');
  const noted = report['actions'].find((each: any) => each.action === 'Main:Asset');
  expect(noted.accepted).toBeGreaterThan(10);
  expect(report['actions']).toHaveLength(1);
});

it.each([
  [['--template', 'Nothing'], 'Nothing is no template, choice or action of these packages.'],
  [['--setup', 'Main:nothing'], 'has no script Main:nothing.'],
  [['--setup', 'Main:broken'], 'the setup script failed.\n'],
  [['--package', 'nothing'], 'There is no package nothing in'],
  [['--skip-check', 'nothing'], 'There is no check nothing.'],
  [['--scenario', 'nothing.yaml'], 'no such file'],
  [
    ['--setup', 'Main:setup', '--party', 'amy'],
    'Only one of --setup, --scenario, --load and --party',
  ],
])('ends with 2 for %j', async (flags, message) => {
  const { status, stderr } = await fuzz(scripts(), ...flags);
  expect(stderr).toContain(message);
  expect(status).toBe(2);
});

it('ends with 2 without a DAR', async () => {
  const { status, stderr } = await fuzz(join(folder(), 'nothing.dar'));
  expect({ status, stderr }).toMatchObject({ status: 2, stderr: /failed to fuzz nothing.dar/ });
});

it('accepts at most 64 threads', async () => {
  const none = join(folder(), 'nothing.dar');
  expect((await fuzz(none, '--workers', '64')).stderr).toContain('nothing.dar');
  expect((await fuzz(none, '--workers', '65')).stderr).toContain('from 1 to 64');
});

describe('the text', () => {
  const many = (choices: Readonly<Record<string, CaseChoice>>, more?: ModuleSpec) =>
    zooPackage({
      templates: {
        Many: {
          fields: { owner: t.party, other: t.party },
          signatories: ['owner', 'other'],
          choices,
        },
      },
      ...(more && { more }),
    });

  it('names at most 40 branches that never ran', async () => {
    const missing = async (count: number) => {
      const names = Array.from({ length: count }, (_, place) => `V${place}`);
      const arms = names.map((name) => [p.enum('Main:Which', name), DONE] as const);
      const Pick: CaseChoice = {
        ...{ stays: true, by: ['owner'], args: { which: t.con('Main:Which') } },
        does: ({ given }) => e.match(given('which'), ...(arms as never as [])),
      };
      const dar = buildDar(many({ Pick }, { types: { Which: { enum: names } } }));
      const { stdout } = await fuzz(file('branches.dar', dar), '--template', 'create Many');
      return [stdout.match(/waits for/g)?.length, /and (\d+) more/.exec(stdout)?.[1]];
    };
    expect(await missing(40)).toEqual([40, undefined]);
    expect(await missing(41)).toEqual([40, '1']);
    expect(await missing(45)).toEqual([40, '5']);
  });

  it('names at most ten places of notes', async () => {
    const notes = async (count: number) => {
      const one: CaseChoice = { stays: true, args: { by: t.party }, by: ['.by'] };
      const names = Array.from({ length: count }, (_, place) => `C${place}`);
      const choices = Object.fromEntries(names.map((name) => [name, one]));
      const flags = ['--runs', '200', '--skip-check', 'stuck-contract'];
      const { stdout } = await fuzz(file('notes.dar', buildDar(many(choices))), ...flags);
      const text = /· anyone-may-exercise\n(?: {6}.*\n)*/.exec(stdout)?.[0] ?? '';
      return [text.match(/^ {6}Main:Many.C/gm)?.length, /^ {6}and (\d+) more/m.exec(text)?.[1]];
    };
    expect(await notes(10)).toEqual([10, undefined]);
    expect(await notes(11)).toEqual([10, '1']);
  });
});

it('accepts at most 10,000 steps', async () => {
  expect((await fuzz(fixed(), '--runs', '1', '--steps', '10000')).status).toBe(0);
  const { status, stderr } = await fuzz(fixed(), '--steps', '10001');
  expect(status).toBe(1);
  expect(stderr).toContain('10001');
});
