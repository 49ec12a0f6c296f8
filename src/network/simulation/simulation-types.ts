/**
 * The result of a simulation: plain JSON with a version. Ids and parties are complete, Daml values are as in the JSON
 * Ledger API, and times are ISO 8601 in UTC with microseconds.
 */
import type { TransactionTrace } from '../../daml/tracing/trace-types.js';

/** The version of the format: it increases when an existing member changes its meaning. */
export const SIMULATION_VERSION = 1;

/**
 * `accepted`: it would be on the ledger. `refused`: it would be rejected. `waiting`: it would wait for a paused
 * synchronizer.
 */
export type SimulatedOutcome = 'accepted' | 'refused' | 'waiting';

/** A contract that a step would create or archive. */
export interface SimulatedContract {
  /** For a new contract: its id if you submitted the same step next. */
  readonly contractId: string;
  /** With the package's name: `#name:Module:Entity`. */
  readonly template: string;
  /** The same with the package's id. */
  readonly templateId: string;
  /** Create arguments. */
  readonly payload: unknown;
  /** Sorted. */
  readonly signatories: readonly string[];
  /** Sorted, without the signatories. */
  readonly observers: readonly string[];
}

/** The result of a root node: one for each command, and two for a command that creates and exercises. */
export interface SimulatedResult {
  /** The contract of the node. */
  readonly contractId: string;
  /** Only for an exercise. */
  readonly choice?: string;
  /** The result of the choice. */
  readonly result?: unknown;
}

/** A party that would see a part of the update, and that part. */
export interface SimulatedWitness {
  /** The party's id. */
  readonly party: string;
  /** Names of the participants that host it. */
  readonly participants: readonly string[];
  /** Ids of contracts whose creation it would see, including those that the same step archives. */
  readonly created: readonly string[];
  /** The exercises that it would see, consuming or not. */
  readonly exercised: readonly {
    readonly contractId: string;
    readonly choice: string;
    readonly consuming: boolean;
  }[];
}

/** The authority that a node of the trace lacks. */
export interface MissingAuthority {
  /** Sorted. */
  readonly parties: readonly string[];
  /** The `id` of the node in the trace. */
  readonly node: number;
}

/**
 * The cost.
 * NOTE: an estimate, like all traffic costs here.
 */
export interface SimulatedCost {
  /** The size of the confirmation request. */
  readonly bytes: number;
  /** The traffic that the participant has left before the step, if the synchronizer meters traffic. */
  readonly available?: number;
}

/** The reason for a rejection: a Canton error. */
export interface SimulatedRefusal {
  /** Such as `CONTRACT_NOT_FOUND`. */
  readonly code: string;
  /** The sentence after the code. */
  readonly cause: string;
  /** Canton's category, a number from 1. */
  readonly category: number;
  /** The gRPC status code of the error. */
  readonly grpcCode: number;
  /** The named details of the error. */
  readonly context: Readonly<Record<string, string>>;
  /** Pairs of type and value. */
  readonly resources: readonly (readonly [type: string, value: string])[];
  /** The locations of its contracts, and suggestions. */
  readonly reasons: readonly string[];
}

/** One submission. */
export interface SimulatedStep {
  /** The result of the step. */
  readonly outcome: SimulatedOutcome;
  /** The name of the submitting participant. */
  readonly participant: string;
  /** Parties that it acts as. */
  readonly actAs: readonly string[];
  /** Parties that it reads as. */
  readonly readAs: readonly string[];
  /** The ledger time of its code; the network's time if it is rejected. */
  readonly time: string;
  /** The id of its synchronizer; absent if it is rejected before routing. */
  readonly synchronizerId?: string;
  /** Contracts that are active after the step and not before it. */
  readonly created: readonly SimulatedContract[];
  /** Contracts that are active before the step and not after it. */
  readonly archived: readonly SimulatedContract[];
  /** In the order of the commands. */
  readonly returned: readonly SimulatedResult[];
  /** Contracts that would first be reassigned to its synchronizer. */
  readonly moved: readonly {
    readonly contractId: string;
    readonly source: string;
    readonly target: string;
  }[];
  /** Sorted by party. */
  readonly witnesses: readonly SimulatedWitness[];
  /** Only for a rejected step; empty if no authority was missing. */
  readonly missing: readonly MissingAuthority[];
  /** Only for an accepted step. */
  readonly cost?: SimulatedCost;
  /** Only for a rejected step. */
  readonly error?: SimulatedRefusal;
  /** The trace of all nodes; absent if you did not request it, or if no code ran. */
  readonly trace?: TransactionTrace;
}

/** The result of simulating several submissions in order. It is not stored. */
export interface Simulation {
  /** The version of this format. */
  readonly version: typeof SIMULATION_VERSION;
  /** The outcome of the last step that ran: the simulation stops after a rejected one. */
  readonly outcome: SimulatedOutcome;
  /** The network's time at the start of the first step. */
  readonly time: string;
  /** In order, up to the first rejected step. */
  readonly steps: readonly SimulatedStep[];
}
