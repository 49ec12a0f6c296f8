/** Which packages a party needs, to make sense of the part of a transaction that it sees: those of the templates and interfaces there. */
import type { Transaction, TransactionNode } from '../daml/transaction.js';
import { packageIdOf, type PackageId } from '../daml/types.js';
import type { Party } from '../daml/values.js';

/** @param witnesses by node id */
export function packagesByParty(
  transaction: Transaction,
  witnesses: readonly (readonly Party[])[],
): ReadonlyMap<Party, ReadonlySet<PackageId>> {
  const byParty = new Map<Party, Set<PackageId>>();
  for (const node of transaction.nodes)
    for (const party of witnesses[node.nodeId]!) {
      const needed = byParty.get(party) ?? new Set();
      byParty.set(party, needed);
      forEachPackage(node, (id) => needed.add(id));
    }
  return byParty;
}

/** Those that anybody can need. */
export function packagesIn({ nodes }: Transaction): readonly PackageId[] {
  const packages: PackageId[] = [];
  const add = (id: PackageId): void => {
    if (!packages.includes(id)) packages.push(id);
  };
  for (const node of nodes) forEachPackage(node, add);
  return packages;
}

function forEachPackage(node: TransactionNode, add: (id: PackageId) => unknown): void {
  if (node.kind === 'rollback') return;
  const action = node.kind === 'rolledBack' ? node.action : node;
  add(packageIdOf(action.kind === 'create' ? action.contract.templateId : action.templateId));
  if (action.kind === 'exercise') add(action.packageId);
}
