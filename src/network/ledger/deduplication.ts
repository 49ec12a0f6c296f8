/** Command deduplication: an accepted change is not accepted again within its period (B-DED-*). */
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import { scalaSet } from '../../daml/errors/scala-text.js';
import { formatDuration, formatTimestamp, MIN_TIMESTAMP } from '../../daml/model/time.js';
import type { Party, Timestamp } from '../../daml/model/values.js';
import {
  MAX_DEDUPLICATION_DURATION,
  NO_DEDUPLICATION,
  periodText,
  type DeduplicationPeriod,
} from '../model/deduplication-period.js';
import { UpdateEntry } from './log-entry.js';
import type { SubmissionNumbers } from './submission-info.js';
import type { ParticipantLog } from './participant-log.js';
import { isMadeUpCommandId } from './submission-info.js';
import type { SubmissionInfo } from '../model/updates.js';

/**
 * The result of a check. Completions report the start of the period for a new change, or the period of a rejection
 * (B-DED-014).
 */
export type Checked =
  | { readonly since: number; readonly refusal?: undefined }
  | {
      readonly since?: undefined;
      readonly refusal: { readonly error: LedgerError; readonly period: DeduplicationPeriod };
    };

/** The fields of an acceptance that the check needs. */
interface Acceptance {
  readonly offset: number;
  readonly recordTime: Timestamp;
  readonly accepted: SubmissionInfo | undefined;
}

/** The remainder of an entry that the log has forgotten: a long period still includes it. */
export interface Remembered extends Acceptance {
  /** The number of prunings at the last check, and whether one of them forgot the entry. */
  readonly judged: number;
  readonly isForgotten: boolean;
}

/** In a file: the offset up to which all entries were checked, and the remembered ones by offset. */
export type SavedAcceptances = readonly [judgedUpTo: number, remembered: readonly Remembered[]];

/** The user, the command and the parties of a change. */
export type Change = Pick<SubmissionInfo, 'userId' | 'commandId' | 'actAs'>;

/** The participant journals its log; reverting an entry also reverts its acceptance. */
export class Deduplication {
  /** By command id: one entry, or the entries of several users and party sets, newest last. */
  private readonly accepted = new Map<string, Acceptance | Acceptance[]>();
  /** The offset up to which {@link forgetPruned} checked the remembered entries. */
  private judgedUpTo = 0;
  /** For submissions without a period. */
  readonly defaultPeriod: DeduplicationPeriod;

  constructor(
    private readonly network: SubmissionNumbers,
    private readonly log: ParticipantLog,
    /** The longest period for which acceptances are always remembered, and the default period; microseconds. */
    private readonly longestSure = MAX_DEDUPLICATION_DURATION,
  ) {
    this.defaultPeriod = { kind: 'duration', microseconds: longestSure };
  }

  /** Rejects a change that was accepted within the period, and a period that starts before the known history. */
  check(
    change: SubmissionInfo,
    now: Timestamp,
    period: DeduplicationPeriod = this.defaultPeriod,
  ): Checked {
    const found = this.find(change);
    if (period.kind === 'offset') {
      const existing = this.unlessForgotten(found);
      if (existing !== undefined)
        return existing.offset > period.offset
          ? duplicate(change, existing)
          : { since: existing.offset };
      return this.whereUnknown(change, period, period.offset >= this.log.prunedUpTo);
    }
    const { microseconds } = period;
    const start = now - microseconds;
    if (start < MIN_TIMESTAMP)
      return tooEarly(change, period, { longest_duration: formatDuration(now - MIN_TIMESTAMP) });
    // NOTE: a real participant does not prune entries that the longest period may need. Here it prunes them, but
    // remembers their acceptances.
    const isLonger = microseconds > this.longestSure;
    const existing = isLonger ? this.unlessForgotten(found) : found;
    if (existing !== undefined)
      return existing.recordTime >= start
        ? duplicate(change, existing)
        : { since: existing.offset };
    return this.whereUnknown(change, period, !isLonger || start > this.prunedTime());
  }

  /**
   * For a change without a known acceptance.
   * @param isKnown whether all of the period is known
   */
  private whereUnknown(change: Change, period: DeduplicationPeriod, isKnown: boolean): Checked {
    const { prunedUpTo } = this.log;
    if (isKnown) return { since: prunedUpTo };
    return tooEarly(change, period, { earliest_offset: String(prunedUpTo) });
  }

  private prunedTime(): Timestamp {
    return this.log.lastUntil(this.log.prunedUpTo)?.recordTime ?? MIN_TIMESTAMP - 1n;
  }

  /** Pruning forgets an acceptance, unless the change was rejected as a duplicate after that point. */
  private unlessForgotten(entry: Acceptance | undefined): Acceptance | undefined {
    if (entry === undefined || entry.offset > this.log.prunedUpTo) return entry;
    const { prunings } = this.log;
    const { isForgotten, judged } = 'judged' in entry ? (entry as Remembered) : UNJUDGED;
    if (isForgotten) return undefined;
    for (let i = judged; i < prunings.length; i++) {
      const { upTo, end } = prunings.at(i)!;
      if (upTo >= entry.offset && !this.wasAnswered(entry.accepted!, upTo, end)) return undefined;
    }
    return entry;
  }

  private wasAnswered(change: Change, begin: number, end: number): boolean {
    for (const { completion } of this.log.between(begin, end))
      if (completion !== undefined && isSameChange(completion, change)) return true;
    return false;
  }

  /** Records that this participant accepted a command. */
  accept(entry: UpdateEntry): void {
    this.remember(entry);
  }

  private remember(entry: Acceptance): void {
    if (entry.accepted!.hasMadeUpCommandId) return;
    const { commandId } = entry.accepted!;
    const earlier = this.accepted.get(commandId);
    if (earlier === undefined) this.accepted.set(commandId, entry);
    else if (Array.isArray(earlier)) earlier.push(entry);
    else this.accepted.set(commandId, [earlier, entry]);
  }

  /** Undoes the acceptance of the last entry, if it was one. */
  takeBack(entry: UpdateEntry): void {
    if (entry.accepted!.hasMadeUpCommandId) return;
    const { commandId } = entry.accepted!;
    const known = this.accepted.get(commandId);
    if (known === entry) this.accepted.delete(commandId);
    if (!Array.isArray(known) || known.at(-1) !== entry) return;
    known.pop();
    if (known.length === 0) this.accepted.delete(commandId);
  }

  /**
   * Frees the memory of pruned entries, but keeps the data of those that a period may still include. Acceptances with
   * a generated command id are not remembered.
   */
  forgetPruned(now: Timestamp): void {
    const { prunedUpTo, prunings } = this.log;
    this.judgedUpTo = Math.max(this.judgedUpTo, prunedUpTo);
    const earliest = now - MAX_DEDUPLICATION_DURATION;
    const remember = (entry: Acceptance): readonly Acceptance[] => {
      if (entry.offset > prunedUpTo) return [entry];
      const isForgotten = this.unlessForgotten(entry) === undefined;
      if (isForgotten && entry.recordTime < earliest) return [];
      const { offset, recordTime, accepted } = entry;
      const judged = prunings.length;
      const left: Remembered = { offset, recordTime, accepted, judged, isForgotten };
      return [left];
    };
    for (const [commandId, known] of this.accepted) {
      const left = (Array.isArray(known) ? known : [known]).flatMap(remember);
      if (left.length === 0) this.accepted.delete(commandId);
      else this.accepted.set(commandId, left.length === 1 ? left[0]! : left);
    }
  }

  /** For files: data that the log entries do not contain. */
  kept(): SavedAcceptances {
    const remembered = [...this.accepted.values()]
      .flat()
      .filter((each): each is Remembered => 'judged' in each)
      .sort((one, other) => one.offset - other.offset);
    return [this.judgedUpTo, remembered];
  }

  /** Restores from a file, before the later entries are restored. */
  restore([judgedUpTo, remembered]: SavedAcceptances): void {
    this.accepted.clear();
    this.judgedUpTo = judgedUpTo;
    for (const each of remembered) this.remember(each);
  }

  /** Restores an entry of the log from a file, in their order. */
  restoreEntry(entry: UpdateEntry): void {
    if (entry.deduplicated !== undefined && entry.offset > this.judgedUpTo) this.accept(entry);
  }

  private find(change: SubmissionInfo): Acceptance | undefined {
    if (change.hasMadeUpCommandId) return undefined;
    const known = this.accepted.get(change.commandId);
    if (known === undefined) return this.madeUp(change);
    if (!Array.isArray(known)) return isOfSame(known.accepted!, change) ? known : undefined;
    return known.findLast((entry) => isOfSame(entry.accepted!, change));
  }

  /**
   * The entry of a command with a generated id that a client then read and sent again. This is rare enough to search
   * the log.
   */
  private madeUp(change: SubmissionInfo): UpdateEntry | undefined {
    const { random, nextNumber } = this.network;
    if (!isMadeUpCommandId(random, change.commandId, nextNumber)) return undefined;
    for (const entry of this.log.witnessedBy(undefined, 0, this.log.end, true))
      if (
        entry instanceof UpdateEntry &&
        entry.deduplicated !== undefined &&
        isSameChange(entry.deduplicated, change)
      )
        return entry;
    return undefined;
  }
}

const UNJUDGED = { judged: 0, isForgotten: false };

function duplicate(change: Change, { offset, recordTime, accepted }: Acceptance): Checked {
  const error = ledgerError('DUPLICATE_COMMAND', {
    cause: 'Command submission already exists.',
    context: {
      accepted: 'true',
      changeId: changeIdText(change),
      completion_offset: String(offset),
      existingSubmissionId: `Some(${accepted!.submissionId})`,
    },
    definiteAnswer: true,
    explanation: `It was accepted at offset ${offset}, record time ${formatTimestamp(recordTime)}. Use a new commandId.`,
  });
  return { refusal: { error, period: { kind: 'offset', offset: offset - 1 } } };
}

/** @param limit the earliest start of the period */
function tooEarly(
  change: Change,
  period: DeduplicationPeriod,
  limit: { readonly earliest_offset: string } | { readonly longest_duration: string },
): Checked {
  const [field, what] =
    'earliest_offset' in limit
      ? ['earliest_offset', 'earliest deduplication offset']
      : // Canton's text has this form.
        ['longest_duation', 'longest deduplication duration'];
  const error = ledgerError('INVALID_DEDUPLICATION_PERIOD', {
    cause: `Deduplication period starts too early. The error metadata field ${field} contains the ${what} currently allowed.`,
    context: { changeId: changeIdText(change), requestedPeriod: periodText(period), ...limit },
    definiteAnswer: true,
  });
  return { refusal: { error, period: NO_DEDUPLICATION } };
}

/** In Canton's format. */
export function changeIdText({ userId, commandId, actAs }: Change): string {
  return `ChangeId(${userId},${commandId},${scalaSet(actAs)})`;
}

export function isSameChange(some: Change, other: Change): boolean {
  return some.commandId === other.commandId && isOfSame(some, other);
}

function isOfSame(some: Change, other: Change): boolean {
  return some.userId === other.userId && sameParties(some.actAs, other.actAs);
}

function sameParties(some: readonly Party[], others: readonly Party[]): boolean {
  return some.length === others.length && some.every((party) => others.includes(party));
}
