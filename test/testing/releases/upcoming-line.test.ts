/** The line at the end of a run about calls that use what the next release disables: one for all processes of the run. */
import { readdirSync } from 'node:fs';
import { useTemporaryFolder } from '../../support/temporary-folder.js';
import { useUserFiles, type Ran, type RunnerName } from './user-files.js';

const run = useUserFiles();
/** Of the runs: other processes of the machine have such folders, too. */
const temporary = useTemporaryFolder();

/** Makes some calls that release 3.6 disables. */
const file = (calls: number, options = '', before = '') => `
  ${before}
  const canticle = useCanticle(${options});
  test('asks', async () => {
    for (let i = 0; i < ${calls}; i += 1)
      await fetch(canticle.url + '/v2/package-vetting', { method: 'POST', body: '{}' });
  });`;
const FILES = [file(1), file(2)];
/** Jest has to terminate the threads of these files. */
const WAITING = [1, 2].map((calls) => file(calls, '', 'setInterval(() => {}, 1_000_000);'));

const lines = ({ output }: Ran) =>
  [...output.matchAll(/canticle: (\d+) calls? uses? what Canton 3\.6 disables: POST/g)].map(
    ([, n]) => Number(n),
  );
const foldersLeft = () =>
  readdirSync(temporary()).filter((name) => name.startsWith('canticle-deprecations-'));

type Run = [runner: RunnerName, how: string, args: string[], files?: string[]];

const ONE: Run[] = [
  ['jest', 'in two workers', ['--maxWorkers=2']],
  ['jest', 'in two threads that do not end', ['--maxWorkers=2', '--workerThreads'], WAITING],
  ['jest', 'in one process', ['--runInBand']],
  ['vitest', 'with a global setup', ['--config=with-setup.mjs']],
  ['vitest', 'with a global setup, in threads', ['--config=with-setup.mjs', '--pool=threads']],
  ['node-test', 'with a module', ['--require', 'canticle/deprecations', '--test']],
];

test.each(ONE)(
  '%s %s prints one line for all files',
  (runner, _, args, files = FILES) => {
    const ran = run(runner, files, args, { TMPDIR: temporary(), TEMP: temporary() });
    expect(lines(ran)).toEqual([3]);
    expect(ran.status).toBe(0);
    expect(foldersLeft()).toEqual([]);
  },
  60_000,
);

test.each([
  ['vitest', ['--maxWorkers=2']],
  ['node-test', ['--test']],
] as const)(
  '%s prints a line for each file without that',
  (runner, args) => {
    expect([...lines(run(runner, FILES, args))].sort()).toEqual([1, 2]);
  },
  60_000,
);

test('a run prints nothing if the environment turns it off', () => {
  const args = ['--require', 'canticle/deprecations', '--test'];
  const ran = run('node-test', FILES, args, { CANTICLE_QUIET_DEPRECATIONS: '1' });
  expect(lines(ran)).toEqual([]);
  expect(ran.status).toBe(0);
}, 60_000);

test('a run without such calls, or whose files turn it off, prints nothing', () => {
  const quiet = file(8, '{ quietDeprecations: true }');
  const ran = run('jest', [file(0), quiet], ['--maxWorkers=2']);
  expect(ran.output).not.toContain('canticle:');
  expect(ran.status).toBe(0);
}, 60_000);
