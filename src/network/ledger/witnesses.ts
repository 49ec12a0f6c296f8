/** The witnesses of an update's content. */
import { stakeholdersOf } from '../../daml/model/transaction.js';
import type { Party } from '../model/ids.js';
import type { Update } from '../model/updates.js';

/** All witnesses of any part, without duplicates. */
export function witnessesIn(update: Update): readonly Party[] {
  switch (update.kind) {
    case 'transaction':
      return unique(update.witnesses);
    case 'reassignment':
      return unique(update.events.map((event) => stakeholdersOf(event.contract)));
    case 'topology':
      return unique([update.events.map((event) => event.party)]);
  }
}

/** Whether the update was imported: the commit marks such updates. */
export const isImport = (update: Update): boolean => update.isImported === true;

function unique(sets: readonly (readonly Party[])[]): readonly Party[] {
  const first = sets[0];
  if (first === undefined) return [];
  // Usually all parts have the same witnesses.
  for (let i = 1; i < sets.length; i++) if (sets[i] !== first) return [...new Set(sets.flat())];
  return first;
}
