/** Who acts in a choice whose controllers its caller names. */
import type { Update } from '../../daml/define/index.js';
import { parties } from '../../daml/model/parties.js';
import type { Party } from '../../daml/model/values.js';

/** They have to be just the allowed ones, in whatever order and however often they are named. */
export function checkActors(
  update: Update,
  actors: readonly Party[],
  allowed: readonly Party[],
): void {
  const [given, expected] = [actors, allowed].map((each) => parties(each).join(', '));
  update.assert(given === expected, `The actors have to be ${expected}, but are ${given}`);
}
