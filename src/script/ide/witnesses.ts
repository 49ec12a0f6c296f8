/** Who sees what of a transaction: of each action its informees and those of what encloses it. */
import { stakeholdersOf, type Action, type Transaction } from '../../daml/model/transaction.js';
import type { Party } from '../../daml/model/values.js';

function informeesOf(action: Action): readonly Party[] {
  switch (action.kind) {
    case 'create':
      return stakeholdersOf(action.contract);
    case 'exercise': {
      const { contract, consuming, actingParties, choiceObservers } = action;
      const concerned = consuming ? stakeholdersOf(contract) : contract.signatories;
      return [...concerned, ...actingParties, ...choiceObservers];
    }
    case 'fetch':
      return [...action.contract.signatories, ...action.actingParties];
    case 'queryByKey':
      return action.key.maintainers;
  }
}

/** By node id; what was rolled back has an effect for nobody, and is left out. */
export function witnessesOf({ nodes }: Transaction): ReadonlyMap<number, ReadonlySet<Party>> {
  const witnesses = new Map<number, ReadonlySet<Party>>();
  const inherited = new Map<number, ReadonlySet<Party>>();
  nodes.forEach((node, place) => {
    const above = inherited.get(node.parent) ?? new Set<Party>();
    if (node.kind === 'rollback') {
      inherited.set(place, above);
      return;
    }
    if (node.kind === 'rolledBack') return;
    const seen = new Set([...above, ...informeesOf(node)]);
    witnesses.set(node.nodeId, seen);
    inherited.set(node.nodeId, seen);
  });
  return witnesses;
}
