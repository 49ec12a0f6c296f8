/** Counts the steps of Daml code over several interpretations, and ends the code when they exceed a limit. No result depends on a clock. */
import type { Deadline } from '../../daml/interpreter/input.js';

/** A mutant may run this many times as many steps as the original. */
const TIMES_LONGER = 10;

/** The most steps of a run with a mutant. @param least a shorter original counts as this long */
export const stepLimit = (original: number, least: number): number =>
  TIMES_LONGER * Math.max(original, least);

export class StepBudget {
  /** The steps so far. Steps after the last action of an interpretation are left out. */
  used = 0;
  isExceeded = false;

  constructor(private readonly limit = Infinity) {}

  readonly deadline: Deadline = () => {
    let before = 0;
    return (taken) => {
      this.used += taken - before;
      before = taken;
      if (this.used > this.limit) this.isExceeded = true;
      return this.isExceeded;
    };
  };
}
