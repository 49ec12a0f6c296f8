/** A call for the pipeline, and the functions of its transport that the pipeline needs to answer it. */
import type { AnsweredCall } from '../../network/extensions/recorded-calls.js';
import type { GivenAnswer, LossForm } from '../../network/faults/fault-rule.js';
import type { ApiName } from '../../spec/generated/control.js';
import type { DecodedInput } from '../../spec/decode.js';
import type { Operation } from '../../spec/operations.js';
import type { Disabled } from '../../spec/deprecated/deprecated-apis.js';
import type { UpcomingChange } from '../../spec/releases/upcoming-changes.js';
import type { Splice } from '../../splice/splice.js';
import type { Admission, Row } from '../authorization/gate.js';
import type { Access } from '../authorization/splice-access.js';
import type { CallerRefusal } from '../authorization/splice-callers.js';
import type { ServedWorld } from '../caller-context.js';
import type { Delivery } from '../faults/under-faults.js';
import type { ErrorOrigin } from '../ledger-api/formats/grpc-status.js';
import type { JournalDetail, JournalEntry, RequestJournal } from '../request-journal.js';
import type { Note } from './notes.js';
import type { CallWatch } from './watched-calls.js';

export type { Delivery, GivenAnswer, JournalDetail, LossForm, Note };

/** The objects that the pipeline reads from. */
export interface CallWorld extends ServedWorld {
  readonly requests: RequestJournal;
  /** Whether the journal stores requests and answers in full; `brief` by default. */
  readonly journal?: JournalDetail;
  /** Watches calls for a rehearsal; absent otherwise. */
  readonly watch?: CallWatch | undefined;
  /** Resolves when databases have the rows of all updates; undefined if they have them. Absent without databases. */
  readonly settled?: (() => Promise<unknown> | undefined) | undefined;
  /** Whether controls need no token although authorization is configured. */
  readonly openControls?: boolean;
  /** Absent if only the APIs of a participant are served. */
  readonly splice?: Splice;
}

/** A body as its client sent it: bytes, or the text of a client in this process. */
export type SentBody = Buffer | string;

/** A call as its transport received it. */
export interface IncomingCall {
  /** The method of HTTP in upper case, or `GRPC`. */
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly target: string;
  /** By its name in lower case. */
  readonly header: (name: string) => string | undefined;
  /** The faults that applied to it, once they are known, for the journal. */
  faults?: JournalEntry['faults'];
  /** Its external calls, for the journal. */
  externalCalls?: readonly AnsweredCall[];
  /** The members of its request that the next release disables or removes, for the journal. */
  deprecated?: UpcomingChange;
  /** Whether a stream answers it. */
  isStream?: boolean;
  /** The message of its answer over gRPC. */
  message?: () => object;
  /** Its body after it was read, for the journal. */
  sent?: SentBody;
}

/** The operation of a call. */
export interface Called {
  readonly api: ApiName;
  /** The operation's id in the journal; undefined if JSON has no such operation. */
  readonly operationId?: string | undefined;
  /** The name in fault rules, for an operation without an id. */
  readonly shortName?: string;
  /** The group of disabled parts that it belongs to, if it does. */
  readonly disabled?: Disabled | undefined;
}

/** An answer that is ready to be sent. */
export interface Answer {
  /** The HTTP or gRPC status, for the journal. */
  readonly status: number;
}

/** The context of a handler. The pipeline only needs these members. */
export interface CallContext {
  /** Empty for an anonymous caller. */
  readonly userId: string;
  /** The origin that errors of this call carry. */
  readonly origin: ErrorOrigin;
  /** Notifies the handler that the client no longer waits for the answer. */
  end?(): void;
}

/** A call after reading: its operation and input. */
export interface ReadCall<Context, A> {
  /** After the call was read, this may be more exact. */
  readonly called: Called;
  readonly input: DecodedInput;
  /** The rights that its caller needs. */
  readonly requires: Operation | Row;
  /** Bytes of the request. */
  readonly size: number;
  /** Runs before the rights of the caller are checked. @throws LedgerError */
  enter?(context: Context): void;
  /** Runs once the caller is known to have the rights. @throws LedgerError */
  begin?(context: Context): void;
  handle(context: Context): unknown;
  /** The answer for the handler's result. */
  answer(result: unknown): A;
}

/** A call that is answered before it reaches its operation, with its note in the journal. */
export interface Unread<A> {
  readonly refusal: A;
  readonly note: Note;
}

/** The steps of reading a call; the caller is admitted between them. */
export interface Reading<Context, A> {
  /** The access that an app of Splice requires; absent for other operations and for open ones. */
  readonly access?: Access | undefined;
  /** The query of the target, without its question mark. */
  readonly query?: string;
  /** Checks the headers. A participant reads them before it admits the caller, and an app of Splice after that. */
  head?(): Unread<A> | undefined;
  body(): ReadCall<Context, A> | Unread<A> | Promise<ReadCall<Context, A> | Unread<A>>;
}

/** The functions with which one transport writes answers. `C` is its call, `A` its answer. */
export interface Transport<C extends IncomingCall, Context extends CallContext, A extends Answer> {
  /** The header that names the host. */
  readonly hostHeader: 'host' | ':authority';
  /** Whether an answer is a message of gRPC. */
  readonly isMessage: boolean;
  /** The time limit of a call, in milliseconds; absent if there is none. */
  timeoutOf?(call: C, api: ApiName): number;
  context(call: C, admission: Admission, called: Called): Context;
  /** The bearer token. @throws LedgerError, MalformedAuthorization for an invalid header */
  tokenOf(call: C): string | undefined;
  /** Whether the operation needs no token. */
  isOpen?(called: Called): boolean;
  /** The answer to an invalid authorization header. */
  malformedToken?(called: Called, reason: string): A;
  /** The answer to a caller without access to an app of Splice. */
  callerRefused?(refusal: CallerRefusal): A;
  /** The answer for any thrown error. @param isTokenRefused whether it was thrown while the token was checked */
  failed(call: C, called: Called, error: unknown, context: Context, isTokenRefused?: boolean): A;
  /** The answer if the operation takes longer than the transport allows. */
  late?(call: C, called: Called): A;
  /** The answer for a connection that breaks, or for a proxy that reports this. */
  lost(call: C, as: LossForm): A;
  /** The answer of a proxy that rejects a call. @param retryAfter seconds */
  turnedAway(call: C, called: Called, status: 429 | 503, retryAfter: number): A;
  /** The answer that a fault sends instead of the real one. */
  given(call: C, read: ReadCall<Context, A>, answer: GivenAnswer): A;
  /** An answer that arrives late, slowly or in part. */
  delivered(call: C, answer: A, delivery: Delivery): A;
  /** An answer with other values, by their paths in its JSON. */
  altered(answer: A, values: Readonly<Record<string, unknown>>): A;
}

/** A call whose answer cannot be delivered. The transport handles the cause. */
export class Unanswerable extends Error {
  override readonly name = 'Unanswerable';
}
