/**
 * All suites, in groups. The suites of a group share one set of loaded modules: about 500, which each suite would load again otherwise.
 * `npm test` runs the groups. `npx jest PATH` runs suites one by one, with jest.config.cjs.
 */
const { createHash } = require('node:crypto');
const { mkdtempSync, readdirSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

// The run deletes the temporary files of tests and of the programs that they start. All groups of the run share one cache of facts about
// packages.
const folder = mkdtempSync(join(tmpdir(), 'canticle-tests-'));
process.env.TMPDIR = folder;
process.env.CANTICLE_CACHE ??= join(folder, 'cache');
process.env.CANTICLE_PACKED = join(folder, 'packed');
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const {
  testMatch: _,
  reporters,
  maxWorkers,
  testTimeout,
  ...shared
} = require('./jest.config.cjs');

/**
 * The groups, each with the folders whose suites it runs, in this order. The longest groups start first, so that the workers end at the
 * same time. Each group loads all modules again and compiles what V8 had compiled, which takes 3 s of processor time. So there are only
 * a few groups more than workers.
 * - `campaigns` measure memory, and a debugger reads every script of their process. Both take long in a large group.
 * - `localnet` is first in its group: networks with the clock of the machine exist since the group was loaded.
 */
const GROUPS = [
  ['testing', 'readme'],
  ['services', 'network', 'pqs'],
  ['repository', 'cli'],
  ['daml', 'multi', 'recording', 'scenario', 'script', 'spec', 'token'],
  ['localnet', 'conformance', 'splice', 'client'],
  ['http', 'grpc', 'assembly', 'bridge', 'clients', 'codegen', 'faults'],
  ['campaigns', 'properties'],
];
/** The folders of no group join that of the transports. */
GROUPS.find(([first]) => first === 'http').push(
  ...readdirSync(join(__dirname, 'test'))
    .filter((folder) => !GROUPS.flat().includes(folder))
    .sort(),
);

/**
 * Suites that need other modules than those of their folder, and the folder that they join. One counts connections, which nock's
 * requests do not share. One opens thousands of connections. One uses an SDK that caches the packages of a registry by its URL. One
 * loads nock, which replaces the requests of Node. One uses a debugger, which reports every script.
 */
const ELSEWHERE = {
  [join('faults', 'entry-points.test.ts')]: 'testing',
  [join('bridge', 'recording-proxy.test.ts')]: 'properties',
  [join('daml', 'lf', 'debugging.test.ts')]: 'campaigns',
  [join('http', 'streams', 'crowds.test.ts')]: 'properties',
  [join('localnet', 'wallet-sdk-on-model.test.ts')]: 'properties',
};

const suitesIn = (folder) =>
  readdirSync(join(__dirname, 'test', folder), { recursive: true })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join(folder, file))
    .filter((suite) => !(suite in ELSEWHERE))
    .sort()
    .concat(Object.keys(ELSEWHERE).filter((suite) => ELSEWHERE[suite] === folder));

/** One id for jest's cache of all projects, including transformed sources, which contain paths of this folder. */
const id = createHash('sha256').update(__dirname).digest('hex').slice(0, 16);

module.exports = {
  reporters,
  maxWorkers,
  // Each group has its own process. The heap of an earlier group would make each garbage collection longer.
  workerIdleMemoryLimit: '1MB',
  testTimeout,
  testSequencer: '<rootDir>/scripts/jest-in-order.cjs',
  projects: GROUPS.map((folders) => ({
    ...shared,
    id,
    rootDir: __dirname,
    displayName: folders.join(', '),
    testMatch: ['<rootDir>/test/support/group.ts'],
    globals: { SUITES_OF_GROUP: folders.flatMap(suitesIn) },
  })),
};
