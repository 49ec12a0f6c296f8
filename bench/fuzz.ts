/** Fuzzing: steps per second on a small model and on Amulet after a setup script, on one core. */
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readDar } from '../src/daml/dar/dar-file.js';
import { ActionSet } from '../src/fuzzing/actions/action-set.js';
import { plainStart, startFromScript } from '../src/fuzzing/ledger/start-state.js';
import type { StartState } from '../src/fuzzing/model/state.js';
import { FuzzRun } from '../src/fuzzing/running/fuzz-run.js';
import { constantsOf } from '../src/fuzzing/values/constants.js';
import type { DamlPackage } from '../src/daml/model/package.js';
import { scriptNamed } from '../src/script/find-scripts.js';
import { ScriptPackages } from '../src/script/packages.js';
import { figure, machine } from './measure/report.js';

const FOLDER = process.env['CANTICLE_DARS'] ?? join(homedir(), '.canticle', 'dars');
const SECONDS = Number(process.env['SECONDS'] ?? 3);

function measured(
  name: string,
  packages: ScriptPackages,
  chosen: readonly DamlPackage[],
  start: StartState,
): void {
  const actions = new ActionSet({ packages, chosen });
  const run = new FuzzRun({
    packages,
    start,
    actions,
    checks: [],
    seed: 'bench',
    constants: constantsOf(chosen),
  });
  for (const until = performance.now() + 1_000; performance.now() < until;) run.next();
  const before = run.report().counts;
  const began = performance.now();
  for (const until = began + SECONDS * 1_000; performance.now() < until;) run.next();
  const took = (performance.now() - began) / 1_000;
  const { counts } = run.report();
  figure(`${name}: steps`, (counts.steps - before.steps) / took, 'a second');
  figure(`${name}: accepted`, (100 * counts.accepted) / (counts.accepted + counts.rejected), '%');
}

machine();
const amulet = join(FOLDER, 'splice-amulet-test-0.1.8.dar');
if (existsSync(amulet)) {
  const { main, packages: all } = readDar(readFileSync(amulet));
  const packages = new ScriptPackages(all);
  const setup = scriptNamed(
    main,
    process.env['SETUP'] ?? 'Splice.Scripts.TestAmuletRulesTransfer:testSenderChangeAndOutput',
  );
  const chosen = packages.all().filter(({ name }) => name === 'splice-amulet');
  measured('Amulet, parties alone', packages, chosen, plainStart());
  measured('Amulet, after a setup', packages, chosen, startFromScript(packages, setup));
}
