// `npm test`: installs, checks, builds, runs every test. Arguments after `npm test --` go to jest, which then runs the
// suites that they name.
import { ensureInstalled } from './ensure-installed.mjs';
import { endWith, runNode, tool } from './steps.mjs';

ensureInstalled();
endWith(
  (async () => {
    await runNode(['scripts/check.mjs']);
    await runNode(['scripts/build.mjs']);
    const named = process.argv.slice(2);
    const suites = named.length > 0 ? named : ['-c', 'jest.groups.cjs'];
    await runNode([tool('jest/bin/jest.js'), ...suites], { oneStream: true });
  })(),
);
