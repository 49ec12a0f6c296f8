/** A participant as the ledger knows it: whom it tells of an update, and who takes it back. */
import type { ActiveContracts } from './active-contracts.js';
import type { ContractId, ParticipantId, Party, SynchronizerId } from '../ids.js';
import type { Update } from '../updates.js';
import type { UpdateEntry } from './log-entry.js';
import type { ParticipantLog } from './participant-log.js';

/** What a participant is to be told later of an update, as it was not connected. */
export interface MissedUpdate {
  readonly update: Update;
  readonly witnesses: readonly Party[];
  /** Where it submitted the command: see {@link UpdateEntry}. */
  readonly deduplicationOffset: number | undefined;
  /** See {@link UpdateEntry.seen}. */
  readonly seen: readonly number[] | undefined;
}

export interface Member {
  readonly id: ParticipantId;
  readonly name: string;
  readonly log: ParticipantLog;
  readonly activeContracts: ActiveContracts;
  isConnectedTo(synchronizerId: SynchronizerId): boolean;
  /** Whether it would be connected, had its connection not been cut. */
  isCutOffFrom(synchronizerId: SynchronizerId): boolean;
  /** Keeps what it is to be told once it is connected again. */
  miss(missed: MissedUpdate): void;
  /** Whether it stores the contract: it hosts one of the stakeholders. */
  knowsContract(contractId: ContractId): boolean;
  hosts(party: Party): boolean;
  hostsAny(parties: readonly Party[]): boolean;
  /** Takes its part of an update that is being committed. The ledger journals it. */
  receive(entry: UpdateEntry): void;
  /** Gives back the memory of what is pruned, for good. */
  forgetPruned(): void;
  /** Takes back the last entry. */
  takeBack(entry: UpdateEntry): void;
}

/** A submission that is to be refused. */
export interface Judged {
  /** Contracts that it uses. */
  readonly inputs: readonly ContractId[];
  /** Who has to confirm it, sorted. */
  readonly confirmers: readonly Party[];
}
