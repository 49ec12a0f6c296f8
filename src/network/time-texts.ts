/** Times and durations as tests write them: in scenarios, and in requests to the controls. */
import { ledgerError } from '../daml/ledger-error.js';
import { parseTimestamp } from '../daml/time.js';
import type { Timestamp } from '../daml/values.js';

/** @throws LedgerError for a text that is no time, or none that a ledger knows */
export function parseTime(text: string): Timestamp {
  const time = parseTimestamp(text);
  if (time === undefined)
    throw ledgerError(
      'INVALID_ARGUMENT',
      `'${text}' is not a time of a ledger, such as 2026-01-01T00:00:00.000001Z.`,
    );
  return time;
}

const DURATION =
  /^P(?=.)(?:(\d{1,9})D)?(?:T(?=.)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})(?:\.(\d{1,6}))?S)?)?$/i;

/** Microseconds in an ISO-8601 duration of days, hours, minutes and seconds. */
export function parseDuration(text: string): bigint {
  const match = DURATION.exec(text);
  if (match === null)
    throw ledgerError(
      'INVALID_ARGUMENT',
      `'${text}' is not a duration, such as PT10M or P1DT2H3.5S.`,
    );
  const [, days = '0', hours = '0', minutes = '0', seconds = '0', fraction = ''] = match;
  const whole =
    ((BigInt(days) * 24n + BigInt(hours)) * 60n + BigInt(minutes)) * 60n + BigInt(seconds);
  return whole * 1_000_000n + BigInt(fraction.padEnd(6, '0'));
}
