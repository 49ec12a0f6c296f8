/**
 * The deduplication period, in which a change must not have been accepted before: in requests and in completions
 * (B-DED-*).
 */
import { formatDuration } from '../../daml/model/time.js';
import { unexpectedFailure } from '../../daml/errors/unexpected.js';
import { invalidField, negativeDeduplicationOffset } from './request-errors.js';

export type DeduplicationPeriod =
  | {
      readonly kind: 'duration';
      readonly microseconds: bigint;
      /** Whether it has nanoseconds, which a participant does not support. */
      readonly isFiner?: boolean;
    }
  /** After this offset. */
  | { readonly kind: 'offset'; readonly offset: number };

/** The default of the longest period for which acceptances are always known: seven days, in microseconds. */
export const MAX_DEDUPLICATION_DURATION = 7n * 24n * 3600n * 1_000_000n;

/** Reported if the requested period could not be checked. */
export const NO_DEDUPLICATION: DeduplicationPeriod = { kind: 'duration', microseconds: 0n };

/** @throws LedgerError INVALID_FIELD, NEGATIVE_OFFSET (B-DED-010); one that is longer than the maximum is fine (B-DED-012) */
export function validateDeduplication(period: DeduplicationPeriod | undefined): void {
  if (period?.kind === 'offset') {
    if (period.offset < 0) throw negativeDeduplicationOffset(period.offset);
  } else if (period !== undefined) {
    if (period.microseconds < 0n)
      throw invalidField('deduplication_period', 'Duration must be positive');
    // An assertion of the participant: the caller gets only an unexpected failure.
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
