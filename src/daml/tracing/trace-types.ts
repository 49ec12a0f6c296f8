/**
 * A trace as its readers have it: everything that a submission did, node by node, with who authorized it and who sees it, and
 * why. Plain JSON with a version. Ids and parties are whole texts; Daml values are as the JSON Ledger API writes them.
 */
import type { ActionOutcome, CodeCall, Place } from '../errors/explanation.js';

/** Of the form of a trace: it grows when something that was there means something else. */
export const TRACE_VERSION = 1;

/** What a node is. `lookup` asks for contracts by their key; `rollback` is a scope that an exception handler took back. */
export type TraceNodeKind =
  | 'create'
  | 'exercise'
  | 'fetch'
  | 'lookup'
  | 'rollback'
  | 'unassign'
  | 'assign';

/**
 * Why a party sees a node. The first six make it an informee; `divulged`: an enclosing exercise shows it; `disclosed`: whoever
 * submitted had the contract of a disclosure alone.
 */
export type WitnessReason =
  | 'signatory'
  | 'observer'
  | 'controller'
  | 'choiceObserver'
  /** Of a fetch: who fetches. */
  | 'actor'
  /** Of a look-up: who answers for the key. */
  | 'maintainer'
  | 'divulged'
  | 'disclosed';

/** A party that sees a node. */
export interface TraceWitness {
  /** Its id. */
  readonly party: string;
  /** In the order of {@link WitnessReason}. */
  readonly reasons: readonly WitnessReason[];
  /** Of what is divulged: the innermost enclosing node that is its own, by `id`. */
  readonly through?: number;
}

/** Whose authority a node had, and whose it needed. */
export interface TraceAuthority {
  /** Who authorized what stood around it, sorted. */
  readonly had: readonly string[];
  /** Who has to, where it came so far that this is known. */
  readonly needed?: readonly string[];
  /** Any one of those that are needed is enough: of a fetch. */
  readonly anyOf?: true;
  /** Of the needed those that it had not; empty where nothing was missing. */
  readonly missing: readonly string[];
}

/**
 * How a place was found that code does not say, as it stands in a choice. `name`: the one statement of the choice that can have done it,
 * by what it names. `choice`: where the choice begins.
 */
export type PlacedBy = 'name' | 'choice';

/** A function that ran, and where in it. */
export interface TraceCall extends CodeCall {
  /** As of a node. */
  readonly placed?: PlacedBy;
}

/** One node, with where it stands in the tree. */
export interface TraceNode {
  /** Its place in `nodes`, from 0: in pre-order. */
  readonly id: number;
  /** The `id` of the node that it is in; absent for a root. */
  readonly parent?: number;
  /** How many nodes are around it. */
  readonly depth: number;
  /** What it is. */
  readonly kind: TraceNodeKind;
  /** How far it came. */
  readonly outcome: ActionOutcome;
  /** The innermost node that the refusal came out of. */
  readonly culprit?: true;
  /** Its number in the transaction, as events of the Ledger API have it; absent for what is no part of one. */
  readonly nodeId?: number;
  /** Set where update streams have an event for it. */
  readonly event?: true;
  /** The contract's template by its package's name: `#name:Module:Entity`. */
  readonly template?: string;
  /** The same by its package's id. */
  readonly templateId?: string;
  /** Set where it goes through an interface. */
  readonly interface?: string;
  /** The same by its package's id. */
  readonly interfaceId?: string;
  /** Of an exercise. */
  readonly choice?: string;
  /** Of an exercise: whether it archives the contract. */
  readonly consuming?: boolean;
  /** What it is about. */
  readonly contractId?: string;
  /** By which the contract was found, or was looked for. */
  readonly key?: unknown;
  /** Of a look-up: the contracts that were found. */
  readonly found?: readonly string[];
  /** Payload of a creation, argument of a choice. */
  readonly argument?: unknown;
  /** What an exercise came to. */
  readonly result?: unknown;
  /** Of the contract that is exercised, fetched or reassigned. */
  readonly payload?: unknown;
  /** Where in the source it stands: of Daml by module, of TypeScript by file. Absent for commands. */
  readonly at?: Place;
  /** How `at` was found, where the code says no place: in choices of DARs. */
  readonly placed?: PlacedBy;
  /** Who called whom in the choice around it, innermost first; `at` is the first place among them. Absent where it stands in the choice itself. */
  readonly calls?: readonly TraceCall[];
  /** Absent of what runs no code. */
  readonly authority?: TraceAuthority;
  /** Of the contract. */
  readonly signatories?: readonly string[];
  /** Of the contract, without its signatories. */
  readonly observers?: readonly string[];
  /** Controllers of an exercise, who fetches, who reassigns. */
  readonly actors?: readonly string[];
  /** Of an exercise. */
  readonly choiceObservers?: readonly string[];
  /** Who sees it, sorted by party. Of what was rolled back and of what was refused: who would be told of it for confirming. */
  readonly witnesses: readonly TraceWitness[];
  /** Calls of Daml that it took with all that is below it, and work that counts as so many; absent where nothing was run again. */
  readonly steps?: number;
  /** Messages of `trace` out of its own body. */
  readonly messages?: readonly string[];
  /** Of a reassignment: between which synchronizers, by id. */
  readonly source?: string;
  /** Of a reassignment. */
  readonly target?: string;
  /** Of a reassignment. */
  readonly reassignmentId?: string;
  /** Of a reassignment: how often the contract has been moved with it. */
  readonly reassignmentCounter?: number;
}

/** Who submitted, as far as it is remembered. */
export interface TraceSubmission {
  /** The name of the participant. */
  readonly participant: string;
  /** The user, where one is known. */
  readonly userId?: string;
  /** The client's, or made up. */
  readonly commandId: string;
  /** The client's, or made up. */
  readonly submissionId?: string;
  /** Parties that it acts as. */
  readonly actAs: readonly string[];
  /** Parties that it may look with. */
  readonly readAs: readonly string[];
}

/** Where an update stands. */
export interface TraceUpdate {
  /** Its id. */
  readonly updateId: string;
  /** What it is. */
  readonly kind: 'transaction' | 'reassignment' | 'topology';
  /** Of the synchronizer that sequenced it. */
  readonly synchronizerId: string;
  /** The synchronizer's alias. */
  readonly synchronizer: string;
  /** ISO 8601 in UTC with microseconds. */
  readonly recordTime: string;
  /** The same: of a transaction the time that its code saw. */
  readonly effectiveAt?: string;
  /** The client's; empty where none. */
  readonly workflowId: string;
  /** By the participant's name: of those that see any of it. */
  readonly offsets: Readonly<Record<string, number>>;
}

/** What a submission did. */
export interface TransactionTrace {
  /** Of this form. */
  readonly version: typeof TRACE_VERSION;
  /** What became of it. */
  readonly outcome: 'committed' | 'refused' | 'prepared' | 'simulated';
  /** Whether its commands were run again for it. Else it has what is stored: no places, no steps, no messages. */
  readonly retraced: boolean;
  /** Where it stands, once it is committed. */
  readonly update?: TraceUpdate;
  /** Absent where the network itself acted. */
  readonly submission?: TraceSubmission;
  /** Why it was refused. */
  readonly error?: { readonly code: string; readonly cause: string };
  /** Of a refused one: where the code was, innermost first. */
  readonly stack?: readonly Place[];
  /** Of a refused one: why contracts could not be used, and what may be done. */
  readonly reasons?: readonly string[];
  /** All of it. */
  readonly steps?: number;
  /** In pre-order. */
  readonly nodes: readonly TraceNode[];
  /** Who is hosted where: the names of participants by each party that the trace names. */
  readonly hosts: Readonly<Record<string, readonly string[]>>;
}
