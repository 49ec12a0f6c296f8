/** `canticle mutate`: mistakes in Daml code that the scripts of a DAR do not notice. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from '../../repository/built-package.js';
import { offersDar } from '../../mutating/tested-offers.js';
import { useTemporaryFolder } from '../../support/temporary-folder.js';
import { runHere } from '../in-process.js';
import { RunningCommand } from '../running-sandbox.js';

const folder = useTemporaryFolder();

/** One mutant survives, one does not. */
const FEW = ['--operator', 'drop-observer', '--operator', 'drop-ensure'];

interface Report {
  readonly score: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly mutants: readonly {
    readonly key: string;
    readonly status: string;
    readonly by?: string;
    readonly line?: number;
    readonly after: string;
    readonly tests: readonly string[];
  }[];
}

beforeAll(ensureBuilt, 60_000);

const file = () => {
  const path = join(folder(), 'offers.dar');
  writeFileSync(path, offersDar());
  return path;
};
const mutate = (...flags: readonly string[]) =>
  runHere('mutate', file(), '--cache', 'off', ...flags);
const report = async (...flags: readonly string[]): Promise<Report> =>
  JSON.parse((await mutate('--json', ...flags)).stdout) as Report;

it('lists the survivors first, by template and line, and the numbers of the others', async () => {
  const { status, stdout, stderr } = await mutate();
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(stdout.split('\n')).toEqual([
    'script-cases 1.0.0: 20 mutants, 4 tests',
    'Left out, because it fails without mutants: Main:fails: it is another value',
    '',
    'Survived: 3 (no test noticed it)',
    '  Main: Offer observers',
    '    10: observer buyer → (none) (drop-observer, 1 test)',
    '  Main: Quote observers',
    '    22: (none) → observer seller (add-observer, 1 test)',
    '  Main: Quote Total consuming',
    '    29: choice Total → nonconsuming choice Total (consuming, 1 test)',
    '',
    'Not reached: 4 (no test runs the code)',
    '',
    'Timed out: 3 (a test ran ten times longer, and was ended)',
    '',
    'Killed: 10 (a test failed)',
    '',
    'Score: 81.3 % (tests noticed 13 of the 16 mutants that they reach)',
    '',
  ]);
});

it('reports each mutant as JSON, with its place and the test that noticed it', async () => {
  const { score, counts, mutants } = await report();
  expect(score).toBe(81.25);
  expect(counts).toEqual({ survived: 3, undecided: 0, 'not reached': 4, timeout: 3, killed: 10 });
  const of = (key: string) => mutants.find((each) => each.key === key);
  expect(of('Main:Offer precondition#0')).toMatchObject({
    ...{ status: 'killed', by: 'Main:refusesFree', line: 11, after: '(removed)' },
    reason: 'Submit failed: Expected submit to fail but it succeeded',
    tests: ['Main:refusesFree', 'Main:offers'],
  });
  expect(of('Main:sum#2')).toMatchObject({ status: 'timeout', by: 'Main:totals', line: 20 });
  expect(of('Main:Quote Total update#0')).toMatchObject({ status: 'killed', line: 32 });
  expect(of('Main:Offer Accept controllers#0')).toMatchObject({ status: 'not reached', line: 13 });
});

it('marks a mutant as undecided if no test has inputs that show a difference', async () => {
  const { mutants } = await report('--test-pattern', 'offers', '--operator', 'drop-ensure');
  expect(mutants).toMatchObject([{ status: 'undecided', tests: ['Main:offers'] }]);
});

it('writes the report with the source, as one HTML file', async () => {
  const html = join(folder(), 'report.html');
  await mutate('--html', html, ...FEW);
  const text = readFileSync(html, 'utf8');
  expect(text).toContain('<h2>1 survivor</h2>');
  expect(text).toContain('<code>    ensure price &#62; 0</code>');
  expect(text).toMatch(/<tr class="survived"><td class="n">10<\/td><td><code> {4}observer buyer</);
  expect(text).not.toMatch(/src=|href=/);
});

it('ends with 1 if the score is too low', async () => {
  expect((await mutate('--min-score', '50', ...FEW)).status).toBe(0);
  const { status, stderr } = await mutate('--min-score', '51', ...FEW);
  expect(status).toBe(1);
  expect(stderr).toBe('canticle: the score is 50.0 %, below 51 %\n');
});

it('ends with 2 if no code can be changed, and not with one mutant', async () => {
  const none = await mutate('--operator', 'drop-update');
  expect(none.status).toBe(2);
  expect(none.stderr).toContain('these packages have no code that can be changed');
  expect((await mutate('--only', 'Main:Offer precondition#0')).status).toBe(0);
});

it('runs chosen mutants only', async () => {
  const keys = async (...flags: readonly string[]) =>
    (await report(...flags)).mutants.map(({ key }) => key);
  expect(await keys('--only', 'Main:sum#2')).toEqual(['Main:sum#2']);
  expect(await keys('--max', '3')).toHaveLength(3);
  expect(await keys('--operator', 'arithmetic', '--operator', 'drop-ensure')).toHaveLength(4);
});

it('says what is wrong with its arguments', async () => {
  const failed = async (...flags: readonly string[]) => (await mutate(...flags)).stderr;
  expect(await failed('--operator', 'swap')).toContain("unknown operator 'swap': expected one of");
  expect(await failed('--only', 'Main:x#0')).toContain("unknown mutant 'Main:x#0'");
  expect(await failed('--package', 'other')).toContain('has no package named other');
  expect(await failed('--test-pattern', 'none')).toContain('has no script');
  expect((await runHere('mutate', join(folder(), 'absent.dar'))).stderr).toContain(
    'failed to read',
  );
});

it('leaves other runs of the same process as they are', async () => {
  const test = async () => (await runHere('test', file())).stdout.replace(/\d+ ms/g, 'N ms');
  const before = await test();
  await mutate(...FEW);
  expect(await test()).toBe(before);
});

it('gives the same report with several threads', async () => {
  const command = new RunningCommand('mutate', file(), '--json', '--workers', '2', ...FEW);
  const { stdout } = await command.ended();
  expect(JSON.parse(stdout)).toEqual(await report(...FEW));
});
