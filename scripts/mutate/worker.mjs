// Runs suites on request, many times in one process: with a mutant, or with marks at the mutants.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { runCLI } from 'jest';

const require = createRequire(import.meta.url);
const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..', '..');
const mutation = require('./mutation.cjs');
const { reporters: _, testMatch: __, roots: ___, ...usual } = require('../../jest.config.cjs');

/** Ends this process if a run exceeds its processor time: that detects endless loops even on a busy machine. */
const WATCH = `
const { parentPort } = require('node:worker_threads');
const used = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
let end = Infinity;
parentPort.on('message', (limit) => { end = used() + limit; });
setInterval(() => { if (used() > end) process.kill(process.pid, 'SIGKILL'); }, 100);
`;
const watch = new Worker(WATCH, { eval: true });
watch.unref();

let runs = 0;

/** Time limit of a test without a mutant: it must not fail on a busy machine. */
const UNMUTATED_TIMEOUT = 300_000;

/** By path of the suite in one group. @param suites in the order in which they run */
const configFor = (suites, isMutated) => ({
  ...usual,
  ...(!isMutated && { testTimeout: UNMUTATED_TIMEOUT }),
  id: 'mutate',
  rootDir: root,
  // There is no search for tests: each suite is loaded by its path.
  roots: [here],
  testMatch: [join(here, 'group.cjs')],
  testEnvironment: join(here, 'environment.cjs'),
  transform: Object.fromEntries(
    Object.entries(usual.transform).map(([files, [, options]]) => [
      files,
      [join(here, 'transform.cjs'), options],
    ]),
  ),
  // Jest keeps what it transformed for as long as the configuration is the same to the letter.
  globals: { SUITES: suites, RUN: ++runs },
  reporters: [],
});

/** Milliseconds of processor time since the process began. */
const processorTime = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

async function run({ suites, limit, ...now }) {
  const began = processorTime();
  watch.postMessage(limit);
  const notify = (notice) => {
    watch.postMessage(notice.limit ?? limit);
    process.send({ notice });
  };
  Object.assign(mutation, { now, failure: undefined, failedIn: undefined, notify });
  mutation.reached.clear();
  const isMutated = now.mutant !== undefined || now.many?.mutants !== undefined;
  const argv = {
    config: JSON.stringify(configFor(suites, isMutated)),
    runInBand: true,
    silent: true,
    ci: true,
  };
  const { results } = await runCLI({ ...argv, _: [], $0: '' }, [root]);
  const [suite] = results.testResults;
  const broken = results.success ? undefined : (suite?.failureMessage ?? 'nothing ran');
  watch.postMessage(Infinity);
  return {
    failure: mutation.failure ?? broken?.trim().split('\n')[0],
    failedIn: mutation.failedIn,
    used: processorTime() - began,
    took: [...mutation.took],
    reached: [...mutation.reached].map(([name, places]) => [name, [...places]]),
    memory: process.memoryUsage().rss,
  };
}

process.on('message', async (order) => process.send(await run(order)));
