/**
 * Times and durations in scenarios, calls and requests to the controls.
 * NOTE: the errors are Canticle's: only tests and scenario files get them.
 */
import { nearest } from '../../daml/errors/edit-distance.js';
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import { parseTimestamp } from '../../daml/model/time.js';
import type { Timestamp } from '../../daml/model/values.js';

/** @throws LedgerError for an invalid time, or one outside the range of a ledger */
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

const PART_SECONDS = { days: 86_400, hours: 3_600, minutes: 60, seconds: 1 } as const;
type Part = keyof typeof PART_SECONDS;

/** Microseconds, a text such as `PT10M`, or parts such as `{ minutes: 10 }`. */
export type Duration = bigint | string | { readonly [P in Part]?: number };

/**
 * Microseconds.
 * @throws LedgerError INVALID_ARGUMENT for an invalid duration
 */
export function durationOf(given: Duration): bigint {
  if (typeof given === 'bigint') return given;
  if (typeof given === 'string') return parseDuration(given);
  const parts = typeof given === 'object' && given !== null ? Object.entries(given) : [];
  if (parts.length === 0)
    throw noDuration(
      String(given),
      'It is a text such as PT10M, or parts such as { minutes: 10 }.',
    );
  const seconds = parts.reduce((sum, [name, count]) => sum + count * secondsIn(name), 0);
  if (!Number.isFinite(seconds)) throw noDuration(JSON.stringify(given), 'Its parts are numbers.');
  return BigInt(Math.round(seconds * 1_000_000));
}

function secondsIn(part: string): number {
  if (Object.hasOwn(PART_SECONDS, part)) return PART_SECONDS[part as Part];
  const parts = Object.keys(PART_SECONDS);
  const meant = nearest(part, parts);
  throw noDuration(
    `{ ${part}: … }`,
    meant === undefined ? `Its parts are ${parts.join(', ')}.` : `Did you mean ${meant}?`,
  );
}

const noDuration = (given: string, remedy: string): LedgerError =>
  ledgerError('INVALID_ARGUMENT', `${given} is not a duration. ${remedy}`);
