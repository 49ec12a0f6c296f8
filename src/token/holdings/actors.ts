/** Checks the actors of a choice whose caller names its controllers. */
import type { Update } from '../../daml/define/index.js';
import { parties } from '../../daml/model/parties.js';
import type { Party } from '../../daml/model/values.js';

/** The actors must be exactly the allowed parties, in any order and with duplicates. */
export function checkActors(
  update: Update,
  actors: readonly Party[],
  allowed: readonly Party[],
): void {
  const [given, expected] = [actors, allowed].map((each) => parties(each).join(', '));
  update.assert(given === expected, `The actors have to be ${expected}, but are ${given}`);
}
