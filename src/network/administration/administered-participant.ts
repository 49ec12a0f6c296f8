/** The part of a participant that its user and party stores need. */
import type { EngineRules } from '../../daml/refusals/engine-rules.js';
import type { Ledger } from '../ledger/ledger.js';
import type { ParticipantId, Party, SynchronizerId } from '../model/ids.js';
import type { IdentityProviderStore } from './identity-provider-store.js';
import type { PartyRecords } from './party-records.js';
import type { UserStore } from './users.js';

export interface AdministeredParticipant {
  readonly id: ParticipantId;
  readonly name: string;
  readonly namespace: string;
  readonly rules: EngineRules;
  /** In the order of connection. */
  readonly connected: readonly SynchronizerId[];
  readonly ledger: Ledger;
  readonly identityProviders: IdentityProviderStore;
  readonly parties: PartyRecords;
  readonly users: UserStore;
  isConnectedTo(synchronizerId: SynchronizerId): boolean;
  hosts(party: Party): boolean;
}
