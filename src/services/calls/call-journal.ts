/** Writes calls into the request journal. */
import { formatInstant } from '../../daml/model/time.js';
import {
  disabledById,
  upcomingChange,
  type UpcomingChange,
} from '../../spec/releases/upcoming-changes.js';
import type { Explained, JournalEntry } from '../request-journal.js';
import type { Answer, Called, CallWorld, IncomingCall } from './call.js';
import type { Note } from './notes.js';
import { shownCalls } from './waiting-calls.js';
import { watchCall } from './watched-calls.js';
import { sentBody, WholeExchanges, type WholeAnswer, type WholeCall } from './whole-exchanges.js';

/** An entry that is still incomplete. */
type Draft = { -readonly [K in keyof JournalEntry]?: JournalEntry[K] };

const VALID = { ok: true };

export class CallJournal<C extends IncomingCall> {
  /** Requests and answers in full, if the journal stores them or a rehearsal watches them. */
  private readonly whole?: WholeExchanges;

  constructor(private readonly world: CallWorld) {
    const { journal, requests, watch } = world;
    const isFull = journal === 'full';
    if (!isFull && watch === undefined) return;
    this.whole = new WholeExchanges((entry, explained, call) => {
      if (isFull) requests.add(entry, explained);
      if (watch !== undefined && call.isStream !== true) watchCall(watch, call, entry);
    });
  }

  /** Answers a call. If the journal stores calls in full, its entry has the request and the answer afterwards. */
  record<W extends C & WholeCall, A extends WholeAnswer>(
    call: W,
    answer: (call: W) => Promise<A>,
  ): Promise<A> {
    return this.whole === undefined ? answer(call) : this.whole.record(call, answer);
  }

  add(call: C, called: Called, answer: Answer, note: Note, explained?: Explained): void {
    const { method, target, faults, sent, externalCalls } = call;
    const at = formatInstant(this.world.network.clock.now());
    const entry: Draft = { id: 0, at, method, path: target, validation: VALID, api: called.api };
    if (called.operationId !== undefined) entry.operation = called.operationId;
    entry.status = answer.status;
    Object.assign(entry, note);
    if (faults !== undefined) entry.faults = faults;
    if (externalCalls !== undefined && externalCalls.length > 0)
      entry.externalCalls = shownCalls(externalCalls);
    const deprecated = call.deprecated ?? this.upcoming(call, called);
    if (deprecated !== undefined) entry.deprecated = deprecated;
    if (this.world.journal === 'full')
      return this.whole!.add(call, entry as JournalEntry, explained);
    // The body of a rejected request is always stored.
    if (note.outcome !== 'answered' && sent !== undefined) entry.request = sentBody(sent);
    this.world.requests.add(entry as JournalEntry, explained);
    this.whole?.add(call, entry as JournalEntry);
  }

  /** The effect of the next release on the operation of the call. A gRPC method has its own row. */
  private upcoming(
    { method }: C,
    called: Called & { readonly path?: string },
  ): UpcomingChange | undefined {
    const isMessage = method === 'GRPC';
    const disabled = called.disabled ?? (isMessage ? undefined : disabledById(called.operationId));
    if (disabled === undefined) return undefined;
    const api = isMessage ? called.shortName! : `${method} ${called.path!}`;
    return upcomingChange(this.world.apiVersion, disabled, api);
  }
}
