/** CANTICLE_COVERAGE_LINES: how often each line of Daml was run, for lcov, for jest's own coverage and for V8's. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import CoverageReporter from '../../src/testing/coverage-reporter.js';
import { useCanticle } from '../../src/testing/jest.js';
import { entryName, manifestFor, zipOf } from '../support/daml/dar-builder.js';
import { e, u } from '../support/daml/lf-code.js';
import { encodePackage } from '../support/daml/lf-encoder.js';
import { probeModule } from '../support/daml/lf-probe.js';
import { t } from '../support/daml/lf-types.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';
import { CommandHere } from './in-process.js';

const SOURCE = `module Main where
{- choice Hidden : Int
     controller owner -}
share : Int -> Int -> Int
share all heads =
  if heads == 0
    then 0
    else all / heads

unused : Int
unused = 1

template Probe
  with owner : Party
  where
    choice Ask : Int
      with
        text : Text
      controller owner
      do let words = "-- no comment"

         -- nor code
         share 10 5

    nonconsuming choice Fail : Int
      controller owner
      do failing 1

    choice Idle : Int
      controller owner
      do pure 3

failing : Int -> Update Int
failing one = pure (one / 0)
`;
const at = (line: number, expression: Parameters<typeof e.located>[2]) =>
  e.located('Main', line, expression);
const INTS = t.arrow(t.int64, t.arrow(t.int64, t.int64));
const shareAmong = (heads: number) => e.call(e.value('Main:share'), e.int(10), e.int(heads));
const encoded = encodePackage({
  name: 'counted',
  version: '1.0.0',
  modules: {
    // As the Daml compiler writes it: a choice has no location.
    Main: probeModule(
      {
        Ask: {
          type: t.int64,
          update: u.block(
            [['_', t.int64, u.pure(t.int64, shareAmong(5))]],
            u.pure(t.int64, shareAmong(0)),
          ),
        },
        Fail: { type: t.int64, update: e.call(e.value('Main:failing'), e.int(1)) },
        Idle: { type: t.int64, update: u.pure(t.int64, e.int(3)) },
      },
      {
        values: {
          share: {
            type: INTS,
            expression: e.lambda(
              { all: t.int64, heads: t.int64 },
              at(
                6,
                e.if(
                  e.call(e.builtin('EQUAL', t.int64), e.var('heads'), e.int(0)),
                  at(7, e.int(0)),
                  at(8, e.call(e.builtin('DIV_INT64'), e.var('all'), e.var('heads'))),
                ),
              ),
            ),
          },
          unused: { type: t.int64, expression: at(11, e.int(1)) },
          failing: {
            type: t.arrow(t.int64, t.builtin(17, t.int64)),
            expression: e.lambda(
              { one: t.int64 },
              at(34, u.pure(t.int64, e.call(e.builtin('DIV_INT64'), e.var('one'), e.int(0)))),
            ),
          },
        },
      },
    ),
  },
});
const dar = zipOf({
  'META-INF/MANIFEST.MF': manifestFor(encoded),
  [entryName(encoded)]: encoded.dalf,
  [`counted-1.0.0-${encoded.id}/Main.daml`]: SOURCE,
});

const folder = useTemporaryFolder()();
const choices = join(folder, 'choices.json');
const file = join(folder, 'daml', 'counted-1.0.0', 'Main.daml');
const { env } = process;
const before = { ...env };
/** Under the environment that counts, as a test file of the user's. */
async function counted(): Promise<void> {
  env['CANTICLE_COVERAGE_LINES'] = join(folder, 'daml');
  env['CANTICLE_COVERAGE'] = choices;
  const ends: (() => unknown)[] = [];
  const hook = () => undefined;
  const runner = {
    beforeAll: hook,
    beforeEach: hook,
    afterEach: hook,
    afterAll: (end: () => unknown) => ends.push(end),
  };
  const canticle = useCanticle({ seed: 1, listen: false, runner: runner as never });
  const { participant } = canticle;
  participant.uploadDar(dar);
  const actAs = [participant.allocateParty('alice')];
  const template = '#counted:Main:Probe';
  const probe = participant.create(template, { owner: actAs[0]! }, { actAs });
  const exercise = (choice: string) => participant.exercise(template, probe, choice, {}, { actAs });
  exercise('Ask');
  exercise('Ask');
  let refused: unknown;
  try {
    exercise('Fail');
  } catch (error) {
    refused = error;
  }
  // The explanation runs it once more, and that counts nowhere.
  expect(canticle.trace(refused as Error).stack).toMatchObject([{ module: 'Main', line: 34 }]);
  await Promise.all(ends.map((end) => end()));
}
beforeAll(async () => {
  try {
    await counted();
  } finally {
    // The other suites of the group, and their processes, do not count.
    for (const name of ['CANTICLE_COVERAGE_LINES', 'CANTICLE_COVERAGE'])
      if (before[name] === undefined) delete env[name];
      else env[name] = before[name];
  }
});

/** As counted by hand. Line 5 has no location in the archive; lines without code are not listed. */
const BY_HAND = `TN:
SF:${file}
FN:6,share
FN:11,unused
FN:16,Probe.Ask
FN:25,Probe.Fail
FN:29,Probe.Idle
FN:34,failing
FNDA:4,share
FNDA:0,unused
FNDA:2,Probe.Ask
FNDA:1,Probe.Fail
FNDA:0,Probe.Idle
FNDA:1,failing
FNF:6
FNH:4
DA:6,4
DA:7,2
DA:8,2
DA:11,0
DA:16,2
DA:19,2
DA:20,2
DA:23,2
DA:25,1
DA:26,1
DA:27,1
DA:29,0
DA:30,0
DA:31,0
DA:34,1
LF:15
LH:11
end_of_record
`;

test('lcov lists the executed lines, and the functions that no script called', async () => {
  const lcov = join(folder, 'daml.info');
  const svg = join(folder, 'choices.svg');
  const { status, stdout } = await new CommandHere(
    'coverage',
    choices,
    '--lcov',
    lcov,
    '--svg',
    svg,
  ).ended();
  expect(status).toBe(0);
  expect(readFileSync(lcov, 'utf8')).toBe(BY_HAND);
  expect(stdout).toContain(`Lines of Daml: 11 of 15 (73 %) run\n  ${file}: 11 of 15 (73 %)`);
  expect(readFileSync(file, 'utf8')).toBe(SOURCE);
  const picture = readFileSync(svg, 'utf8');
  expect(picture).toContain('<title>Main:Probe Ask exercised: 2</title>');
  expect(picture).toContain('<title>Main:Probe Idle exercised: 0</title>');
  // Both runs together.
  const twice = await new CommandHere('coverage', choices, choices, '--lcov', lcov).ended();
  expect(twice.stdout).toContain('11 of 15');
  expect(readFileSync(lcov, 'utf8')).toContain('FNDA:4,Probe.Ask');
});

test('--lcov fails if the coverage has no lines', async () => {
  const none = join(folder, 'none.json');
  writeFileSync(none, '{"packages":[]}');
  const { status, stderr } = await new CommandHere('coverage', none, '--lcov', 'x').ended();
  expect(status).toBe(1);
  expect(stderr).toContain('CANTICLE_COVERAGE_LINES');
});

test('jest includes the counts in its own report, and they match the counts of V8', () => {
  const { __coverage__: all } = globalThis as unknown as { __coverage__: Record<string, any> };
  const { s, statementMap, f, fnMap } = all[file];
  const lines = Object.keys(s).map((key) => [statementMap[key].start.line, s[key]]);
  expect(Object.fromEntries(lines)).toMatchObject({ 6: 4, 7: 2, 8: 2, 11: 0, 20: 2, 30: 0 });
  expect(Object.keys(f).map((key) => [fnMap[key].name, f[key]])).toContainEqual(['Probe.Ask', 2]);

  const v8Coverage: { result: any }[] = [];
  new CoverageReporter({}, { file: choices }).onTestResult({}, { coverage: all, v8Coverage });
  const [{ result }] = v8Coverage as [{ result: any }];
  expect(result.url).toBe(file);
  const countOf = (line: number): number => {
    const at =
      SOURCE.split('\n')
        .slice(0, line - 1)
        .join('\n').length + 1;
    const within = result.functions[0].ranges.filter(
      ({ startOffset, endOffset }: any) => startOffset <= at && at < endOffset,
    );
    return within.at(-1).count;
  };
  expect([6, 7, 11, 20, 27, 31].map(countOf)).toEqual([4, 2, 0, 2, 1, 0]);
});
