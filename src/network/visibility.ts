/** Who sees which node of a transaction: the ledger model's informees and witnesses. */
import { stakeholdersOf, type Transaction, type TransactionNode } from '../daml/transaction.js';
import type { Party } from '../daml/values.js';

/** Parties that see a node on their own account, not through an enclosing exercise (B-EVT-020 to B-EVT-023). */
function informeesOf(node: TransactionNode): readonly Party[] {
  switch (node.kind) {
    case 'create':
      return stakeholdersOf(node.contract);
    case 'exercise':
      return [
        ...(node.consuming ? stakeholdersOf(node.contract) : node.contract.signatories),
        ...node.actingParties,
        ...node.choiceObservers,
      ];
    case 'fetch':
      return [...node.contract.signatories, ...node.actingParties];
    case 'queryByKey':
      return node.key.maintainers;
  }
}

const NOBODY: readonly Party[] = [];

/** By node id: informees of the node and of every exercise around it, sorted. */
export function witnessesOf(transaction: Transaction): readonly (readonly Party[])[] {
  const witnesses: (readonly Party[])[] = new Array(transaction.nodes.length);
  for (const node of transaction.nodes) {
    const informees = informeesOf(node);
    const inherited = node.parent < 0 ? NOBODY : witnesses[node.parent]!;
    witnesses[node.nodeId] = informees.every((party) => inherited.includes(party))
      ? inherited
      : [...new Set([...inherited, ...informees])].sort();
  }
  return witnesses;
}
