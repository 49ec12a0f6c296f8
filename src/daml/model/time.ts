/**
 * Daml's Timestamp (microseconds since 1970 as bigint) and Date (days since 1970) and their texts, with calendar functions of this file.
 * JavaScript's `Date` does not have microseconds. Callers choose the errors.
 */
import type { Timestamp } from './values.js';

export const MICROS_PER_SECOND = 1_000_000n;
const SECONDS_PER_DAY = 86_400n;
const MICROS_PER_DAY = MICROS_PER_SECOND * SECONDS_PER_DAY;

/** 0001-01-01 and 9999-12-31. */
export const MIN_DATE = -719_162;
export const MAX_DATE = 2_932_896;
export const MIN_TIMESTAMP: Timestamp = BigInt(MIN_DATE) * MICROS_PER_DAY;
export const MAX_TIMESTAMP: Timestamp = BigInt(MAX_DATE + 1) * MICROS_PER_DAY - 1n;

export function isDate(days: number): boolean {
  return Number.isInteger(days) && days >= MIN_DATE && days <= MAX_DATE;
}

export function isTimestamp(micros: bigint): boolean {
  return micros >= MIN_TIMESTAMP && micros <= MAX_TIMESTAMP;
}

/** The ledger's error for microseconds out of bounds. */
export function timestampError(micros: bigint): string | undefined {
  return isTimestamp(micros)
    ? undefined
    : `cannot convert long ${micros} into Timestamp:out of bound Timestamp ${micros}`;
}

/** The absolute difference, in microseconds. */
export function timeBetween(one: Timestamp, other: Timestamp): bigint {
  return one > other ? one - other : other - one;
}

const LOCAL_DATE = String.raw`([+-]?\d{4,9})-(\d\d)-(\d\d)`;
const LOCAL_TIME = String.raw`(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{0,9}))?)?`;
const OFFSET = String.raw`(?:[Zz]|([+-])(\d\d):(\d\d)(?::(\d\d))?)`;
const REGION = String.raw`(?:\[(?:Z|(?:UTC|GMT|UT)?[+-]\d\d:\d\d(?::\d\d)?|[A-Za-z][A-Za-z0-9~/._+-]+)\])?`;
const DATE_TEXT = new RegExp(`^${LOCAL_DATE}$`);
const DATE_TIME_TEXT = new RegExp(`^${LOCAL_DATE}[Tt]${LOCAL_TIME}${OFFSET}${REGION}$`);

/**
 * Parses an ISO-8601 date `YYYY-MM-DD` like `java.time`'s ISO_LOCAL_DATE (B-VAL-011): longer years need a sign. Undefined if invalid; the
 * bounds of Daml are not checked.
 */
export function parseDate(text: string): number | undefined {
  const match = DATE_TEXT.exec(text);
  return match === null ? undefined : daysFromTexts(match[1]!, match[2]!, match[3]!);
}

/**
 * Parses an ISO-8601 date and time with a zone like `java.time`'s ISO_DATE_TIME (B-VAL-012, B-VAL-013). Seconds and fraction are optional,
 * the zone is required, and digits below the microsecond are dropped. Bounds are not checked.
 */
export function parseTimestamp(text: string): Timestamp | undefined {
  const match = DATE_TIME_TEXT.exec(text);
  if (match === null) return undefined;
  const days = daysFromTexts(match[1]!, match[2]!, match[3]!);
  const [hour, minute, second] = [match[4], match[5], match[6] ?? '0'].map(Number) as [
    number,
    number,
    number,
  ];
  if (days === undefined || hour > 23 || minute > 59 || second > 59) return undefined;
  const offset = offsetSeconds(match[8], match[9], match[10], match[11]);
  if (offset === undefined) return undefined;
  const micros = BigInt((match[7] ?? '').slice(0, 6).padEnd(6, '0'));
  const seconds =
    BigInt(days) * SECONDS_PER_DAY + BigInt(hour * 3600 + minute * 60 + second - offset);
  return seconds * MICROS_PER_SECOND + micros;
}

export function formatDate(days: number): string {
  const { year, month, day } = civilFromDays(days);
  return `${formatYear(year)}-${pad2(month)}-${pad2(day)}`;
}

/**
 * Without trailing zeros in the fraction, or without a fraction if it is zero: Daml values in JSON (B-VAL-012) and Scan's `date-time`
 * fields (S-GEN-025).
 */
export function formatTimestamp(micros: Timestamp): string {
  const fraction = sixDigits(micros).replace(/0+$/, '');
  return `${toSecond(micros)}${fraction === '' ? '' : `.${fraction}`}Z`;
}

/**
 * A fraction of 0, 3 or 6 digits, like `java.time.Instant` (S-GEN-026). For the Ledger API's own times, such as `recordTime`, `effectiveAt`
 * and `createdAt`, and for texts of participants and Daml code.
 */
export function formatInstant(micros: Timestamp): string {
  const fraction = sixDigits(micros);
  const shown =
    fraction === '000000'
      ? ''
      : fraction.endsWith('000')
        ? `.${fraction.slice(0, 3)}`
        : `.${fraction}`;
  return `${toSecond(micros)}${shown}Z`;
}

/** Always six fraction digits (S-GEN-027). */
export function formatTimestampMicros(micros: Timestamp): string {
  return `${toSecond(micros)}.${sixDigits(micros)}Z`;
}

/**
 * Hours, minutes and seconds that are not zero, like `java.time.Duration`.
 * @param micros not negative
 */
export function formatDuration(micros: bigint): string {
  const seconds = micros / MICROS_PER_SECOND;
  const fraction = sixDigits(micros).replace(/0+$/, '');
  const ofMinute = `${seconds % 60n}${fraction === '' ? '' : `.${fraction}`}`;
  const parts = [
    [String(seconds / 3600n), 'H'],
    [String((seconds / 60n) % 60n), 'M'],
    [ofMinute, 'S'],
  ] as const;
  const shown = parts.filter(([count]) => count !== '0').map(([count, unit]) => count + unit);
  return `PT${shown.join('') || '0S'}`;
}

/** Caches the last second, because consecutive times are often in the same one. */
let latestSecond = 0n;
let latestText = '1970-01-01T00:00:00';

function toSecond(micros: Timestamp): string {
  const second = floorDiv(micros, MICROS_PER_SECOND);
  if (second !== latestSecond) {
    latestText = textOfSecond(second);
    latestSecond = second;
  }
  return latestText;
}

function textOfSecond(second: bigint): string {
  const days = floorDiv(second, SECONDS_PER_DAY);
  const ofDay = Number(second - days * SECONDS_PER_DAY);
  const time = [Math.floor(ofDay / 3600), Math.floor(ofDay / 60) % 60, ofDay % 60]
    .map(pad2)
    .join(':');
  return `${formatDate(Number(days))}T${time}`;
}

function sixDigits(micros: Timestamp): string {
  const rest = Number(micros % MICROS_PER_SECOND);
  return String(rest < 0 ? rest + 1_000_000 : rest).padStart(6, '0');
}

function daysFromTexts(yearText: string, monthText: string, dayText: string): number | undefined {
  const signed = yearText.startsWith('+') || yearText.startsWith('-');
  const digits = signed ? yearText.slice(1) : yearText;
  // Years with more than four digits need a sign, and a plus sign needs more than four digits.
  if (yearText.startsWith('+') ? digits.length < 5 : !signed && digits.length > 4) return undefined;
  if (digits.length < 4 || (yearText.startsWith('-') && Number(digits) === 0)) return undefined;
  const [year, month, day] = [Number(yearText), Number(monthText), Number(dayText)];
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  return daysFromCivil(year, month, day);
}

/** Seconds east of UTC; undefined beyond 18 hours. */
function offsetSeconds(
  sign: string | undefined,
  hours: string | undefined,
  minutes: string | undefined,
  seconds: string | undefined,
): number | undefined {
  if (sign === undefined) return 0;
  if (Number(minutes) > 59 || Number(seconds ?? 0) > 59) return undefined;
  const total = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds ?? 0);
  if (total > 18 * 3600) return undefined;
  return sign === '-' ? -total : total;
}

/** @param month 1 to 12 */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

// The two conversions use eras of 400 years from March 1, so that leap days are last.
const DAYS_PER_ERA = 146_097;
const DAYS_FROM_ERA_TO_EPOCH = 719_468;

function daysFromCivil(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_PER_ERA + dayOfEra - DAYS_FROM_ERA_TO_EPOCH;
}

function civilFromDays(days: number): { year: number; month: number; day: number } {
  const shifted = days + DAYS_FROM_ERA_TO_EPOCH;
  const era = Math.floor(shifted / DAYS_PER_ERA);
  const dayOfEra = shifted - era * DAYS_PER_ERA;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
  };
}

function formatYear(year: number): string {
  const digits = String(Math.abs(year)).padStart(4, '0');
  return year < 0 ? `-${digits}` : year > 9999 ? `+${digits}` : digits;
}

function pad2(value: number): string {
  return String(value).padStart(2, '0');
}

function floorDiv(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend % divisor < 0n ? quotient - 1n : quotient;
}
