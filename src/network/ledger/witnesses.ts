/** Who may see what there is in an update. */
import { stakeholdersOf } from '../../daml/model/transaction.js';
import type { Party } from '../ids.js';
import type { Update } from '../updates.js';

/** Everyone who may see some of it, each once. */
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

/** Whether it is none of the network's: it was committed with that mark. */
export const isImport = (update: Update): boolean => update.isImported === true;

function unique(sets: readonly (readonly Party[])[]): readonly Party[] {
  const first = sets[0];
  if (first === undefined) return [];
  // Most of what happens concerns the same parties throughout.
  for (let i = 1; i < sets.length; i++) if (sets[i] !== first) return [...new Set(sets.flat())];
  return first;
}
