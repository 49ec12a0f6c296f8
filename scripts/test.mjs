// `npm test`: installs, checks, builds, runs every test. Arguments after `npm test --` go to jest.
import { ensureInstalled } from './ensure-installed.mjs';
import { endWith, runNode, tool } from './steps.mjs';

ensureInstalled();
endWith(
  (async () => {
    await runNode(['scripts/check.mjs']);
    await runNode(['scripts/build.mjs']);
    await runNode([tool('jest/bin/jest.js'), ...process.argv.slice(2)], { oneStream: true });
  })(),
);
