/**
 * A fault rule as plain data: which calls it matches, and how they fail. Files, controls and tests use the same form.
 */
import type { ErrorCode } from '../../daml/errors/error-catalogue.js';

/** How the client loses its answer: the connection breaks, or a proxy answers with an error. */
export type LossForm = 'reset' | 502 | 504;

/** An answer that a test gives instead of the network. */
export interface GivenAnswer {
  /** The HTTP status; 200 by default. */
  readonly status?: number;
  /** Headers by name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Texts and bytes are sent unchanged; other values are sent as JSON. */
  readonly body?: unknown;
}

/** A call, as rules and handlers see it. */
export interface FaultCall {
  /** The operation's id in the API's document. */
  readonly operation: string;
  /** The name of the participant that received the call. */
  readonly participant: string;
  /** The header `Host`, if the call has one. */
  readonly host?: string | undefined;
  /** Path, query and body, decoded. */
  readonly input: unknown;
}

/** Return undefined to let the call continue. */
export type FaultHandler = (
  call: FaultCall,
) => GivenAnswer | undefined | void | Promise<GivenAnswer | undefined | void>;

/**
 * The delayed part of a call. Delayed completions are missing on completion streams and lists only, together with all
 * later ones, until the participant restarts. A client that waits for the transaction gets its answer.
 */
export type PartOfCall = 'request' | 'answer' | 'completion';

/** Names the participant that the fault affects. By default, it is the one that received the call. */
interface AtParticipant {
  /** The participant's name. */
  readonly at?: string;
}

/** Exactly one of these. Times are in milliseconds of the machine's clock. */
export type FaultAction =
  /** Loses the call before it is processed, or its answer afterwards. Committed changes stay. */
  | { readonly lose: 'request' | 'answer'; readonly as?: LossForm }
  /** Delays the call by this time, or by a random time in this range. */
  | { readonly delay: number | readonly [number, number]; readonly of?: PartOfCall }
  /** Holds the call until you release it. */
  | { readonly hold: PartOfCall }
  /** Waits for this number of calls, and then processes them one by one in an order that the seed determines. */
  | { readonly shuffle: number }
  /** Sends this share of the body, and then breaks the connection. */
  | { readonly truncate: number }
  /** Sends the body in this number of pieces, with a pause of `pause` before each. */
  | { readonly slow: number; readonly pause: number }
  /**
   * Rejects the call before it is processed: with an error code of the participant, or with an HTTP status of a proxy.
   */
  | { readonly refuse: ErrorCode | 429 | 503; readonly retryAfter?: number }
  /** Rejects the submission after it is sequenced: the client gets the error, and there is a completion. */
  | { readonly reject: ErrorCode }
  /** A proxy sends the call this number of additional times, and returns the last answer. */
  | { readonly repeat: number }
  /** Ends a stream after this number of elements, or after the first half of a reassignment. */
  | { readonly cut: number | 'reassignment'; readonly as?: 'reset' | 'close' | ErrorCode }
  /** Pauses a stream after this number of elements. The others follow when you release it. */
  | { readonly stall: number }
  /** Scan or its registry answers with the state of this number of updates ago. */
  | { readonly behind: number }
  /** Changes values of the answer, by their path in its JSON, such as `contract.payload.amount`. */
  | { readonly alter: Readonly<Record<string, unknown>> }
  /** Prunes participants up to this offset; 0 prunes all updates except the last. */
  | ({ readonly prune: number } & AtParticipant)
  /** Advances the time by an ISO-8601 duration. */
  | { readonly advance: string }
  /** A synchronizer stops sequencing, or resumes. */
  | { readonly pause: string }
  | { readonly resume: string }
  /** A participant disconnects from a synchronizer, or reconnects and receives the updates that it missed. */
  | ({ readonly disconnect: string } & AtParticipant)
  | ({ readonly reconnect: string } & AtParticipant)
  /** A user loses rights or gets a right: for one party, by its id or hint, or for all parties. */
  | ({ readonly revoke: string; readonly party?: string } & AtParticipant)
  | ({
      readonly grant: string;
      readonly party: string;
      readonly right?: 'actAs' | 'readAs' | 'executeAs';
    } & AtParticipant)
  /** A participant unvets all versions of a package, or vets them again. The package is a name or an id. */
  | ({ readonly unvet: string } & AtParticipant)
  | ({ readonly vet: string } & AtParticipant)
  /** Another submission archives the contracts that the call is about to use. */
  | { readonly rival: true }
  /** Restarts the participant: open streams and pending answers are cut off, and offsets stay. */
  | ({ readonly restart: true } & AtParticipant)
  | { readonly answer: GivenAnswer | FaultHandler };

/** Conditions of a rule. A call matches if all of the given conditions hold. */
export interface FaultCondition {
  /** The participant's name. */
  readonly participant?: string;
  /** The host of the call, as in the header `Host`, with or without its port: selects one of several Scans. */
  readonly host?: string;
  /** The id of the submitted command. */
  readonly commandId?: string;
  /** The id of any party in the request, or the hint at its start. */
  readonly party?: string;
  /** `Module:Entity`, or a longer form of the id. */
  readonly template?: string;
  /** The name of a choice that the command exercises. */
  readonly choice?: string;
  /** Which of the calls that match the other conditions, counted from 1. */
  readonly nth?: number | readonly number[];
  /** The largest number of times that the fault happens. */
  readonly times?: number;
  /** From 0 to 1. The draw depends on the network's seed. */
  readonly probability?: number;
}

/** A fault and the calls that it affects. */
export interface FaultRule<On extends string = string> {
  /** Ids of operations of any API, or '*'. */
  readonly on: On | '*' | readonly (On | '*')[];
  /** By default, every call of these operations. */
  readonly when?: FaultCondition;
  /** The fault. */
  readonly do: FaultAction;
  /** Whether the rule may stay unused. Otherwise, the end of the test reports it. */
  readonly optional?: boolean;
}
