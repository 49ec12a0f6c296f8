/** The position of running code in a transaction: the exercise that runs it, and the parties with authority there. */
import type { Party } from '../model/values.js';

export interface Frame {
  /** The node id of the exercise; -1 for the commands. */
  readonly nodeId: number;
  /** Few, so that looking through them is quicker than a set. */
  readonly authorizers: readonly Party[];
  /** Exercises around it that take JavaScript's stack. */
  readonly depth: number;
}

/** The frame of code that runs without a command. */
export const OUTSIDE = { nodeId: -1, authorizers: [], depth: 0 } satisfies Frame;

/** Where a `try` begins. */
export interface Savepoint {
  readonly nodeId: number;
}

export function haveAll(parties: readonly Party[], wanted: readonly Party[]): boolean {
  if (parties === wanted) return true;
  for (let i = 0; i < wanted.length; i++) if (!parties.includes(wanted[i]!)) return false;
  return true;
}
