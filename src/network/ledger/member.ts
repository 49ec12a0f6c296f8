/** A participant's interface to the ledger, which delivers updates to it and takes them back. */
import type { ExtensionServices } from '../extensions/services.js';
import type { ActiveContracts } from './active-contracts.js';
import type { ContractId, ParticipantId, Party, SynchronizerId } from '../model/ids.js';
import type { Update } from '../model/updates.js';
import type { UpdateEntry } from './log-entry.js';
import type { ParticipantLog } from './participant-log.js';

/** An update that a disconnected participant receives later. */
export interface MissedUpdate {
  readonly update: Update;
  readonly witnesses: readonly Party[];
  /** At the submitting participant: see {@link UpdateEntry}. */
  readonly deduplicationOffset: number | undefined;
  /** See {@link UpdateEntry.seen}. */
  readonly seen: readonly number[] | undefined;
}

export interface Member {
  readonly id: ParticipantId;
  readonly name: string;
  /** With the services that it calls again to confirm external calls. */
  readonly shared: { readonly extensions?: ExtensionServices | undefined };
  readonly log: ParticipantLog;
  readonly activeContracts: ActiveContracts;
  /** The synchronizers that it joined, connected or not. */
  readonly registered: readonly SynchronizerId[];
  isConnectedTo(synchronizerId: SynchronizerId): boolean;
  /** Whether only a cut connection separates the participant from the synchronizer. */
  isCutOffFrom(synchronizerId: SynchronizerId): boolean;
  /** Stores an update until the participant is connected again. */
  miss(missed: MissedUpdate): void;
  /** Whether it stores the contract because it hosts one of the stakeholders. */
  knowsContract(contractId: ContractId): boolean;
  hosts(party: Party): boolean;
  hostsAny(parties: readonly Party[]): boolean;
  /** Receives its part of an update during the commit. The ledger journals it. */
  receive(entry: UpdateEntry): void;
  /** Frees the memory of pruned entries permanently. */
  forgetPruned(): void;
  /** Undoes the last entry. */
  takeBack(entry: UpdateEntry): void;
}

/** A submission that may be rejected. */
export interface Judged {
  /** The contracts that it uses. */
  readonly inputs: readonly ContractId[];
  /** The parties that must confirm it, sorted. */
  readonly confirmers: readonly Party[];
}
