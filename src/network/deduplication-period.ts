/** For how long back a change must not have been accepted: what a request asks for, and what a completion reports (B-DED-*). */
import { formatDuration } from '../daml/model/time.js';
import { unexpectedFailure } from '../daml/errors/unexpected.js';
import { invalidField, negativeDeduplicationOffset } from './request-errors.js';

export type DeduplicationPeriod =
  | {
      readonly kind: 'duration';
      readonly microseconds: bigint;
      /** Whether it was given to the nanosecond, which no participant knows. */
      readonly isFiner?: boolean;
    }
  /** Behind it, exclusively. */
  | { readonly kind: 'offset'; readonly offset: number };

/** As far back as what was accepted is known for sure, where nothing else is configured: seven days, in microseconds. */
export const MAX_DEDUPLICATION_DURATION = 7n * 24n * 3600n * 1_000_000n;

/** Reported where the period that was asked for could not be checked. */
export const NO_DEDUPLICATION: DeduplicationPeriod = { kind: 'duration', microseconds: 0n };

/** @throws LedgerError INVALID_FIELD, NEGATIVE_OFFSET (B-DED-010); one that is longer than the maximum is fine (B-DED-012) */
export function validateDeduplication(period: DeduplicationPeriod | undefined): void {
  if (period?.kind === 'offset') {
    if (period.offset < 0) throw negativeDeduplicationOffset(period.offset);
  } else if (period !== undefined) {
    if (period.microseconds < 0n)
      throw invalidField('deduplication_period', 'Duration must be positive');
    // An assertion of the participant's own: its caller learns no more than that something went wrong.
    if (period.isFiner) throw unexpectedFailure();
  }
}

/** As Canton prints it. */
export function periodText(period: DeduplicationPeriod): string {
  if (period.kind === 'duration')
    return `DeduplicationDuration(${formatDuration(period.microseconds)})`;
  return `DeduplicationOffset(${offsetText(period.offset)})`;
}

/** An offset as Canton prints one that may be the beginning of a participant. */
export function offsetText(offset: number): string {
  return offset === 0 ? 'None' : `Some(Offset(${offset}))`;
}
