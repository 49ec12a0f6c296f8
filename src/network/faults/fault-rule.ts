/** What a fault is, as plain data: which calls it meets, and what goes wrong with them. A file, a control and a test say it alike. */
import type { ErrorCode } from '../../daml/errors/error-catalogue.js';

/** How a connection tells that there is no answer: it breaks, or a proxy answers in the server's stead. */
export type LossForm = 'reset' | 502 | 504;

/** What an operation of a test answers, in place of the network. */
export interface GivenAnswer {
  /** Of HTTP; 200 by default. */
  readonly status?: number;
  /** By name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A text or bytes go as they are, anything else as JSON. */
  readonly body?: unknown;
}

/** A call as rules and handlers see it. */
export interface FaultCall {
  /** As the API's document names it. */
  readonly operation: string;
  /** The name of the participant that was asked. */
  readonly participant: string;
  /** Of the header `Host`, where there is one. */
  readonly host?: string | undefined;
  /** Path, query and body, decoded. */
  readonly input: unknown;
}

/** Undefined lets the call go on. */
export type FaultHandler = (
  call: FaultCall,
) => GivenAnswer | undefined | void | Promise<GivenAnswer | undefined | void>;

/**
 * What is late. A completion is so on completion streams and lists alone, with all that come after it, until the participant restarts:
 * whoever waits has its answer.
 */
export type PartOfCall = 'request' | 'answer' | 'completion';

/** Names the participant that something happens to; the one that was asked by default. */
interface AtParticipant {
  /** Its name. */
  readonly at?: string;
}

/** One of these; times are in milliseconds of this machine. */
export type FaultAction =
  /** Lost before it was processed, or after: what was committed stays. */
  | { readonly lose: 'request' | 'answer'; readonly as?: LossForm }
  /** So long, or drawn from such a range. */
  | { readonly delay: number | readonly [number, number]; readonly of?: PartOfCall }
  /** Until it is released. */
  | { readonly hold: PartOfCall }
  /** Waits until so many are there, which then have their turn one by one, in an order that the seed draws. */
  | { readonly shuffle: number }
  /** Such a part of the body is sent, and then the connection breaks. */
  | { readonly truncate: number }
  /** The body comes in so many pieces, with a pause of `pause` before each. */
  | { readonly slow: number; readonly pause: number }
  /** Refused before it was processed: by a participant, with an error code, or by what stands before it. */
  | { readonly refuse: ErrorCode | 429 | 503; readonly retryAfter?: number }
  /** Refused once it was sequenced: whoever waits is told so, and there is a completion. */
  | { readonly reject: ErrorCode }
  /** Sent so many times more by a proxy, which gives the last answer. */
  | { readonly repeat: number }
  /** Of a stream: so many elements come, or all up to the first half of a reassignment, and then it ends. */
  | { readonly cut: number | 'reassignment'; readonly as?: 'reset' | 'close' | ErrorCode }
  /** Of a stream: so many elements come, and the others once it is released. */
  | { readonly stall: number }
  /** Scan, or its registry, answers as it would have so many of its updates ago. */
  | { readonly behind: number }
  /** The answer differs from what it should be: values by where they stand in its JSON, such as `contract.payload.amount`. */
  | { readonly alter: Readonly<Record<string, unknown>> }
  /** Participants forget their updates up to there; all but the last where 0. */
  | ({ readonly prune: number } & AtParticipant)
  /** Time moves on: an ISO-8601 duration. */
  | { readonly advance: string }
  /** A synchronizer stops to sequence, or goes on. */
  | { readonly pause: string }
  | { readonly resume: string }
  /** A participant loses its connection to a synchronizer, or has it again and learns what it has missed. */
  | ({ readonly disconnect: string } & AtParticipant)
  | ({ readonly reconnect: string } & AtParticipant)
  /** A user loses rights, or is given one: of a party, by its id or hint, or all that it has. */
  | ({ readonly revoke: string; readonly party?: string } & AtParticipant)
  | ({
      readonly grant: string;
      readonly party: string;
      readonly right?: 'actAs' | 'readAs' | 'executeAs';
    } & AtParticipant)
  /** A participant vouches for no version of a package any more, or does again: its name, or an id. */
  | ({ readonly unvet: string } & AtParticipant)
  | ({ readonly vet: string } & AtParticipant)
  /** Somebody else archives the contracts that the call is about to use. */
  | { readonly rival: true }
  /** The participant restarts: open streams and what waits for an answer are cut off, and offsets stay. */
  | ({ readonly restart: true } & AtParticipant)
  | { readonly answer: GivenAnswer | FaultHandler };

/** Which calls a rule meets: those for which all that is named holds. */
export interface FaultCondition {
  /** Its name. */
  readonly participant?: string;
  /** That was asked, as the header `Host` says it, with or without its port: one of several Scans. */
  readonly host?: string;
  /** Of the command that is submitted. */
  readonly commandId?: string;
  /** An id, or the hint that it begins with, of any party that the request names. */
  readonly party?: string;
  /** `Module:Entity`, or more of its id. */
  readonly template?: string;
  /** The name of a choice that the command exercises. */
  readonly choice?: string;
  /** Which of the calls that are met otherwise, counted from 1. */
  readonly nth?: number | readonly number[];
  /** At most so often. */
  readonly times?: number;
  /** From 0 to 1, drawn from the seed of the network. */
  readonly probability?: number;
}

/** What goes wrong, and where. */
export interface FaultRule<On extends string = string> {
  /** Ids of operations of any API, or '*'. */
  readonly on: On | '*' | readonly (On | '*')[];
  /** Each call of these operations by default. */
  readonly when?: FaultCondition;
  /** What happens then. */
  readonly do: FaultAction;
  /** It may never happen: nobody is told so at the end. */
  readonly optional?: boolean;
}
