/** A property that fails says how to replay it, and the replay fails the same way. */
import { spawnSync } from 'node:child_process';
import { join, relative } from 'node:path';
import fc from 'fast-check';
import { check } from '../support/property.js';

interface Groups {
  readonly projects: readonly {
    readonly displayName: string;
    readonly globals: { readonly SUITES_OF_GROUP: readonly string[] };
  }[];
}

const root = join(__dirname, '../..');
// oxlint-disable-next-line typescript/no-require-imports -- it is no module
const { projects } = require('../../jest.groups.cjs') as Groups;
const WANTED = 'CANTICLE_FAIL_ON_DEMAND';

/** The group that this suite is in. */
const GROUP = projects.find(({ globals }) =>
  globals.SUITES_OF_GROUP.includes(relative(join(root, 'test'), __filename)),
)!.displayName;

const pairs = fc.tuple(fc.nat(1000), fc.string({ maxLength: 20 }));

it("(a pair's number is small: fails on demand)", () => {
  let cases = 0;
  // Two properties: the path of the second is none of the first.
  check(fc.property(fc.string(), () => true));
  check(
    fc.property(pairs, ([number]) => {
      cases += 1;
      if (process.env[WANTED] && number > 600) throw new Error(`${number} is large, case ${cases}`);
    }),
  );
});

/** Runs a shell command in the repository. @returns its output */
function run(
  command: string,
  environment: Record<string, string> = {},
): { status: number | null; text: string } {
  // Of the settings of this run, none counts for that one.
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('CANTICLE_'));
  const env = { ...Object.fromEntries(inherited), [WANTED]: '1', ...environment };
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd: root,
    env,
    encoding: 'utf8',
  });
  return { status, text: stdout + stderr };
}

const counterexampleIn = (text: string) => /Counterexample: .*/.exec(text)?.[0];

it('a failure prints a command that fails on the same case at once', () => {
  // Within a group here, of which it is all, and alone in the replay.
  const suites = JSON.stringify({ SUITES_OF_GROUP: ['properties/replay.test.ts'] });
  const failed = run(
    `npx jest -c jest.groups.cjs --selectProjects '${GROUP}' --globals '${suites}' -t 'fails on demand'`,
  );
  expect(failed.status).toBe(1);
  const [, replay] = /^ *replay: (.*)$/m.exec(failed.text) ?? [];
  expect(replay).toMatch(
    /^CANTICLE_SEED=1 CANTICLE_PATH=2\/[\d:]+ npx jest test\/properties\/replay\.test\.ts -t '\^.*\$'$/,
  );
  const replayed = run(replay!);
  expect(replayed.status).toBe(1);
  expect(counterexampleIn(replayed.text)).toMatch(/^Counterexample: \[\[601,""\]\]$/);
  expect(counterexampleIn(replayed.text)).toBe(counterexampleIn(failed.text));
  expect(failed.text).toMatch(/601 is large, case \d\d/);
  expect(replayed.text).toContain('601 is large, case 1\n');
  expect(replayed.text).toContain(`replay: ${replay}`);
}, 60_000);

it.each([
  ['CANTICLE_SEED', 'x', "CANTICLE_SEED is 'x'; it has to be a whole number."],
  ['CANTICLE_RUNS', '', "CANTICLE_RUNS is ''; it has to be a whole number."],
])('%s=%s is rejected', (name, value, message) => {
  const before = process.env[name];
  process.env[name] = value;
  try {
    expect(() => check(fc.property(fc.nat(), () => true))).toThrow(message);
  } finally {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  }
});
