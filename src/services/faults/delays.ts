/** The durations of faults, in milliseconds of this machine. */
import { setTimeout } from 'node:timers';
import type { FaultAction } from '../../network/faults/fault-rule.js';
import type { AppliedFault } from '../../network/faults/faults.js';

export function delayOf(
  { delay }: Extract<FaultAction, { delay: unknown }>,
  { draw }: AppliedFault,
): number {
  if (typeof delay === 'number') return delay;
  const [least, most] = delay;
  return least + draw * (most - least);
}

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
