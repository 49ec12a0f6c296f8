/**
 * Every suite, in groups: the suites of a group share one set of loaded modules, some five hundred that each would load
 * anew otherwise. `npm test` runs these; `npx jest PATH` runs suites one by one, as jest.config.cjs has it.
 */
const { createHash } = require('node:crypto');
const { mkdtempSync, readdirSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

// What tests, and programs that they start, leave behind is taken away with the run; and what a group found out about a package, the
// next need not: one cache for the run.
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

/** Suites in a group: enough to share what is loaded, few enough that the workers end together. */
const MOST = 36;
/** These folders' tests wait for programs that they start. They begin first, and end last all the same. */
const LONGEST = ['testing', 'readme', 'cli', 'repository', 'http', 'properties'];

/**
 * Suites that need their own modules. They use a debugger, which reports every script; a count of connections, which nock's requests do not
 * share; thousands of connections; and an SDK that remembers the packages of a registry by its address.
 */
const ALONE = [
  join('bridge', 'recording-proxy.test.ts'),
  join('daml', 'lf', 'debugging.test.ts'),
  join('http', 'streams', 'crowds.test.ts'),
  join('localnet', 'wallet-sdk-on-model.test.ts'),
];

const rank = (folder) => (LONGEST.includes(folder) ? LONGEST.indexOf(folder) : LONGEST.length);
const suitesIn = (folder) =>
  readdirSync(join(__dirname, 'test', folder), { recursive: true })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join(folder, file))
    .filter((suite) => !ALONE.includes(suite))
    .sort();

/** The suites of a folder right below test/, in as many groups of about the same size as it takes. */
function groupsOf(folder) {
  const suites = suitesIn(folder);
  const count = Math.ceil(suites.length / MOST);
  return Array.from({ length: count }, (_, index) => ({
    name: count === 1 ? folder : `${folder} ${index + 1}`,
    suites: suites.filter((_, place) => place % count === index),
  }));
}

/** Small groups beside each other in one, as long as there is room; each joins the first that has it. */
function together(groups) {
  const joined = [];
  for (const { name, suites } of groups) {
    const host = joined.find((each) => each.suites.length + suites.length <= MOST);
    if (host === undefined) joined.push({ name, suites: [...suites] });
    else {
      host.name += `, ${name}`;
      host.suites.push(...suites);
    }
  }
  return joined;
}

const folders = readdirSync(join(__dirname, 'test')).sort((a, b) => rank(a) - rank(b));
const isLong = (folder) => LONGEST.includes(folder);

/** One name for the files that jest keeps of all projects, transformed sources among them: they hold paths of this folder. */
const id = createHash('sha256').update(__dirname).digest('hex').slice(0, 16);

module.exports = {
  reporters,
  maxWorkers,
  testTimeout,
  testSequencer: '<rootDir>/scripts/jest-in-order.cjs',
  projects: [
    ...ALONE.map((suite) => ({ name: suite, suites: [suite] })),
    ...folders.filter(isLong).flatMap(groupsOf),
    ...together(folders.filter((folder) => !isLong(folder)).flatMap(groupsOf)),
  ].map(({ name, suites }) => ({
    ...shared,
    id,
    rootDir: __dirname,
    displayName: name,
    testMatch: ['<rootDir>/test/support/group.ts'],
    globals: { SUITES_OF_GROUP: suites },
  })),
};
