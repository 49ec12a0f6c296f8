/**
 * The public format of a trace: everything that a submission did, node by node, with authorization, witnesses and reasons. It is plain JSON
 * with a version. Ids and parties are complete, and Daml values are as in the JSON Ledger API.
 */
import type { ActionOutcome, CodeCall, Place } from '../errors/explanation.js';

/** The version of the trace format. It increases with incompatible changes. */
export const TRACE_VERSION = 1;

/** The kind of a node. `lookup` queries contracts by key; `rollback` is a scope that an exception handler rolled back. */
export type TraceNodeKind =
  | 'create'
  | 'exercise'
  | 'fetch'
  | 'lookup'
  | 'rollback'
  | 'unassign'
  | 'assign';

/**
 * The reason why a party sees a node. The first six make it an informee. `divulged`: a parent exercise shows it. `disclosed`: the submitter
 * had the contract only by disclosure.
 */
export type WitnessReason =
  | 'signatory'
  | 'observer'
  | 'controller'
  | 'choiceObserver'
  /** For a fetch: a fetching party. */
  | 'actor'
  /** For a lookup: a maintainer of the key. */
  | 'maintainer'
  | 'divulged'
  | 'disclosed';

/** A party that sees a node. */
export interface TraceWitness {
  /** Its id. */
  readonly party: string;
  /** In the order of {@link WitnessReason}. */
  readonly reasons: readonly WitnessReason[];
  /** For `divulged`: the `id` of the innermost parent node of which it is an informee. */
  readonly through?: number;
}

/** The actual and required authorizers of a node. */
export interface TraceAuthority {
  /** The authorizers in the node's context, sorted. */
  readonly had: readonly string[];
  /** The required authorizers, if known. */
  readonly needed?: readonly string[];
  /** Whether one of the required parties is enough, as for a fetch. */
  readonly anyOf?: true;
  /** The required parties that are missing; empty if there are none. */
  readonly missing: readonly string[];
}

/**
 * How a position was found in a choice, which has none in its code. `name`: the only statement of the choice that can have this effect.
 * `choice`: the start of the choice.
 */
export type PlacedBy = 'name' | 'choice';

/** A called function, with the position in it. */
export interface TraceCall extends CodeCall {
  /** As for a node. */
  readonly placed?: PlacedBy;
}

/** A node, with its position in the tree. */
export interface TraceNode {
  /** Its index in `nodes`, from 0, in pre-order. */
  readonly id: number;
  /** The `id` of its parent; absent for a root. */
  readonly parent?: number;
  /** The number of nodes around it. */
  readonly depth: number;
  /** The kind of node. */
  readonly kind: TraceNodeKind;
  /** Its outcome. */
  readonly outcome: ActionOutcome;
  /** Set on the innermost node that caused the error. */
  readonly culprit?: true;
  /** Its number in the transaction, as in events of the Ledger API; absent if it is not part of one. */
  readonly nodeId?: number;
  /** Set if update streams have an event for it. */
  readonly event?: true;
  /** The contract's template by package name: `#name:Module:Entity`. */
  readonly template?: string;
  /** The template by package id. */
  readonly templateId?: string;
  /** The interface, if it uses one. */
  readonly interface?: string;
  /** The interface by package id. */
  readonly interfaceId?: string;
  /** The choice of an exercise. */
  readonly choice?: string;
  /** Of an exercise: whether it archives the contract. */
  readonly consuming?: boolean;
  /** The contract. */
  readonly contractId?: string;
  /** The key of the contract or the lookup. */
  readonly key?: unknown;
  /** For a lookup: the found contracts. */
  readonly found?: readonly string[];
  /** Payload of a create, or argument of a choice. */
  readonly argument?: unknown;
  /** The result of an exercise. */
  readonly result?: unknown;
  /** The payload of the exercised, fetched or reassigned contract. */
  readonly payload?: unknown;
  /** Its position in the source: by module for Daml, by file for TypeScript. Absent for commands. */
  readonly at?: Place;
  /** How `at` was found, if the code has no position: in choices of DARs. */
  readonly placed?: PlacedBy;
  /** The calls in the choice around it, innermost first; `at` is the first position among them. Absent directly in the choice. */
  readonly calls?: readonly TraceCall[];
  /** Absent for nodes that run no code. */
  readonly authority?: TraceAuthority;
  /** Of the contract. */
  readonly signatories?: readonly string[];
  /** Of the contract, without its signatories. */
  readonly observers?: readonly string[];
  /** Controllers of an exercise, fetching or reassigning parties. */
  readonly actors?: readonly string[];
  /** Of an exercise. */
  readonly choiceObservers?: readonly string[];
  /** The parties that see it, sorted. For rolled back and refused nodes: those that would see it for confirmation. */
  readonly witnesses: readonly TraceWitness[];
  /** Its steps, including those below it: Daml calls, and equivalent amounts of work. Absent if the commands were not run again. */
  readonly steps?: number;
  /** Messages of `trace` in its own body. */
  readonly messages?: readonly string[];
  /** For a reassignment: the source synchronizer's id. */
  readonly source?: string;
  /** For a reassignment: the target synchronizer's id. */
  readonly target?: string;
  /** For a reassignment: its id. */
  readonly reassignmentId?: string;
  /** For a reassignment: the number of reassignments of the contract, including this one. */
  readonly reassignmentCounter?: number;
}

/** The submitter, as far as it is recorded. */
export interface TraceSubmission {
  /** The name of the participant. */
  readonly participant: string;
  /** The user, if known. */
  readonly userId?: string;
  /** The client's, or generated. */
  readonly commandId: string;
  /** The client's, or generated. */
  readonly submissionId?: string;
  /** Parties it acts as. */
  readonly actAs: readonly string[];
  /** Parties it reads as. */
  readonly readAs: readonly string[];
}

/** The update of a trace. */
export interface TraceUpdate {
  /** Its id. */
  readonly updateId: string;
  /** The kind of update. */
  readonly kind: 'transaction' | 'reassignment' | 'topology';
  /** The id of the synchronizer that sequenced it. */
  readonly synchronizerId: string;
  /** The synchronizer's alias. */
  readonly synchronizer: string;
  /** ISO 8601 in UTC with microseconds. */
  readonly recordTime: string;
  /** In the same format: the ledger time of a transaction. */
  readonly effectiveAt?: string;
  /** The client's; empty if there is none. */
  readonly workflowId: string;
  /** Offsets by participant name, for the participants that see a part of it. */
  readonly offsets: Readonly<Record<string, number>>;
}

/** The trace of a submission. */
export interface TransactionTrace {
  /** The version of the format. */
  readonly version: typeof TRACE_VERSION;
  /** The outcome of the submission. */
  readonly outcome: 'committed' | 'refused' | 'prepared' | 'simulated';
  /** Whether its commands were run again. Otherwise, the trace has only stored data: no positions, steps or messages. */
  readonly retraced: boolean;
  /** The update of a committed submission. */
  readonly update?: TraceUpdate;
  /** Absent if the network itself acted. */
  readonly submission?: TraceSubmission;
  /** The error of a refused submission. */
  readonly error?: { readonly code: string; readonly cause: string };
  /** For a refused submission: the positions in the code, innermost first. */
  readonly stack?: readonly Place[];
  /** For a refused submission: why contracts could not be used, and possible fixes. */
  readonly reasons?: readonly string[];
  /** All steps. */
  readonly steps?: number;
  /** In pre-order. */
  readonly nodes: readonly TraceNode[];
  /** Hosting: the names of participants by each party in the trace. */
  readonly hosts: Readonly<Record<string, readonly string[]>>;
}
