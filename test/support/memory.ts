/** The memory in use, in a process without `--expose-gc`. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** In megabytes, after a garbage collection. */
export function heldMegabytes(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return Math.round((heapUsed + external) / 1e5) / 10;
}

/** Prints the remaining memory in a campaign, which has a number of cases. */
export function reportHeldMemory(campaign: string, before: number): void {
  if (process.env.CANTICLE_RUNS !== undefined)
    process.stdout.write(`${campaign}: ${before} MB before, ${heldMegabytes()} MB after\n`);
}
