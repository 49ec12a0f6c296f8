/** How much memory is held, in a process whose collector Node hides. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** In megabytes, of what somebody still holds. */
export function heldMegabytes(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return Math.round((heapUsed + external) / 1e5) / 10;
}

/** In a campaign, which is asked for by its number of cases, tells what was left. */
export function tellHeld(campaign: string, before: number): void {
  if (process.env.CANTICLE_RUNS !== undefined)
    process.stdout.write(`${campaign}: ${before} MB before, ${heldMegabytes()} MB after\n`);
}
