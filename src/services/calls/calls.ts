/**
 * The pipeline of all calls, over any transport: admit the caller, read the request, apply faults, check rights,
 * run the handler, settle timeouts and restarts, and write the journal. A transport reads bytes and writes answers
 * (call.ts).
 */
import { ProtobufError } from '../../daml/codec/protobuf/reading.js';
import { isPromise } from '../../daml/errors/realms.js';
import { LedgerError } from '../../daml/errors/ledger-error.js';
import { withoutStacks } from '../../daml/errors/own-frames.js';
import { ParticipantRestarted } from '../../network/faults/faults.js';
import { RecordedCalls } from '../../network/extensions/recorded-calls.js';
import type { LogEntry } from '../../network/model/updates.js';
import { releaseOf } from '../../spec/versions.js';
import { AppRefusal } from '../../splice/app-refusal.js';
import { MalformedAuthorization } from '../authorization/bearer.js';
import { admit, ANYONE, requireAllowed, type Admission } from '../authorization/gate.js';
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
import { RequestTimedOut, within } from './in-time.js';
import { withServices } from './waiting-calls.js';
import { bugNote, completionOf, explainedBy, refusalNote, type Note } from './notes.js';

/** A value, or a promise only if something must wait, because each promise costs a turn of the event loop. */
export type Soon<T> = T | Promise<T>;

/** The admitted caller, or the answer to one without access. */
export type Entry<A> = { readonly admission: Admission } | Unread<A>;

const OPEN = { admission: ANYONE } as const;

/** Passes a value on, synchronously unless it is a promise. */
function next<T, R>(value: Soon<T>, then: (value: T) => Soon<R>): Soon<R> {
  return isPromise(value) ? value.then(then) : then(value);
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
    const fail = (error: unknown): A => this.failed(call, called, error);
    try {
      const answer = this.enter(call, called, reading);
      return isPromise(answer) ? answer.catch(fail) : answer;
    } catch (error) {
      return fail(error);
    }
  }

  private enter(call: C, called: Called, reading: Reading<Context, A>): Soon<A> {
    const { access, query = '' } = reading;
    // The server of a participant reads all of a request except its body before it checks the token (B-GEN-026).
    const early = access === undefined ? reading.head?.() : undefined;
    if (early !== undefined) return this.refuse(call, called, early);
    return next(this.admit(call, called, access, query), (entry) => {
      if ('refusal' in entry) return this.refuse(call, called, entry);
      const late = access && reading.head?.();
      if (late !== undefined) return this.refuse(call, called, late);
      return next(reading.body(), (read) =>
        'refusal' in read
          ? this.refuse(call, called, read)
          : this.underFaults(call, read, entry.admission),
      );
    });
  }

  /** Identifies the caller. @param access the access that an app of Splice requires; the query may hold the token */
  admit(call: C, called: Called, access?: Access, query = ''): Soon<Entry<A>> {
    const { world, transport } = this;
    if (access !== undefined) return this.admitToApp(call, called, access, query);
    if (this.isOpen(called)) return OPEN;
    const refused = (error: unknown): Unread<A> => this.tokenRefused(call, called, error);
    try {
      const token = transport.tokenOf(call);
      if (world.auth === undefined) return OPEN;
      const admitted = admit(world.auth, world.participant, token, releaseOf(world.apiVersion));
      return admitted.then((admission) => ({ admission }), refused);
    } catch (error) {
      return refused(error);
    }
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
    const { faults } = this.world.network;
    if (!faults.isArmed || read.called.api === 'control') return handle();
    return answerUnderFaults(this, call, read, handle) ?? handle();
  }

  private handle(call: C, read: ReadCall<Context, A>, admission: Admission): Soon<A> {
    const { called, input, requires, size } = read;
    const { auth, participant } = this.world;
    const { network } = this.world;
    const context = this.transport.context(call, admission, called);
    const { log } = participant;
    let before = log.end;
    let entry: LogEntry | undefined;
    const fail = (error: unknown): A => {
      const reached = completionOf(log.lastBehind(before), error);
      return this.failed(call, called, error, context, size, reached);
    };
    try {
      const run = (): unknown => {
        read.enter?.(context);
        requireAllowed(auth, admission, requires, participant, input, () => context.userId);
        read.begin?.(context);
        return read.handle(context);
      };
      const attempt = (): unknown => {
        before = log.end;
        // Calls of the Ledger API need no stacks. Controls use stacks to find code locations.
        const result = called.api === 'ledger' ? withoutStacks(run) : run();
        // A handler commits before its first wait, so the last entry belongs to it.
        entry = log.lastBehind(before);
        return result;
      };
      const result = network.externalCalls.isUsed ? this.withServices(call, attempt) : attempt();
      const finish = (given: unknown): A => this.answered(call, read, given, entry);
      if (!isPromise(result)) return finish(result);
      return this.inTime(call, called, result).then(finish).catch(fail);
    } catch (error) {
      return fail(error);
    }
  }

  private withServices(call: C, attempt: () => unknown): unknown {
    const { network, participant } = this.world;
    const calls = new RecordedCalls();
    call.externalCalls = calls.answered;
    return withServices(network, participant, calls, attempt);
  }

  private answered(
    call: C,
    read: ReadCall<Context, A>,
    result: unknown,
    entry: LogEntry | undefined,
  ): A {
    const { called, size } = read;
    const given = read.answer(result);
    const committed = entry ? { offset: entry.offset, updateId: entry.update?.updateId } : {};
    // The rejection of an asynchronous submission is only in its completion; there is no update then.
    const rejected = entry?.update === undefined ? entry?.completion : undefined;
    const note = { outcome: this.outcomeOf(given), ...committed };
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
