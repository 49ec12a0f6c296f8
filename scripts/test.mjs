// `npm test`: installs, checks, builds, runs every test. Arguments after `npm test --` go to jest, which then runs the
// suites that they name.
import { ensureInstalled } from './ensure-installed.mjs';
import { endWith, generate, runNode, tool } from './steps.mjs';

// The objects of a test are short-lived. A young generation of 16 MB moves too many of them to the old one, which
// costs 20% of the time.
const YOUNG_GENERATION = '--max-semi-space-size=64';

async function buildAndRun() {
  await runNode(['scripts/build.mjs']);
  process.env.CANTICLE_BUILT = 'now';
  const named = process.argv.slice(2);
  const suites = named.length > 0 ? named : ['-c', 'jest.groups.cjs'];
  await runNode([YOUNG_GENERATION, tool('jest/bin/jest.js'), ...suites], { oneStream: true });
}

ensureInstalled();
// The checks end while the first suites run. Both first generate code; the second one finds it up to date.
endWith(generate().then(() => Promise.all([runNode(['scripts/check.mjs']), buildAndRun()])));
