/**
 * Updates that a synchronizer sequenced. The network has one object; each participant that hosts an informee has it at
 * a different offset.
 */
import type { LedgerError } from '../../daml/errors/ledger-error.js';
import type { ContractInstance, Transaction } from '../../daml/model/transaction.js';
import type { Party, Timestamp } from '../../daml/model/values.js';
import type { DeduplicationPeriod } from './deduplication-period.js';
import type { ParticipantId, ReassignmentId, SynchronizerId, UpdateId } from './ids.js';

/** The submitter's data, which the submitting participant stores. */
export interface SubmissionInfo {
  readonly participantId: ParticipantId;
  readonly userId: string;
  readonly commandId: string;
  /** The command id was generated: no client can repeat it before reading it. */
  readonly hasMadeUpCommandId: boolean;
  readonly submissionId: string;
  /** Sorted. */
  readonly actAs: readonly Party[];
  /** Additional readers, sorted. Only traces show them. */
  readonly readAs: readonly Party[];
}

/** W3C trace context of the request that caused an update. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** The trace that a request names, or the number of the draw that makes one up. */
export type GivenOrDrawnTrace = TraceContext | number;

/** An update at one participant. */
export interface LocalUpdate {
  readonly offset: number;
  /** The participant's number of a node; undefined for a node that it does not see. */
  nodeIdOf(node: number): number | undefined;
}

export interface Offsets {
  get(participantId: ParticipantId): number | undefined;
  at(participantId: ParticipantId): LocalUpdate | undefined;
}

export interface UpdateHeader {
  readonly updateId: UpdateId;
  /** Place in the network-wide sequence, from 0. */
  readonly sequence: number;
  /** The synchronizer that sequenced it. */
  readonly synchronizerId: SynchronizerId;
  readonly recordTime: Timestamp;
  readonly migrationId: number;
  /** Offset at each participant that sees any of it. */
  readonly offsets: Offsets;
  /** Absent where the network itself acted. */
  readonly submission?: SubmissionInfo;
  readonly workflowId: string;
  readonly traceContext?: TraceContext;
  /** The origin of the trace context. */
  readonly trace?: GivenOrDrawnTrace | undefined;
  /** Whether it was imported: its contracts come from a file, or from before a fork. */
  readonly isImported?: boolean;
}

export interface TransactionUpdate extends UpdateHeader {
  readonly kind: 'transaction';
  readonly effectiveAt: Timestamp;
  readonly transaction: Transaction;
  /** By node id: all parties that see the node, including informees of enclosing exercises; sorted. */
  readonly witnesses: readonly (readonly Party[])[];
  /** Hash that an external party signed, hexadecimal. */
  readonly externalTransactionHash?: string;
  /** How external parties signed it. */
  readonly externalAuthorization?: ExternalAuthorization;
}

/** The data that determines a signature's size; numbers of the enums in Canton's `crypto.proto`. */
export interface SignatureForm {
  /** Bytes of the signature itself. */
  readonly size: number;
  readonly format: number;
  readonly algorithm: number;
  /** The fingerprint of its key; if absent, an unknown key. */
  readonly signedBy?: string | undefined;
}

/** The data of external parties' signatures in a request. */
export interface ExternalAuthorization {
  readonly parties: readonly {
    readonly party: Party;
    readonly signatures: readonly SignatureForm[];
  }[];
  readonly hashingVersion: number;
  readonly hasMaxRecordTime: boolean;
}

interface ReassignmentEventBase {
  /** Position in the update, from 0. */
  readonly nodeId: number;
  readonly contract: ContractInstance;
  readonly source: SynchronizerId;
  readonly target: SynchronizerId;
  readonly reassignmentId: ReassignmentId;
  readonly submitter: Party;
  readonly reassignmentCounter: number;
}

export interface UnassignedEvent extends ReassignmentEventBase {
  readonly kind: 'unassigned';
  /** Until then only the submitter may assign (B-RSG-018). */
  readonly assignmentExclusivity: Timestamp;
  /** Participants that see both halves; others do not see the time above. */
  readonly reassigningParticipants: readonly ParticipantId[];
}

export interface AssignedEvent extends ReassignmentEventBase {
  readonly kind: 'assigned';
}

export type ReassignmentEvent = UnassignedEvent | AssignedEvent;

/** An unassignment (sequenced by the source) or an assignment (by the target), of one contract or several. */
export interface ReassignmentUpdate extends UpdateHeader {
  readonly kind: 'reassignment';
  readonly events: readonly ReassignmentEvent[];
}

export type PartyPermission = 'submission' | 'confirmation' | 'observation';

export interface TopologyEvent {
  readonly kind: 'added' | 'changed' | 'revoked';
  readonly party: Party;
  readonly participantId: ParticipantId;
  /** Absent when revoked. */
  readonly permission?: PartyPermission;
}

export interface TopologyUpdate extends UpdateHeader {
  readonly kind: 'topology';
  readonly events: readonly TopologyEvent[];
}

/** Updates that change contracts. */
export type LedgerUpdate = TransactionUpdate | ReassignmentUpdate;

export type Update = LedgerUpdate | TopologyUpdate;

/** The members that the caller of a commit provides. */
export type UpdateContent = Update extends infer U
  ? U extends Update
    ? Omit<
        U,
        | 'updateId'
        | 'sequence'
        | 'recordTime'
        | 'migrationId'
        | 'offsets'
        | 'traceContext'
        | 'trace'
      > & {
        readonly traceContext?: GivenOrDrawnTrace | undefined;
      }
    : never
  : never;

export type ContractState =
  | {
      readonly kind: 'active';
      readonly synchronizerId: SynchronizerId;
      readonly reassignmentCounter: number;
    }
  | {
      readonly kind: 'inFlight';
      readonly reassignmentId: ReassignmentId;
      readonly source: SynchronizerId;
      readonly target: SynchronizerId;
      readonly reassignmentCounter: number;
    }
  | { readonly kind: 'archived'; readonly updateId: UpdateId };

export interface Completion {
  readonly offset: number;
  readonly commandId: string;
  readonly userId: string;
  readonly submissionId: string;
  readonly actAs: readonly Party[];
  /** The refusal; absent for an accepted command. */
  readonly error?: LedgerError;
  /** Empty for a rejected one. */
  readonly updateId: UpdateId;
  /** The result of the deduplication; absent for a reassignment and for a submission that was never sequenced. */
  readonly deduplicationPeriod?: DeduplicationPeriod | undefined;
  readonly synchronizerId: SynchronizerId;
  readonly recordTime: Timestamp;
  readonly traceContext?: GivenOrDrawnTrace | undefined;
  /** The hash that an external party signed, in hexadecimal. */
  readonly externalTransactionHash?: string;
  /** Bytes, for a rejection that was sequenced. For an accepted command, the update has it. */
  readonly paidTrafficCost?: number | undefined;
}

/** A contract's activation on a synchronizer, as one participant sees it. */
export interface Activation {
  /** Order of activation at this participant. */
  readonly sequence: number;
  readonly offset: number;
  /** In the participant's numbering. */
  readonly nodeId: number;
  readonly contract: ContractInstance;
  readonly synchronizerId: SynchronizerId;
  readonly reassignmentCounter: number;
  readonly update: TransactionUpdate | ReassignmentUpdate;
}

/** One offset of a participant: an update, a completion, or both. */
export interface LogEntry {
  readonly offset: number;
  readonly recordTime: Timestamp;
  readonly synchronizerId: SynchronizerId;
  readonly update?: Update | undefined;
  readonly completion?: Completion | undefined;
  /** The parties that see the completion. */
  readonly submitters: readonly Party[];
  /** Activations that ended here. */
  readonly deactivated: readonly Activation[];
}
