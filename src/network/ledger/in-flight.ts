/**
 * Submissions that a participant accepted and that a paused synchronizer has not sequenced. Their commands were
 * interpreted and routed; the rest follows in order when sequencing resumes. Requests that wait for them get their
 * results, or time out.
 */
import { InvariantError, ledgerError, LedgerError } from '../../daml/errors/ledger-error.js';
import { PLAIN } from '../../daml/errors/logging-context.js';
import type { Timestamp } from '../../daml/model/values.js';
import { changeIdText, isSameChange, type Change } from './deduplication.js';
import { abbreviatedId, type SynchronizerId } from '../model/ids.js';
import { JournaledCell } from '../journal/journal.js';
import type { Ledger } from './ledger.js';
import type { Synchronizer } from '../synchronizer.js';
import type { Member } from './member.js';
import { unexpectedFailure } from '../../daml/errors/unexpected.js';
import { invalidArgument } from '../model/request-errors.js';
import type { ReassignmentUpdate, SubmissionInfo, TransactionUpdate } from '../model/updates.js';

type LedgerUpdate = TransactionUpdate | ReassignmentUpdate;
/**
 * A synchronous rejection is thrown. A rejection by the synchronizer or a recipient is returned as `rejected`, with a
 * completion and an offset, as asynchronous submitters see it.
 */
export type SubmissionResult<U extends TransactionUpdate | ReassignmentUpdate> =
  | { readonly kind: 'accepted'; readonly update: U; readonly completionOffset: number }
  | { readonly kind: 'rejected'; readonly error: LedgerError; readonly completionOffset: number }
  /** The synchronizer is paused, or the ledger time is in the future. */
  | { readonly kind: 'inFlight'; readonly pending: PendingSubmission<U> };

export type Settled<U extends LedgerUpdate> = Exclude<SubmissionResult<U>, { kind: 'inFlight' }>;
type Accepted<U extends LedgerUpdate> = Extract<SubmissionResult<U>, { kind: 'accepted' }>;

export interface PendingSubmission<U extends LedgerUpdate = LedgerUpdate> {
  readonly participant: Member;
  readonly info: SubmissionInfo;
  readonly synchronizerId: SynchronizerId;
  /**
   * Sends a submission that was delayed until its ledger time and has no synchronizer yet.
   * @throws LedgerError for a synchronous rejection
   */
  readonly send?: () => SubmissionResult<U>;
  /** Whether to skip the check that the same change is already in flight. */
  readonly mayRepeat?: boolean;
  /** After this time, the synchronizer no longer sequences it. */
  readonly maxSequencingTime?: Timestamp;
  /**
   * Validates and commits.
   * @throws LedgerError if something that it depends on has changed
   */
  readonly sequence: () => Settled<U>;
  readonly reject: (error: LedgerError) => Settled<U>;
}

/** The number of requests that may wait for completions on a participant: Canton's default (B-CMD-040). */
const MAX_TRACKED = 256;
/** How long each waits, in microseconds: Canton's default of five minutes (B-CMD-041). */
export const TRACKING_TIMEOUT = 300_000_000n;

interface Tracking {
  pending: PendingSubmission;
  readonly deadline: Timestamp;
  readonly settled: (result: Settled<never>) => void;
  readonly failed: (error: LedgerError) => void;
}

export class InFlight {
  private readonly pending: JournaledCell<readonly PendingSubmission[]>;
  /** Waiting requests; not part of the state. */
  private readonly trackings = new Set<Tracking>();

  constructor(private readonly ledger: Ledger) {
    this.pending = new JournaledCell<readonly PendingSubmission[]>(ledger.journal, 'in-flight', []);
    ledger.clock.onJump(() => this.giveUp());
    ledger.onRevert(() => this.forget());
  }

  get size(): number {
    return this.pending.value.length;
  }

  on(synchronizerId: SynchronizerId): readonly PendingSubmission[] {
    return this.pending.value.filter((each) => each.synchronizerId === synchronizerId);
  }

  /** @throws LedgerError SUBMISSION_ALREADY_IN_FLIGHT for a change that is in flight on any synchronizer (B-CMD-042) */
  requireNew(participant: Member, info: SubmissionInfo): void {
    if (this.size === 0) return;
    const same = this.pending.value.find(
      (each) =>
        !each.mayRepeat && each.participant === participant && isSameChange(each.info, info),
    );
    if (same === undefined) return;
    throw alreadyInFlight(
      info,
      same.info.submissionId,
      this.ledger.synchronizer(same.synchronizerId)!,
    );
  }

  add<U extends LedgerUpdate>(pending: PendingSubmission<U>): SubmissionResult<U> {
    this.pending.value = [...this.pending.value, pending as PendingSubmission];
    return { kind: 'inFlight', pending };
  }

  /**
   * Whether a ledger time is in the future.
   * @throws LedgerError SERVICE_INTERNAL_ERROR if the delay in nanoseconds exceeds 63 bits, for which no participant
   * can wait
   */
  isAhead(time: Timestamp): boolean {
    const delay = time - this.ledger.clock.now();
    if (delay * 1000n >= 2n ** 63n) throw unexpectedFailure();
    return delay > 0n;
  }

  /** Delays a submission until a time. Used only with a clock that advances automatically. */
  hold<U extends LedgerUpdate>(
    held: Pick<PendingSubmission<U>, 'participant' | 'info'> & {
      readonly send: () => SubmissionResult<U>;
    },
    until: Timestamp,
  ): SubmissionResult<U> {
    const never = (): never => {
      throw new InvariantError('What is held back is at no synchronizer.');
    };
    const pending = {
      ...held,
      synchronizerId: '',
      mayRepeat: true,
      sequence: never,
      reject: never,
    };
    this.ledger.clock.onTime(until, () => this.release(pending as PendingSubmission));
    return this.add(pending);
  }

  private release(held: PendingSubmission): void {
    // A revert may have removed it.
    if (!this.pending.value.includes(held)) return;
    this.pending.value = this.pending.value.filter((each) => each !== held);
    const waiting = [...this.trackings].filter(({ pending }) => pending === held);
    try {
      const result = this.ledger.journal.atomically(held.send!);
      if (result.kind === 'inFlight') for (const each of waiting) each.pending = result.pending;
      else this.settle(held, result as Settled<never>);
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
      for (const each of waiting) {
        this.trackings.delete(each);
        each.failed(error);
      }
    }
  }

  /** @throws LedgerError PARTICIPANT_BACKPRESSURE if the maximum number of requests already waits */
  checkCapacity(participant: Member): void {
    const waiting = [...this.trackings].filter(
      ({ pending }) => pending.participant === participant,
    );
    const { externalCalls } = this.ledger;
    if (waiting.length + externalCalls.waitingAt(participant.name) < MAX_TRACKED) return;
    const reason = 'Maximum number of in-flight requests reached';
    throw ledgerError('PARTICIPANT_BACKPRESSURE', {
      cause: `The participant is overloaded: ${reason}`,
      context: { reason },
    });
  }

  /**
   * The result of the submission. Rejects with REQUEST_TIME_OUT after the timeout; the submission can still be
   * sequenced later.
   */
  track<U extends LedgerUpdate>(pending: PendingSubmission<U>): Promise<Settled<U>> {
    return new Promise((resolve, reject) => {
      this.trackings.add({
        pending: pending as PendingSubmission,
        deadline: this.ledger.clock.now() + TRACKING_TIMEOUT,
        settled: resolve,
        failed: reject,
      });
    });
  }

  /** Ends requests that have waited too long, and those for this submission. */
  giveUp(pending?: PendingSubmission): void {
    const now = this.ledger.clock.now();
    for (const tracking of this.trackings)
      if (now >= tracking.deadline || tracking.pending === pending) {
        this.trackings.delete(tracking);
        tracking.failed(timedOut(tracking.pending.info));
      }
  }

  /** Stops waiting for all requests of a participant. Their submissions continue. */
  abandon(participant: string): void {
    for (const tracking of this.trackings)
      if (tracking.pending.participant.name === participant) this.trackings.delete(tracking);
  }

  /**
   * Sequences, in order, the submissions for a synchronizer, except those of participants that are disconnected from
   * it.
   */
  sequence(synchronizerId: SynchronizerId): void {
    for (const pending of this.on(synchronizerId)) {
      if (pending.participant.isCutOffFrom(synchronizerId)) continue;
      this.pending.value = this.pending.value.filter((each) => each !== pending);
      this.settle(pending, this.outcomeOf(pending));
    }
  }

  private outcomeOf({ maxSequencingTime, sequence, reject }: PendingSubmission): Settled<never> {
    const { clock, journal } = this.ledger;
    if (maxSequencingTime !== undefined && clock.now() > maxSequencingTime)
      return reject(notSequenced()) as Settled<never>;
    try {
      return journal.atomically(sequence) as Settled<never>;
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
      return reject(error) as Settled<never>;
    }
  }

  private settle(pending: PendingSubmission, result: Settled<never>): void {
    for (const tracking of this.trackings)
      if (tracking.pending === pending) {
        this.trackings.delete(tracking);
        tracking.settled(result);
      }
  }

  /** Removes waiting requests of submissions that a revert removed. */
  private forget(): void {
    for (const tracking of this.trackings)
      if (!this.pending.value.includes(tracking.pending)) {
        this.trackings.delete(tracking);
        tracking.failed(timedOut(tracking.pending.info, 'A revert took the submission back.'));
      }
  }
}

/**
 * For callers that cannot wait: a paused synchronizer is an error.
 * @throws LedgerError INVALID_ARGUMENT then, and the error of a rejected submission
 */
export function acceptedNow<U extends LedgerUpdate>(
  ledger: Ledger,
  submission: () => SubmissionResult<U>,
): Accepted<U> {
  const result = ledger.journal.atomically(() => {
    const submitted = submission();
    if (submitted.kind === 'inFlight') throw paused(ledger, submitted.pending);
    return submitted;
  });
  if (result.kind === 'rejected') throw result.error;
  return result;
}

/** NOTE: Canticle's text: no real synchronizer can be paused for a test. */
function paused(ledger: Ledger, { synchronizerId }: PendingSubmission): LedgerError {
  const { alias } = ledger.synchronizer(synchronizerId)!;
  return invalidArgument(
    `Synchronizer ${alias} is paused. Resume it first: only submissions over HTTP can wait until then.`,
  );
}

/** The maximum sequencing time passed, so that the submission can no longer be sequenced. */
export function notSequenced(): LedgerError {
  return ledgerError(
    'NOT_SEQUENCED_TIMEOUT',
    'Transaction was not sequenced within the pre-defined max sequencing time and has therefore timed out',
  );
}

/** @param existing the id of the submission in flight */
export function alreadyInFlight(
  change: Change,
  existing: string,
  { id, printedId }: Pick<Synchronizer, 'id' | 'printedId'>,
): LedgerError {
  return ledgerError('SUBMISSION_ALREADY_IN_FLIGHT', {
    cause: 'The submission is already in-flight',
    context: {
      changeId: changeIdText(change),
      existingSubmissionId: `Some(${existing})`,
      existingSubmissionSynchronizerId: abbreviatedId(id),
      physicalSynchronizerId: printedId,
    },
  }).logIn(PLAIN);
}

/** The error of a request that stopped waiting; it gets no further answer. */
export function timedOut(
  { commandId, submissionId }: Pick<SubmissionInfo, 'commandId' | 'submissionId'>,
  explanation?: string,
): LedgerError {
  return ledgerError('REQUEST_TIME_OUT', {
    cause: `Timed out while awaiting for a completion corresponding to a command submission with command-id=${commandId} and submission-id=${submissionId}.`,
    explanation,
  });
}

/** NOTE: Canticle's text: no real synchronizer can be paused for a test. */
export function sequencingPaused(alias: string): LedgerError {
  return ledgerError('REQUEST_TIME_OUT', {
    cause: `Timed out while awaiting the synchronizer ${alias}, which is paused.`,
    explanation: 'Resume it first. Only submissions over HTTP can wait until then.',
  });
}
