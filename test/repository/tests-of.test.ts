/** `npm run tests-of`: which suites reach a source, as runs of `npm run mutate` noted it. */
import { execFile } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { useTemporaryFolder } from '../support/temporary-folder.js';

const root = join(__dirname, '..', '..');
const folder = useTemporaryFolder();

/** @returns the exit status, and the lines that were printed */
const run = (script: string, ...flags: string[]): Promise<readonly [number, readonly string[]]> =>
  promisify(execFile)(process.execPath, [join(root, 'scripts', script), ...flags], {
    cwd: root,
  }).then(
    ({ stdout }) => [0, stdout.trim().split('\n')] as const,
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) =>
      [code, (stdout + stderr).trim().split('\n')] as const,
  );
const testsOf = (...given: string[]) => run('tests-of.mjs', ...given);

const RULE = `
export const isOpen = (now: number): boolean => now > 1;
export const isFull = (count: number): boolean => count > 2;
`;
const suiteOf = (name: string, ...calls: string[]) => `
import { isFull, isOpen } from './rule.js';
test('${name}', () => expect([${calls.join(', ')}, isFull !== isOpen]).toContain(true));
`;

it('lists the suites that reach a file, with the number of reached functions', async () => {
  const at = (name: string) => join(folder(), name);
  const [file, notes] = [at('rule.ts'), `--notes=${at('notes.json')}`];
  const suites = ['both', 'one', 'none'].map((name) => at(`${name}.test.ts`));
  writeFileSync(file, RULE);
  for (const [place, calls] of [['isOpen(1)', 'isFull(1)'], ['isOpen(1)'], []].entries())
    writeFileSync(suites[place]!, suiteOf('rule', ...calls));
  const reach = (...tests: string[]) =>
    run('mutate.mjs', `--files=${file}`, `--tests=${tests.join(',')}`, '--reach', notes);

  expect(await reach(...suites.slice(1))).toEqual([
    0,
    ['given: suites that reach it', '1 files and 2 suites are noted.'],
  ]);
  const head = (reaching: number, all: number) =>
    `${file}: ${reaching} of the ${all} suites that were run reach it`;
  expect(await testsOf(file, notes)).toEqual([
    0,
    [head(1, 2), `  ${suites[1]!}  1 of 2 functions`],
  ]);
  // Another run adds its notes, and notes of an earlier text are marked.
  appendFileSync(file, 'export const isThird = (): boolean => true;\n');
  await reach(suites[0]!);
  expect(await testsOf(file, notes)).toEqual([
    0,
    [
      head(2, 3),
      `  ${suites[0]!}  2 of 3 functions`,
      `  ${suites[1]!}  1 of 2 functions, of an earlier text`,
      `  It has changed since. To note it again: npm run mutate -- --files ${file} --tests SUITES --reach`,
    ],
  ]);
}, 60_000);

it('prints a command for a file without recorded runs', async () => {
  const notes = `--notes=${join(folder(), 'none.json')}`;
  const files = ['src/bridge/proxy-guard.ts', 'src/cli/stop.ts', 'src/script/values.ts'];
  expect(await testsOf(...files, notes)).toEqual([
    1,
    [
      'src/bridge/proxy-guard.ts: no run has noted which suites reach it. Run:',
      "  npm run mutate -- 'pages of proxies' 'the bridge' --reach",
      'src/cli/stop.ts: no run has noted which suites reach it. Run:',
      '  npm run mutate -- --files src/cli/stop.ts --tests test/cli,test/options,test/cli/fuzz --reach',
      'src/script/values.ts: no run has noted which suites reach it. Run:',
      '  npm run mutate -- scripts --reach',
    ],
  ]);
});

it('rejects a missing file, and an empty list of files', async () => {
  expect(await testsOf('src/no-such-file.ts')).toEqual([
    2,
    ['Failed to find tests: there is no src/no-such-file.ts.'],
  ]);
  expect(await testsOf()).toEqual([2, ['Say of which file: npm run tests-of FILE.']]);
});
