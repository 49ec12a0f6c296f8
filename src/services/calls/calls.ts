/**
 * The pipeline of all calls, over any transport: admit the caller, read the request, apply faults, check rights,
 * run the handler, settle timeouts and restarts, and write the journal. A transport reads bytes and writes answers
 * (call.ts).
 */
import { ProtobufError } from '../../daml/codec/protobuf/reading.js';
import { isPromise } from '../../daml/errors/realms.js';
import { LedgerError } from '../../daml/errors/ledger-error.js';
import { ParticipantRestarted } from '../../network/faults/faults.js';
import { RecordedCalls } from '../../network/extensions/recorded-calls.js';
import type { LogEntry } from '../../network/model/updates.js';
import { releaseOf } from '../../spec/versions.js';
import { AppRefusal } from '../../splice/app-refusal.js';
import { MalformedAuthorization } from '../authorization/bearer.js';
import type { Authenticator } from '../authorization/authenticator.js';
import { admit, ANYONE, type Admission } from '../authorization/gate.js';
import type { Access } from '../authorization/splice-access.js';
import { spliceCaller } from '../authorization/splice-callers.js';
import { NotServed, PlainRefusal } from '../participant-admin/not-served.js';
import type { Explained } from '../request-journal.js';
import { isOfParticipant } from '../faults/under-faults.js';
import { CallJournal } from './call-journal.js';
import {
  Unanswerable,
  type Answer,
  type CallContext,
  type Called,
  type CallWorld,
  type IncomingCall,
  type ReadCall,
  type Reading,
  type Transport,
  type Unread,
} from './call.js';
import { answerUnderFaults } from './call-faults.js';
import { HandlerRun } from './handler-run.js';
import { RequestTimedOut, within } from './in-time.js';
import { withServices } from './waiting-calls.js';
import { bugNote, completionOf, explainedBy, refusalNote, type Note } from './notes.js';

/** A value, or a promise only if something must wait, because each promise costs a turn of the event loop. */
export type Soon<T> = T | Promise<T>;

/** The admitted caller, or the answer to one without access. */
export type Entry<A> = { readonly admission: Admission } | Unread<A>;

const OPEN = { admission: ANYONE } as const;

/** An answer is sent when the databases of the instance have the rows of its updates. */
function whenSettled<A>(answer: Soon<A>, settled: NonNullable<CallWorld['settled']>): Soon<A> {
  if (isPromise(answer)) return answer.then((made) => whenSettled(made, settled));
  const waiting = settled();
  return waiting === undefined ? answer : waiting.then(() => answer);
}

export class Calls<C extends IncomingCall, Context extends CallContext, A extends Answer> {
  readonly journal: CallJournal<C>;

  constructor(
    readonly world: CallWorld,
    readonly transport: Transport<C, Context, A>,
  ) {
    this.journal = new CallJournal(world);
  }

  /** Answers a call. An error is an answer as well. @throws Unanswerable */
  perform(call: C, called: Called, reading: Reading<Context, A>): Soon<A> {
    try {
      const answer = this.enter(call, called, reading);
      const made = isPromise(answer) ? this.caught(call, called, answer) : answer;
      const { settled } = this.world;
      return settled === undefined ? made : whenSettled(made, settled);
    } catch (error) {
      return this.failed(call, called, error);
    }
  }

  // NOTE: closures are in functions that only waiting calls need. A function with closures makes each call slower.
  private caught(call: C, called: Called, answer: Promise<A>): Promise<A> {
    return answer.catch((error: unknown) => this.failed(call, called, error));
  }

  private enter(call: C, called: Called, reading: Reading<Context, A>): Soon<A> {
    const { access, query = '' } = reading;
    // The server of a participant reads all of a request except its body before it checks the token (B-GEN-026).
    const early = access === undefined ? reading.head?.() : undefined;
    if (early !== undefined) return this.refuse(call, called, early);
    const entry = this.admit(call, called, access, query);
    return isPromise(entry)
      ? this.onceAdmitted(call, called, reading, entry)
      : this.admitted(call, called, reading, entry);
  }

  private onceAdmitted(
    call: C,
    called: Called,
    reading: Reading<Context, A>,
    entry: Promise<Entry<A>>,
  ): Promise<A> {
    return entry.then((admitted) => this.admitted(call, called, reading, admitted));
  }

  private admitted(
    call: C,
    called: Called,
    reading: Reading<Context, A>,
    entry: Entry<A>,
  ): Soon<A> {
    if ('refusal' in entry) return this.refuse(call, called, entry);
    const late = reading.access && reading.head?.();
    if (late !== undefined) return this.refuse(call, called, late);
    const read = reading.body();
    return isPromise(read)
      ? this.onceRead(call, called, read, entry.admission)
      : this.afterRead(call, called, read, entry.admission);
  }

  private onceRead(
    call: C,
    called: Called,
    read: Promise<ReadCall<Context, A> | Unread<A>>,
    admission: Admission,
  ): Promise<A> {
    return read.then((each) => this.afterRead(call, called, each, admission));
  }

  private afterRead(
    call: C,
    called: Called,
    read: ReadCall<Context, A> | Unread<A>,
    admission: Admission,
  ): Soon<A> {
    if ('refusal' in read) return this.refuse(call, called, read);
    const { faults } = this.world.network;
    return faults.isArmed && read.called.api !== 'control'
      ? this.underFaults(call, read, admission)
      : this.handle(call, read, admission);
  }

  /** Identifies the caller. @param access the access that an app of Splice requires; the query may hold the token */
  admit(call: C, called: Called, access?: Access, query = ''): Soon<Entry<A>> {
    const { world, transport } = this;
    if (access !== undefined) return this.admitToApp(call, called, access, query);
    if (this.isOpen(called)) return OPEN;
    try {
      const token = transport.tokenOf(call);
      return world.auth === undefined ? OPEN : this.verify(call, called, world.auth, token);
    } catch (error) {
      return this.tokenRefused(call, called, error);
    }
  }

  private verify(
    call: C,
    called: Called,
    auth: Authenticator,
    token: string | undefined,
  ): Promise<Entry<A>> {
    const { participant, apiVersion } = this.world;
    return admit(auth, participant, token, releaseOf(apiVersion)).then(
      (admission) => ({ admission }),
      (error: unknown) => this.tokenRefused(call, called, error),
    );
  }

  private isOpen(called: Called): boolean {
    const { auth, openControls = false } = this.world;
    const { api } = called;
    if (api === 'control') return auth === undefined || openControls;
    return api !== 'ledger' || (this.transport.isOpen?.(called) ?? false);
  }

  private async admitToApp(
    { header }: C,
    { operationId = '' }: Called,
    access: Access,
    query: string,
  ): Promise<Entry<A>> {
    const { auth, participant, splice } = this.world;
    const isOfSv = access.class.startsWith('sv ');
    const validator = isOfSv ? splice!.validator : splice!.validatorAt(participant);
    const caller = await spliceCaller({ auth, access, operationId, validator, header, query });
    if ('kind' in caller) return { admission: caller };
    const note = { outcome: 'refused', explanation: caller.reason } as const;
    return { refusal: this.transport.callerRefused!(caller), note };
  }

  /** @throws rethrows any error that is not a refusal */
  private tokenRefused(call: C, called: Called, error: unknown): Unread<A> {
    const { transport } = this;
    if (error instanceof MalformedAuthorization) {
      const { message: reason } = error;
      const note = { outcome: 'refused', validation: { ok: false, reason } } as const;
      return { refusal: transport.malformedToken!(called, reason), note };
    }
    if (!(error instanceof LedgerError)) throw error;
    const context = transport.context(call, ANYONE, called);
    const refusal = transport.failed(call, called, error, context, true);
    return { refusal, note: refusalNote(error) };
  }

  private underFaults(call: C, read: ReadCall<Context, A>, admission: Admission): Soon<A> {
    const handle = (): Soon<A> => this.handle(call, read, admission);
    return answerUnderFaults(this, call, read, handle) ?? handle();
  }

  private handle(call: C, read: ReadCall<Context, A>, admission: Admission): Soon<A> {
    const { called } = read;
    const context = this.transport.context(call, admission, called);
    const run = new HandlerRun(this.world, read, admission, context);
    try {
      const { isUsed } = this.world.network.externalCalls;
      const result = isUsed ? this.withServices(call, run) : run.attempt();
      return isPromise(result)
        ? this.settled(call, read, run, result)
        : this.answered(call, read, result, run.entry);
    } catch (error) {
      return this.failedRun(call, read, run, error);
    }
  }

  private settled(
    call: C,
    read: ReadCall<Context, A>,
    run: HandlerRun<Context, A>,
    result: Promise<unknown>,
  ): Promise<A> {
    return this.inTime(call, read.called, result)
      .then((given) => this.answered(call, read, given, run.entry))
      .catch((error: unknown) => this.failedRun(call, read, run, error));
  }

  private failedRun(
    call: C,
    { called, size }: ReadCall<Context, A>,
    run: HandlerRun<Context, A>,
    error: unknown,
  ): A {
    const reached = completionOf(run.reached(), error);
    return this.failed(call, called, error, run.context, size, reached);
  }

  private withServices(call: C, run: HandlerRun<Context, A>): unknown {
    const { network, participant } = this.world;
    const calls = new RecordedCalls();
    call.externalCalls = calls.answered;
    return withServices(network, participant, calls, () => run.attempt());
  }

  private answered(
    call: C,
    read: ReadCall<Context, A>,
    result: unknown,
    entry: LogEntry | undefined,
  ): A {
    const { called, size } = read;
    const given = read.answer(result);
    const outcome = this.outcomeOf(given);
    const note =
      entry === undefined
        ? { outcome }
        : { outcome, offset: entry.offset, updateId: entry.update?.updateId };
    // The rejection of an asynchronous submission is only in its completion; there is no update then.
    const rejected = entry?.update === undefined ? entry?.completion : undefined;
    return this.note(call, called, given, note, explainedBy(rejected?.error, size));
  }

  outcomeOf({ status }: A): 'answered' | 'refused' {
    const isGood = this.transport.isMessage ? status === 0 : status < 400;
    return isGood ? 'answered' : 'refused';
  }

  /** Rejects with RequestTimedOut, and with ParticipantRestarted if the participant restarts meanwhile. */
  private inTime<T>(call: C, { api }: Called, result: Promise<T>): Promise<T> {
    const { network, participant } = this.world;
    const given = isOfParticipant(api) ? network.faults.whileUp(participant.name, result) : result;
    const timeout = this.transport.timeoutOf?.(call, api);
    return timeout === undefined ? given : within(timeout, given);
  }

  /** The answer for an error. The journal has all of its details. @throws Unanswerable */
  failed(
    call: C,
    called: Called,
    error: unknown,
    context: Context = this.transport.context(call, ANYONE, called),
    size = 0,
    reached: { readonly offset: number } | false = false,
  ): A {
    if (error instanceof Unanswerable) throw error;
    const { transport } = this;
    if (error instanceof RequestTimedOut || error instanceof ParticipantRestarted) {
      // The client no longer waits. The operation continues, unless it only reads.
      context.end?.();
      const isLate = error instanceof RequestTimedOut;
      const answer = isLate ? transport.late!(call, called) : transport.lost(call, 'reset');
      return this.note(call, called, answer, { outcome: 'refused', explanation: error.message });
    }
    const answer = transport.failed(call, called, error, context);
    if (error instanceof LedgerError) {
      const note = { ...refusalNote(error), ...reached };
      return this.note(call, called, answer, note, explainedBy(error, size));
    }
    return this.note(call, called, answer, noteOf(this.world, error));
  }

  refuse(call: C, called: Called, { refusal, note }: Unread<A>): A {
    return this.note(call, called, refusal, note);
  }

  note(call: C, called: Called, answer: A, note: Note, explained?: Explained): A {
    this.journal.add(call, called, answer, note, explained);
    return answer;
  }
}

/** The note for an error that is not a ledger error: an error of an app, an unreadable message, or a bug. */
function noteOf(world: CallWorld, error: unknown): Note {
  if (error instanceof ProtobufError)
    return { outcome: 'refused', validation: { ok: false, reason: error.message } };
  const isRefusal =
    error instanceof AppRefusal || error instanceof PlainRefusal || error instanceof NotServed;
  return isRefusal ? { outcome: 'refused', explanation: error.message } : bugNote(world, error);
}
