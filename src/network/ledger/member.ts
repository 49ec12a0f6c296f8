/** A participant as the ledger knows it: whom it tells of an update, and who takes it back. */
import type { ContractId, ParticipantId, Party, SynchronizerId } from '../ids.js';
import type { UpdateEntry } from './log-entry.js';
import type { ParticipantLog } from './participant-log.js';

export interface Member {
  readonly id: ParticipantId;
  readonly name: string;
  readonly log: ParticipantLog;
  isConnectedTo(synchronizerId: SynchronizerId): boolean;
  /** Whether it stores the contract: it hosts one of the stakeholders. */
  knowsContract(contractId: ContractId): boolean;
  hosts(party: Party): boolean;
  hostsAny(parties: readonly Party[]): boolean;
  /** Takes its part of an update that is being committed. The ledger journals it. */
  receive(entry: UpdateEntry, witnesses: readonly Party[]): void;
  /** Gives back the memory of what is pruned, for good. */
  forgetPruned(): void;
  /** Takes back the last entry. */
  takeBack(entry: UpdateEntry, witnesses: readonly Party[]): void;
}
