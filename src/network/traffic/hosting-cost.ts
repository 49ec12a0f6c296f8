/** What a participant pays to have a party hosted. */
import type { ParticipantId, Party, SynchronizerId } from '../ids.js';
import type { Ledger } from '../ledger/ledger.js';
import { encodeHosting } from '../topology/party-hosting.js';
import type { PartyPermission, SignatureForm } from '../updates.js';
import { PARTICIPANT_SIGNATURE } from './noise.js';
import { formOf } from './signature-forms.js';
import { topologyCost } from './topology-cost.js';
import { broadcastAt } from './update-cost.js';

/** As the party is hosted now: by each of its participants, and signed by them and by its own keys. */
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
