import type { Party } from './values.js';

/** A set of parties as transactions have it: sorted, each once. */
export function parties(list: readonly Party[]): readonly Party[] {
  return [...new Set(list)].sort();
}
