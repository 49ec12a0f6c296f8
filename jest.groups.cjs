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

/** Maximum number of suites in a group: enough to share modules, few enough that the workers end at the same time. */
const MOST = 72;
/** The folders that are separate groups, and how many suites of other folders take as long as one of the folder. */
const LONG = { properties: 5, testing: 4, readme: 4, repository: 4, cli: 2, http: 1.5 };
/** The group that starts first: before any test loads nock. */
const FIRST = 'properties';

/** A suite that needs its own modules: it uses a debugger, which reports every script. */
const ALONE = [join('daml', 'lf', 'debugging.test.ts')];

/**
 * Suites that need other modules than those of their folder, and the folder that they join. One counts connections, which nock's
 * requests do not share. One opens thousands of connections. One uses an SDK that caches the packages of a registry by its URL. One
 * loads nock, which replaces the requests of Node.
 */
const ELSEWHERE = {
  [join('faults', 'entry-points.test.ts')]: 'testing',
  [join('bridge', 'recording-proxy.test.ts')]: 'properties',
  [join('http', 'streams', 'crowds.test.ts')]: 'properties',
  [join('localnet', 'wallet-sdk-on-model.test.ts')]: 'properties',
};

const suitesIn = (folder) =>
  readdirSync(join(__dirname, 'test', folder), { recursive: true })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join(folder, file))
    .filter((suite) => !ALONE.includes(suite) && !(suite in ELSEWHERE))
    .sort()
    .concat(Object.keys(ELSEWHERE).filter((suite) => ELSEWHERE[suite] === folder));

/** The suites of a folder directly below test/, in as few groups of similar size as possible. */
function groupsOf(folder) {
  const suites = suitesIn(folder);
  const count = Math.ceil(suites.length / MOST);
  return Array.from({ length: count }, (_, index) => ({
    name: count === 1 ? folder : `${folder} ${index + 1}`,
    suites: suites.filter((_, place) => place % count === index),
  }));
}

/** Joins small groups: each joins the first one that has enough room. */
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

/** The tests of this folder come first in their group: networks with the clock of the machine exist since the group was loaded. */
const EARLY = 'localnet';
const folders = [
  EARLY,
  ...readdirSync(join(__dirname, 'test'))
    .filter((folder) => folder !== EARLY)
    .sort(),
];
const isLong = (folder) => folder in LONG;
/** The longest groups start first, so that the workers end at the same time. */
const cost = ({ name, suites }) =>
  name === FIRST ? Infinity : suites.length * (LONG[name.split(' ')[0]] ?? 1);

/** One id for jest's cache of all projects, including transformed sources, which contain paths of this folder. */
const id = createHash('sha256').update(__dirname).digest('hex').slice(0, 16);

module.exports = {
  reporters,
  maxWorkers,
  testTimeout,
  testSequencer: '<rootDir>/scripts/jest-in-order.cjs',
  projects: [
    ...ALONE.map((suite) => ({ name: suite, suites: [suite] })),
    ...[
      ...folders.filter(isLong).flatMap(groupsOf),
      ...together(folders.filter((folder) => !isLong(folder)).flatMap(groupsOf)),
    ].sort((one, other) => cost(other) - cost(one)),
  ].map(({ name, suites }) => ({
    ...shared,
    id,
    rootDir: __dirname,
    displayName: name,
    testMatch: ['<rootDir>/test/support/group.ts'],
    globals: { SUITES_OF_GROUP: suites },
  })),
};
