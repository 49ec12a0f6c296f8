/** The packages that a party needs for its part of a transaction: those of the templates and interfaces there. */
import { remembered } from '../../daml/model/remembered.js';
import type { Transaction } from '../../daml/model/transaction.js';
import { packageIdOf, type PackageId } from '../../daml/model/types.js';
import type { Party } from '../../daml/model/values.js';

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
      for (const id of packagesIn({ nodes: [node] })) needed.add(id);
    }
  return byParty;
}

/** The packages of all nodes. */
export function packagesIn({ nodes }: Pick<Transaction, 'nodes'>): readonly PackageId[] {
  let packages = NO_PACKAGES;
  for (const node of nodes) {
    if (node.kind === 'rollback') continue;
    const action = node.kind === 'rolledBack' ? node.action : node;
    const { templateId } = action.kind === 'create' ? action.contract : action;
    packages = withPackage(packages, packageIdOf(templateId));
    if (action.kind === 'exercise') packages = withPackage(packages, action.packageId);
  }
  return packages;
}

const NO_PACKAGES: readonly PackageId[] = [];
/** Most transactions need only one package. */
const only = remembered((id): readonly PackageId[] => [id]);

function withPackage(packages: readonly PackageId[], id: PackageId): readonly PackageId[] {
  if (packages.includes(id)) return packages;
  return packages.length === 0 ? only(id) : [...packages, id];
}
