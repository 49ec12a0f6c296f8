// `npm run fuzz-splice -- --minutes 6 --seed 1`: runs `canticle fuzz` on the newest version of each of Splice's DARs, some minutes each,
// and fails on a finding that is not known. DARs that are missing are skipped. `--only NAME` chooses DARs; `--dars FOLDER` has them.
// `--folder FOLDER` keeps the corpus, the reports and the stories of bugs; the next run continues with that corpus.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { endWith, root } from './steps.mjs';

const SETUP = 'Splice.Scripts.TestAmuletRulesTransfer:testSenderChangeAndOutput';

/** A DAR without a version means its newest one. */
const SETS = [
  { name: 'splice-amulet' },
  { name: 'splice-amulet-name-service' },
  { name: 'splice-dso-governance' },
  { name: 'splice-wallet' },
  { name: 'splice-wallet-payments' },
  { name: 'splice-validator-lifecycle' },
  { name: 'splice-util-featured-app-proxies' },
  { name: 'splice-util-batched-markers' },
  { name: 'splice-util-token-standard-wallet' },
  { name: 'splice-test-token-v1' },
  { name: 'splice-test-token-v2' },
  { name: 'splice-token-test-trading-app' },
  { name: 'splice-token-test-trading-app-v2' },
  { name: 'splice-token-test-dummy-holding' },
  { name: 'splitwell' },
  {
    name: 'splice-amulet-test',
    flags: ['--package', 'splice-amulet', '--setup', SETUP],
  },
  {
    name: 'splice-wallet-test',
    flags: ['--package', 'splice-wallet', '--package', 'splice-wallet-payments', '--setup', SETUP],
  },
];

/** Findings that are wrong in the model, with the reason why it has them. */
const KNOWN = [
  {
    name: 'splice-token-test-dummy-holding',
    check: 'anyone-may-exercise',
    place: 'AllocationRequest.AllocationRequest_Reject',
    reason: 'a template of a test lets anyone reject its request, which archives it',
  },
];

const isKnown = (name, { check, place }) =>
  KNOWN.some((each) => each.name === name && each.check === check && place.includes(each.place));

/** `[0, 1, 10]` of `name-0.1.10.dar`. */
function versionOf(file, name) {
  if (!file.startsWith(`${name}-`)) return undefined;
  const text = file.slice(name.length + 1, -'.dar'.length);
  return /^\d+(\.\d+)*$/.test(text) ? text.split('.').map(Number) : undefined;
}

function compared(a, b) {
  const at = a.findIndex((part, place) => part !== b[place]);
  return at < 0 ? 0 : a[at] - (b[at] ?? -1);
}

/** The file of the newest version; undefined if there is none. */
function newest(folder, name) {
  const found = readdirSync(folder)
    .filter((file) => file.endsWith('.dar'))
    .map((file) => ({ file, version: versionOf(file, name) }))
    .filter(({ version }) => version !== undefined)
    .sort((a, b) => compared(a.version, b.version));
  return found.at(-1)?.file;
}

/** Runs the built command. @returns its status and output */
function canticle(args) {
  return new Promise((resolve, reject) => {
    const stdio = ['ignore', 'pipe', 'inherit'];
    const child = spawn(process.execPath, [join(root, 'bin/canticle.js'), ...args], { stdio });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, output }));
  });
}

const many = (number) => number.toLocaleString('en-US');

async function fuzzed({ name, flags = [] }, file, { minutes, seed, folder }) {
  const own = join(folder, name);
  mkdirSync(own, { recursive: true });
  const stories = join(own, `stories-${seed}.xml`);
  const { status, output } = await canticle([
    ...['fuzz', file, ...flags, '--minutes', minutes, '--seed', seed, '--json'],
    ...['--corpus', join(own, 'corpus'), '--emit', join(own, 'bugs'), '--junit', stories],
  ]);
  if (status !== 0 && status !== 1) throw new Error(`canticle fuzz ${file} ended with ${status}`);
  const { sequences, steps, accepted, rejected, bugs, coverage } = JSON.parse(output);
  const failures = bugs.filter(({ isNote }) => isNote !== true);
  const fresh = failures.filter((bug) => !isKnown(name, bug));
  const share = Math.round((100 * accepted) / Math.max(1, accepted + rejected));
  const { reached, all } = coverage.branches;
  console.log(
    `${name}: ${many(steps)} steps in ${many(sequences)} sequences, ${share} % accepted, ${many(reached)} of ${many(all)} branches, ${bugs.length - failures.length} notes, ${failures.length - fresh.length} known, ${fresh.length} new`,
  );
  for (const { check, place, message } of fresh)
    console.log(`  ${check} at ${place}\n    ${message}`);
  if (fresh.length > 0) console.log(`  ${readFileSync(stories, 'utf8')}`);
  return { steps, fresh: fresh.length };
}

async function campaign() {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '1' },
      seed: { type: 'string', default: '1' },
      dars: { type: 'string', default: join(homedir(), '.canticle', 'dars') },
      folder: { type: 'string', default: mkdtempSync(join(tmpdir(), 'canticle-fuzz-')) },
      only: { type: 'string', multiple: true },
    },
  });
  const sets = SETS.filter(({ name }) => values.only === undefined || values.only.includes(name));
  let [steps, fresh] = [0, 0];
  for (const set of sets) {
    const file = existsSync(values.dars) ? newest(values.dars, set.name) : undefined;
    if (file === undefined) {
      console.log(`${set.name}: skipped, because ${values.dars} does not have it`);
      continue;
    }
    const result = await fuzzed(set, join(values.dars, file), values);
    steps += result.steps;
    fresh += result.fresh;
  }
  console.log(`${many(steps)} steps, ${fresh} new failures; files in ${values.folder}`);
  if (fresh > 0) process.exitCode = 1;
}

endWith(campaign());
