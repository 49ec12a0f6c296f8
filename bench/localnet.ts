/**
 * A LocalNet, with Splice's DARs if they are installed. Measures the start of the command line until it is ready,
 * with and without cached facts about the DARs, and its memory. Also measures the revert to the fresh network, and
 * a wallet's first session over HTTP.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLocalnet } from 'canticle';
import { figure, machine, median } from './measure/report.js';
import { WalletSession } from './measure/wallet-session.js';

const BIN = join(process.cwd(), 'bin', 'canticle.js');
const folder = mkdtempSync(join(tmpdir(), 'canticle-bench-'));

/** Peak memory of the process, in MiB, once it is ready; undefined if the system does not report it. */
async function untilReady(cache: string): Promise<number | undefined> {
  const child = spawn(process.execPath, [BIN, 'localnet', '--ports', 'auto', '--cache', cache], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout.setEncoding('utf8');
  let memory: number | undefined;
  for await (const chunk of child.stdout)
    if (String(chunk).includes('LocalNet is ready.')) {
      memory = peakOf(child.pid!);
      break;
    }
  child.kill('SIGKILL');
  await once(child, 'exit').catch(() => undefined);
  return memory;
}

function peakOf(pid: number): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
  } catch {
    return undefined;
  }
}

machine();
try {
  let run = 0;
  const cold = await median(3, () => untilReady(join(folder, `cold-${(run += 1)}`)));
  figure('start to ready, DARs never seen before (goal 4000 ms)', cold, 'ms');
  const known = join(folder, 'warm');
  let memory = await untilReady(known);
  const warm = await median(5, async () => {
    memory = await untilReady(known);
  });
  figure('start to ready, DARs known (goal 2000 ms)', warm, 'ms');
  if (memory !== undefined) figure('peak memory when ready (goal 400 MiB)', memory, 'MiB');

  const localnet = await startLocalnet({ cache: known, clock: 'wall' });
  figure("Splice's own code", Number(localnet.hasAmulet), '(1: yes)');
  try {
    const fresh = localnet.snapshot();
    const session = new WalletSession(localnet);
    if (localnet.hasAmulet) {
      figure('the first of all sessions', await median(1, () => session.run('first')), 'ms');
      let next = 0;
      const first = await median(5, () => session.run(`later-${(next += 1)}`));
      figure("a wallet's first session over HTTP (goal 1000 ms)", first, 'ms');
    }
    const revert = await median(9, () => localnet.revert(fresh));
    figure('back to the fresh network (goal 10 ms)', revert, 'ms');
  } finally {
    await localnet.close();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
