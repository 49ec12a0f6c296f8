/** Changes the hosting of an existing party: proposals and consents of participants. */
import { requiredConsents } from '../topology/external-parties.js';
import type { PartyHosting, TopologyTransaction } from '../topology/party-hosting.js';
import type { SynchronizerId } from '../model/ids.js';
import type { Participant } from '../participant.js';
import { missingConsents, requireMembers } from './allocation.js';
import { namespaceOf } from '../model/ids.js';
import { noAppropriateKey } from '../topology/store-signing.js';

/**
 * Proposes a new hosting of a party, or adds this participant's consent to one, for its own parties and for itself.
 * @param hosting without hosts to end the hosting
 * @throws LedgerError TOPOLOGY_NO_APPROPRIATE_SIGNING_KEY_IN_STORE, TOPOLOGY_UNKNOWN_MEMBERS,
 * TOPOLOGY_UNAUTHORIZED_TRANSACTION
 */
export function proposeHosting(
  participant: Participant,
  synchronizerId: SynchronizerId,
  { encoded: transaction, hash, serial }: Pick<TopologyTransaction, 'encoded' | 'hash' | 'serial'>,
  hosting: PartyHosting,
  mustBeComplete: boolean,
): void {
  const { ledger, parties, namespace } = participant;
  const before = ledger.topology.hosts(hosting.party, synchronizerId);
  const own = namespaceOf(hosting.party);
  const owners = ledger.externalParties.definitionOf(synchronizerId, own)?.owners ?? [];
  const speaking = [...requiredConsents(hosting, before), ...owners];
  if (!speaking.includes(namespace)) throw noAppropriateKey([own], [], []);
  requireMembers(participant, hosting, synchronizerId);
  ledger.journal.atomically(() => {
    const missing = ledger.externalParties.consent(
      (content) => ledger.commit(content),
      synchronizerId,
      hash,
      { hosting, transaction, serial, consents: new Set([namespace]) },
      before,
      ledger.clock.now(),
    );
    if (missing.length > 0 && mustBeComplete) throw missingConsents(missing, { hosting });
    const isHost = hosting.hosts.some(({ participantId }) => participantId === participant.id);
    if (isHost) parties.remember(hosting.party, {}, '');
  });
}
