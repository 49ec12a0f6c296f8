/**
 * What a simulation tells: plain JSON with a version. Ids and parties are whole texts, Daml values are as the JSON Ledger API writes
 * them, times ISO 8601 in UTC with microseconds.
 */
import type { TransactionTrace } from '../../daml/tracing/trace-types.js';

/** Of the form of a simulation: it grows when something that was there means something else. */
export const SIMULATION_VERSION = 1;

/**
 * `accepted`: it would be part of the ledger. `refused`: it would not. `waiting`: it would be taken, and wait for a synchronizer that
 * is paused.
 */
export type SimulatedOutcome = 'accepted' | 'refused' | 'waiting';

/** A contract that a step would make, or take away. */
export interface SimulatedContract {
  /** Of a new one: the id that it would have if the same were submitted next. */
  readonly contractId: string;
  /** By its package's name: `#name:Module:Entity`. */
  readonly template: string;
  /** The same by its package's id. */
  readonly templateId: string;
  /** Create arguments. */
  readonly payload: unknown;
  /** Sorted. */
  readonly signatories: readonly string[];
  /** Sorted, without the signatories. */
  readonly observers: readonly string[];
}

/** What a root node comes to: one for each command, and two for one that creates and exercises. */
export interface SimulatedResult {
  /** What it is about. */
  readonly contractId: string;
  /** Of an exercise. */
  readonly choice?: string;
  /** What the choice would come to. */
  readonly result?: unknown;
}

/** A party that would see some of it, and what. */
export interface SimulatedWitness {
  /** Its id. */
  readonly party: string;
  /** Names of those that host it. */
  readonly participants: readonly string[];
  /** Contract ids of the creations that it would see, those that are archived in the same step too. */
  readonly created: readonly string[];
  /** Of the exercises that it would see, consuming or not. */
  readonly exercised: readonly {
    readonly contractId: string;
    readonly choice: string;
    readonly consuming: boolean;
  }[];
}

/** Whose authority a node of the trace lacked. */
export interface MissingAuthority {
  /** Sorted. */
  readonly parties: readonly string[];
  /** The `id` of the node in the trace. */
  readonly node: number;
}

/** What it would cost. NOTE: of the right order, as the traffic of every update here. */
export interface SimulatedCost {
  /** Of the confirmation request. */
  readonly bytes: number;
  /** What the participant has left before, where the synchronizer meters traffic. */
  readonly available?: number;
}

/** Why it would not be taken: a Canton error. */
export interface SimulatedRefusal {
  /** Such as `CONTRACT_NOT_FOUND`. */
  readonly code: string;
  /** The sentence behind the code. */
  readonly cause: string;
  /** Canton's category, a number from 1. */
  readonly category: number;
  /** The status of gRPC that goes with it. */
  readonly grpcCode: number;
  /** What the error says by name. */
  readonly context: Readonly<Record<string, string>>;
  /** Pairs of type and value. */
  readonly resources: readonly (readonly [type: string, value: string])[];
  /** Where contracts are that it is about, and what may be done. */
  readonly reasons: readonly string[];
}

/** One submission. */
export interface SimulatedStep {
  /** What would become of it. */
  readonly outcome: SimulatedOutcome;
  /** The name of the one that it would be submitted to. */
  readonly participant: string;
  /** Parties that it acts as. */
  readonly actAs: readonly string[];
  /** Parties that it may look with. */
  readonly readAs: readonly string[];
  /** When: what its code sees as the time; the network's time where it is refused. */
  readonly time: string;
  /** The synchronizer that would sequence it, by id; absent where it is refused before one is chosen. */
  readonly synchronizerId?: string;
  /** Active after it, and not before. */
  readonly created: readonly SimulatedContract[];
  /** Active before it, and not after. */
  readonly archived: readonly SimulatedContract[];
  /** In the order of the commands. */
  readonly returned: readonly SimulatedResult[];
  /** Contracts that would be moved to its synchronizer first. */
  readonly moved: readonly {
    readonly contractId: string;
    readonly source: string;
    readonly target: string;
  }[];
  /** Sorted by party. */
  readonly witnesses: readonly SimulatedWitness[];
  /** Of a refused one; empty where nothing was missing. */
  readonly missing: readonly MissingAuthority[];
  /** Of an accepted one. */
  readonly cost?: SimulatedCost;
  /** Of a refused one. */
  readonly error?: SimulatedRefusal;
  /** All that it did, node by node; absent where it was not asked for, or nothing was run. */
  readonly trace?: TransactionTrace;
}

/** What would happen if some submissions were made, one after another. Nothing of it is kept. */
export interface Simulation {
  /** Of this form. */
  readonly version: typeof SIMULATION_VERSION;
  /** Of the last step that was tried: those behind a refused one are not. */
  readonly outcome: SimulatedOutcome;
  /** Of the network, when the first step begins. */
  readonly time: string;
  /** In their order, as far as the first that is refused. */
  readonly steps: readonly SimulatedStep[];
}
