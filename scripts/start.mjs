// `npm start`: installs, builds, and runs a sandbox from scenarios/welcome.yaml in this very process, so that Ctrl-C
// reaches the sandbox directly. Arguments after `npm start --` go to `canticle sandbox`.
import { join } from 'node:path';
import { ensureInstalled } from './ensure-installed.mjs';
import { endWith, root, runNode } from './steps.mjs';

async function start() {
  await runNode(['scripts/build.mjs']);
  // A shell between npm and this process forwards no signals. If npm is killed, only the missing parent shows it.
  // Without this check, the sandbox would continue to run and use its port.
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || process.emit('SIGTERM'), 250).unref();
  process.argv.splice(2, 0, 'sandbox', join(root, 'scenarios', 'welcome.yaml'));
  await import('../bin/canticle.js');
}

ensureInstalled();
endWith(start());
