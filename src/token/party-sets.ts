/** Groups of parties, as the token standard lists those who may act. */
import { compareText } from '../daml/text-order.js';
import type { Party } from '../daml/values.js';

/** The parties, each once, in Daml's order. */
export function partySet(parties: readonly Party[]): readonly Party[] {
  return [...new Set(parties)].sort(compareText);
}

export function sameParties(left: readonly Party[], right: readonly Party[]): boolean {
  return partySet(left).join() === partySet(right).join();
}
