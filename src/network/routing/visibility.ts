/** The visibility of a transaction's nodes: the ledger model's informees and witnesses. */
import type { PartySets } from '../../daml/model/parties.js';
import type { Transaction, TransactionNode } from '../../daml/model/transaction.js';
import type { Party } from '../../daml/model/values.js';

/** The given parties, and the informees of a node itself (B-EVT-020 to B-EVT-023). */
function withInformees(
  sets: PartySets,
  inherited: readonly Party[],
  node: TransactionNode,
): readonly Party[] {
  switch (node.kind) {
    case 'create':
      return sets.union(sets.union(inherited, node.contract.signatories), node.contract.observers);
    case 'exercise': {
      const { contract, consuming, actingParties, choiceObservers } = node;
      const signatories = sets.union(inherited, contract.signatories);
      const stakeholders = consuming ? sets.union(signatories, contract.observers) : signatories;
      return sets.union(sets.union(stakeholders, actingParties), choiceObservers);
    }
    case 'fetch':
      return sets.union(sets.union(inherited, node.contract.signatories), node.actingParties);
    case 'queryByKey':
      return sets.union(inherited, node.key.maintainers);
    case 'rollback':
      return inherited;
    case 'rolledBack':
      return withInformees(sets, inherited, node.action);
  }
}

const NOBODY: readonly Party[] = [];

/** By node id: informees of the node and of every exercise around it, sorted. */
export function witnessesOf(
  sets: PartySets,
  { nodes }: Transaction,
): readonly (readonly Party[])[] {
  const witnesses = new Array<readonly Party[]>(nodes.length);
  let isUniform = true;
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i]!;
    witnesses[i] = withInformees(sets, node.parent < 0 ? NOBODY : witnesses[node.parent]!, node);
    isUniform &&= witnesses[i] === witnesses[0];
  }
  return isUniform ? sets.repeated(witnesses[0]!, nodes.length) : witnesses;
}

/** Every party that sees any part, sorted. */
export function informeesOf(
  sets: PartySets,
  witnesses: readonly (readonly Party[])[],
): readonly Party[] {
  let all = NOBODY;
  for (let i = 0; i < witnesses.length; i++)
    if (witnesses[i] !== all) all = sets.union(all, witnesses[i]!);
  return all;
}
