/** Which packages a party needs, to make sense of the part of a transaction that it sees: those of the templates and interfaces there. */
import type { Transaction } from '../daml/transaction.js';
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
      let needed = byParty.get(party);
      if (needed === undefined) byParty.set(party, (needed = new Set()));
      needed.add(packageIdOf(node.kind === 'create' ? node.contract.templateId : node.templateId));
      if (node.kind === 'exercise') needed.add(node.packageId);
    }
  return byParty;
}

/** Those that anybody can need. */
export function packagesIn({ nodes }: Transaction): readonly PackageId[] {
  const packages: PackageId[] = [];
  const add = (id: PackageId): void => {
    if (!packages.includes(id)) packages.push(id);
  };
  for (const node of nodes) {
    add(packageIdOf(node.kind === 'create' ? node.contract.templateId : node.templateId));
    if (node.kind === 'exercise') add(node.packageId);
  }
  return packages;
}
