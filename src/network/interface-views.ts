/** Which version of a contract's template computes its interface views: not always the one that created it (B-PSL-016). */
import { ledgerError } from '../daml/ledger-error.js';
import { template as templateOf } from '../daml/package.js';
import type { ContractInstance } from '../daml/transaction.js';
import { qualifiedNameOf, type TypeId } from '../daml/types.js';
import type { Participant } from './participant.js';

/**
 * The template in the highest version of its package that implements the interface and that this participant has vetted.
 * @throws LedgerError NO_VETTED_INTERFACE_IMPLEMENTATION_PACKAGE, for the status of the view (B-FLT-020)
 */
export function implementingTemplate(
  { network, packages, id: participantId }: Participant,
  interfaceId: TypeId,
  { packageName, templateId }: ContractInstance,
): TypeId {
  const isVetted = (packageId: string): boolean =>
    network.synchronizers.some(({ id }) =>
      network.topology.isVetted(participantId, id, packageId, network.clock.now()),
    );
  const found = packages
    .versionsOf(packageName)
    .filter(isVetted)
    .map((packageId) => `${packageId}:${qualifiedNameOf(templateId)}`)
    .find((id) => templateOf(packages, id)?.implementations.has(interfaceId));
  if (found !== undefined) return found;
  throw ledgerError(
    'NO_VETTED_INTERFACE_IMPLEMENTATION_PACKAGE',
    `No vetted package for rendering the interface view for package-name '${packageName}'. Reason: no vetted version implements ${interfaceId}.`,
  );
}
