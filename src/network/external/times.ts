/** The ledger times for which a prepared transaction stays the same, and its latest execution time. */
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import { formatInstant, timeBetween } from '../../daml/model/time.js';
import type { Timestamp } from '../../daml/model/values.js';
import { notSequenced } from '../ledger/in-flight.js';
import type { Protocol } from '../model/protocol.js';
import { ledgerTimeVerdict } from '../commands/ledger-time.js';

/** The largest difference between preparation and record time: Canton's default, a day. */
const PREPARATION_TIME_TOLERANCE = 24n * 3600n * 1_000_000n;

export interface TimeBounds {
  readonly min?: Timestamp;
  readonly max?: Timestamp;
}

/** Collects the dependencies of a run on the ledger time. */
export class ObservedTime {
  private bounds: TimeBounds = {};

  readonly observe = ({ min, max }: TimeBounds): void => {
    const { min: earliest, max: latest } = this.bounds;
    this.bounds = {
      min: min === undefined || (earliest !== undefined && earliest > min) ? earliest : min,
      max: max === undefined || (latest !== undefined && latest < max) ? latest : max,
    };
  };

  get all(): TimeBounds {
    return this.bounds;
  }

  /** Whether the result depends on the time. */
  get isTimed(): boolean {
    return this.bounds.min !== undefined || this.bounds.max !== undefined;
  }
}

/** The time closest to the wanted one that does not change the result. */
export function withinBounds(wanted: Timestamp, { min, max }: TimeBounds): Timestamp {
  if (min !== undefined && wanted < min) return min;
  return max !== undefined && wanted > max ? max : wanted;
}

interface ExecutionTimes {
  readonly ledgerTime: Timestamp;
  readonly preparationTime: Timestamp;
  readonly maxRecordTime?: Timestamp;
}

/** The error if it is too late to sequence a transaction. */
export function lateVerdict(
  { sequencesLate }: Protocol,
  { maxRecordTime }: ExecutionTimes,
  recordTime: Timestamp,
): LedgerError | undefined {
  return !sequencesLate && isLate(maxRecordTime, recordTime) ? notSequenced() : undefined;
}

function isLate(
  maxRecordTime: Timestamp | undefined,
  recordTime: Timestamp,
): maxRecordTime is Timestamp {
  return maxRecordTime !== undefined && recordTime > maxRecordTime;
}

/** The confirming participants' error for a transaction with this record time. */
export function timesVerdict(
  { ledgerTime, preparationTime, maxRecordTime }: ExecutionTimes,
  recordTime: Timestamp,
): LedgerError | undefined {
  const verdict = ledgerTimeVerdict(ledgerTime, recordTime);
  if (verdict !== undefined) return verdict;
  const at = `recordTime=${formatInstant(recordTime)}`;
  if (timeBetween(preparationTime, recordTime) > PREPARATION_TIME_TOLERANCE)
    return ledgerError(
      'LOCAL_VERDICT_PREPARATION_TIME_OUT_OF_BOUND',
      `Rejected transaction as delta of the preparation time and the record time exceed the time tolerance preparationTime=${formatInstant(preparationTime)}, ${at}, maxDelta=1d`,
    );
  if (isLate(maxRecordTime, recordTime))
    return ledgerError(
      'LOCAL_VERDICT_MAX_RECORD_TIME_EXCEEDED',
      `Rejected transaction as record time exceeds the maximum record time: ${at}, maxRecordTime=${formatInstant(maxRecordTime)}`,
    );
  return undefined;
}
