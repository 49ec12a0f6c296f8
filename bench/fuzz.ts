/**
 * Fuzzing: steps per second of one core, on a small model and on Amulet after a setup script, with and without guidance
 * and checks. Then the time to each planted bug of the zoo, from the DAR to the finding, and the sequences until it.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { FuzzProject } from '../src/assembly/fuzzing/fuzz-project.js';
import type { FuzzSettings } from '../src/assembly/fuzzing/settings.js';
import { FuzzRun } from '../src/fuzzing/running/fuzz-run.js';
import { hunted } from '../test/fuzzing/zoo/run.js';
import { mintingSplit } from '../test/fuzzing/zoo/value.js';
import { ZOO } from '../test/fuzzing/zoo/zoo.js';
import { buildDar } from '../test/support/daml/dar-builder.js';
import { figure, machine, middle, milliseconds } from './measure/report.js';

const FOLDER = process.env['CANTICLE_DARS'] ?? join(homedir(), '.canticle', 'dars');
const SECONDS = Number(process.env['SECONDS'] ?? 3);
const AMULET = 'splice-amulet-test-0.1.8.dar';

/** Seconds of this process on all cores. */
const busy = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

function measured(name: string, settings: Omit<FuzzSettings, 'seed'>): void {
  for (const kind of ['alone', 'guided', 'guided, with checks'] as const) {
    const project = new FuzzProject({ ...settings, seed: 0 });
    const { packages, start, actions, constants, ledger, coverage } = project;
    const run = new FuzzRun({
      ...{ packages, start, actions, constants, ledger, seed: 'bench' },
      checks: kind === 'guided, with checks' ? project.checks() : [],
      ...(kind !== 'alone' && { guidance: coverage }),
    });
    for (const until = busy() + 1; busy() < until;) run.next();
    const before = run.report().counts.steps;
    const began = busy();
    while (busy() < began + SECONDS) run.next();
    const took = busy() - began;
    const { counts } = run.report();
    figure(`${name}, ${kind}: steps`, (counts.steps - before) / took, 'a second');
    if (kind === 'alone')
      figure(
        `${name}: accepted`,
        (100 * counts.accepted) / (counts.accepted + counts.rejected),
        '%',
      );
  }
}

machine();
const token = join(tmpdir(), 'canticle-bench-token.dar');
writeFileSync(token, buildDar(mintingSplit(true)));
measured('Token', { file: token });
if (existsSync(join(FOLDER, AMULET)))
  measured('Amulet', {
    file: join(FOLDER, AMULET),
    packages: ['splice-amulet'],
    setup: 'Splice.Scripts.TestAmuletRulesTransfer:testSenderChangeAndOutput',
  });

/** The middle one of three seeds. */
const SEEDS = ['zoo', 'one', 'two'];
const times: number[] = [];
for (const row of ZOO) {
  const took: number[] = [];
  const sequences: number[] = [];
  for (const seed of SEEDS)
    took.push(await milliseconds(() => sequences.push(hunted(row, seed).sequences)));
  times.push(middle(took));
  figure(`${row.name}: found after`, middle(took), `ms, ${middle(sequences)} sequences`);
}
figure(
  'all planted bugs: found after',
  times.reduce((sum, each) => sum + each, 0),
  'ms',
);
