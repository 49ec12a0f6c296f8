/** The traffic cost of hosting a party. */
import type { ParticipantId, Party, SynchronizerId } from '../model/ids.js';
import type { Ledger } from '../ledger/ledger.js';
import { encodeHosting } from '../topology/party-hosting.js';
import type { PartyPermission, SignatureForm } from '../model/updates.js';
import { PARTICIPANT_SIGNATURE } from './noise.js';
import { formOf } from './signature-forms.js';
import { topologyCost } from './topology-cost.js';
import { broadcastAt } from './update-cost.js';

/** The cost of the party's current mapping, with the signatures of its participants and its namespace keys. */
export function hostingCost(ledger: Ledger, synchronizerId: SynchronizerId, party: Party): number {
  const hosts = [...ledger.topology.hosts(party, synchronizerId)];
  const signing = ledger.externalParties.get(party, synchronizerId);
  const own: readonly SignatureForm[] = (signing?.keys ?? []).map(formOf);
  const transaction = encodeHosting({
    party,
    threshold: signing?.confirmationThreshold ?? 1,
    hosts: hosts.map(([participantId, permission]: [ParticipantId, PartyPermission]) => ({
      participantId,
      permission,
    })),
    ...(signing && { signing }),
  });
  const signatures = [...own, ...hosts.map(() => PARTICIPANT_SIGNATURE)];
  return topologyCost(broadcastAt(ledger, synchronizerId), transaction, signatures);
}
