/** Command deduplication: a change that was accepted is not accepted again inside its period (B-DED-*). */
import { ledgerError, type LedgerError } from '../daml/ledger-error.js';
import { formatTimestamp } from '../daml/time.js';
import type { Party, Timestamp } from '../daml/values.js';
import { JournaledMap, type Journal } from './journal.js';
import type { ParticipantLog } from './participant-log.js';
import { invalidDeduplicationPeriod } from './request-errors.js';
import { MAX_DEDUPLICATION_DURATION, type DeduplicationPeriod } from './submission.js';
import type { Completion } from './updates.js';

export interface Change {
  readonly userId: string;
  readonly actAs: readonly Party[];
  readonly commandId: string;
}

/** Accepted with the same user and command id, for one set of parties and for others. */
interface Accepted {
  readonly completion: Completion;
  readonly others: Accepted | undefined;
}

export class Deduplication {
  private readonly accepted: JournaledMap<string, Accepted>;

  constructor(
    journal: Journal,
    private readonly log: ParticipantLog,
  ) {
    this.accepted = new JournaledMap(journal);
  }

  /**
   * The offset behind which the change was not accepted, as completions report the period.
   * @throws LedgerError for a period that the participant cannot check
   */
  periodStart(period: DeduplicationPeriod | undefined, now: Timestamp): number {
    if (period?.kind === 'offset') {
      if (period.offset < this.log.prunedUpTo)
        throw invalidDeduplicationPeriod('The specified deduplication offset has been pruned.', {
          earliest_offset: String(this.log.prunedUpTo),
        });
      return period.offset;
    }
    const duration = period?.microseconds ?? MAX_DEDUPLICATION_DURATION;
    if (duration > MAX_DEDUPLICATION_DURATION)
      throw invalidDeduplicationPeriod(
        `The given deduplication duration of ${duration} µs exceeds the maximum deduplication duration of ${MAX_DEDUPLICATION_DURATION} µs`,
        { longest_duration: `PT${MAX_DEDUPLICATION_DURATION / 3_600_000_000n}H` },
      );
    return this.log.lastOffsetUntil(now - duration);
  }

  /** The refusal if the change was accepted behind `start`. */
  duplicate(
    change: Change,
    start: number,
  ): { error: LedgerError; existing: Completion } | undefined {
    const existing = this.find(change);
    if (existing === undefined || existing.offset <= start) return undefined;
    const error = ledgerError('DUPLICATE_COMMAND', {
      cause: 'A command with the given command id has already been successfully processed',
      context: {
        accepted: 'true',
        changeId: `ChangeId(userId=${change.userId}, commandId=${change.commandId}, actAs={${change.actAs.join(', ')}})`,
        completion_offset: String(existing.offset),
        existingSubmissionId: `Some(${existing.submissionId})`,
      },
      definiteAnswer: true,
      explanation: `It was accepted at offset ${existing.offset}, record time ${formatTimestamp(existing.recordTime)}. Use a new commandId.`,
    });
    return { error, existing };
  }

  accept(completion: Completion): void {
    const key = keyOf(completion);
    this.accepted.set(key, { completion, others: this.accepted.get(key) });
  }

  private find(change: Change): Completion | undefined {
    let accepted = this.accepted.get(keyOf(change));
    while (accepted !== undefined && !sameParties(accepted.completion.actAs, change.actAs))
      accepted = accepted.others;
    return accepted?.completion;
  }
}

function keyOf({ userId, commandId }: Change): string {
  return JSON.stringify([userId, commandId]);
}

function sameParties(some: readonly Party[], others: readonly Party[]): boolean {
  return some.length === others.length && some.every((party) => others.includes(party));
}
