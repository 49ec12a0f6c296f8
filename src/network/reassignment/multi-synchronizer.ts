/** The feature flag that participants need to reassign contracts, in their trust certificates (B-RSG-036). */
import { scalaSet } from '../../daml/errors/scala-text.js';
import type { Party } from '../../daml/model/values.js';
import type { Ledger } from '../ledger/ledger.js';
import { abbreviatedId } from '../model/ids.js';
import type { Synchronizer } from '../synchronizer.js';
import { uniqueKey } from '../topology/mapping-rules.js';
import { certificateFor } from '../topology/mapping-log.js';
import { MULTI_SYNCHRONIZER } from '../topology/topology-transactions.js';

/**
 * All participants that host a stakeholder need it.
 * NOTE: a participant lists others in the order of their hashes.
 * @returns why the synchronizer refuses
 */
export function withoutMultiSynchronizer(
  { mappings, members, topology }: Ledger,
  stakeholders: readonly Party[],
  synchronizer: Synchronizer,
): string | undefined {
  if (!synchronizer.protocol.reassignsByFlag) return undefined;
  const { id, printedId } = synchronizer;
  const hasFlag = (participantId: string): boolean => {
    const key = uniqueKey(certificateFor(synchronizer, participantId));
    const mapping = mappings.latest(id, key)?.transaction.mapping;
    // A certificate from the start of the network has the flag.
    return (
      mapping?.kind !== 'SynchronizerTrustCertificate' ||
      mapping.featureFlags.includes(MULTI_SYNCHRONIZER)
    );
  };
  const hosts = new Set(stakeholders.flatMap((party) => [...topology.hosts(party, id).keys()]));
  const missing = members.filter((each) => hosts.has(each.id) && !hasFlag(each.id));
  if (missing.length === 0) return undefined;
  const shown = missing.map((each) => `PAR::${abbreviatedId(each.id)}`);
  return `Multi-synchronizer feature flag is not enabled for synchronizer ${printedId} on the following participants: ${scalaSet(shown)}`;
}
