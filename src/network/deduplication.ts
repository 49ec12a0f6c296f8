/** Command deduplication: a change that was accepted is not accepted again inside its period (B-DED-*). */
import { ledgerError, type LedgerError } from '../daml/ledger-error.js';
import { formatTimestamp } from '../daml/time.js';
import type { Party, Timestamp } from '../daml/values.js';
import { UpdateEntry } from './log-entry.js';
import type { Network } from './network.js';
import type { ParticipantLog } from './participant-log.js';
import { invalidDeduplicationPeriod } from './request-errors.js';
import { MAX_DEDUPLICATION_DURATION, type DeduplicationPeriod } from './submission.js';
import { isMadeUpCommandId } from './submission-info.js';
import type { SubmissionInfo } from './updates.js';

/** The participant keeps the journal: what an entry of its log was accepted for is taken back with it. */
export class Deduplication {
  /** By command id: the entry, or those of several users and sets of parties, newest last. */
  private readonly accepted = new Map<string, UpdateEntry | UpdateEntry[]>();

  constructor(
    private readonly network: Pick<Network, 'random' | 'nextNumber'>,
    private readonly log: ParticipantLog,
  ) {}

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
    change: SubmissionInfo,
    start: number,
  ): { error: LedgerError; existing: { readonly offset: number } } | undefined {
    const existing = this.find(change);
    if (existing === undefined || existing.offset <= start) return undefined;
    const error = ledgerError('DUPLICATE_COMMAND', {
      cause: 'A command with the given command id has already been successfully processed',
      context: {
        accepted: 'true',
        changeId: changeIdText(change),
        completion_offset: String(existing.offset),
        existingSubmissionId: `Some(${existing.accepted!.submissionId})`,
      },
      definiteAnswer: true,
      explanation: `It was accepted at offset ${existing.offset}, record time ${formatTimestamp(existing.recordTime)}. Use a new commandId.`,
    });
    return { error, existing };
  }

  /** Remembers an entry that this participant accepted a command for. */
  accept(entry: UpdateEntry): void {
    if (entry.accepted!.hasMadeUpCommandId) return;
    const { commandId } = entry.accepted!;
    const earlier = this.accepted.get(commandId);
    if (earlier === undefined) this.accepted.set(commandId, entry);
    else if (Array.isArray(earlier)) earlier.push(entry);
    else this.accepted.set(commandId, [earlier, entry]);
  }

  /** Takes back the last entry that was accepted. */
  takeBack(entry: UpdateEntry): void {
    if (entry.accepted!.hasMadeUpCommandId) return;
    const { commandId } = entry.accepted!;
    const known = this.accepted.get(commandId);
    if (Array.isArray(known) && known.length > 1) known.pop();
    else this.accepted.delete(commandId);
  }

  private find(change: SubmissionInfo): UpdateEntry | undefined {
    if (change.hasMadeUpCommandId) return undefined;
    const known = this.accepted.get(change.commandId);
    if (known === undefined) return this.madeUp(change);
    if (!Array.isArray(known)) return isSame(known.accepted!, change) ? known : undefined;
    return known.findLast((entry) => isSame(entry.accepted!, change));
  }

  /** The entry of a command whose id was made up, and then read and given again: so rare that the log may be looked through. */
  private madeUp(change: SubmissionInfo): UpdateEntry | undefined {
    const { random, nextNumber } = this.network;
    if (!isMadeUpCommandId(random, change.commandId, nextNumber)) return undefined;
    for (const entry of this.log.witnessedBy(undefined, 0, this.log.end, true))
      if (
        entry instanceof UpdateEntry &&
        entry.deduplicated?.commandId === change.commandId &&
        isSame(entry.deduplicated, change)
      )
        return entry;
    return undefined;
  }
}

export function isSameChange(some: SubmissionInfo, other: SubmissionInfo): boolean {
  if (some.hasMadeUpCommandId || other.hasMadeUpCommandId) return false;
  return some.commandId === other.commandId && isSame(some, other);
}

export function changeIdText({ userId, commandId, actAs }: SubmissionInfo): string {
  return `ChangeId(userId=${userId}, commandId=${commandId}, actAs={${actAs.join(', ')}})`;
}

function isSame(some: SubmissionInfo, other: SubmissionInfo): boolean {
  return some.userId === other.userId && sameParties(some.actAs, other.actAs);
}

function sameParties(some: readonly Party[], others: readonly Party[]): boolean {
  return some.length === others.length && some.every((party) => others.includes(party));
}
