/**
 * Parses dates and times like the JVM, with its error texts, which Canton and Splice pass on (B-ERR-019, S-UPD-004). One row for each form:
 * LocalDate, ZonedDateTime (Daml values), Instant and OffsetDateTime.
 */
import { daysInMonth, formatInstant, isTimestamp, parseTimestamp } from '../model/time.js';
import type { Timestamp } from '../model/values.js';

type Element = readonly [pattern: RegExp, required: boolean];

/** A form of text: its elements in order, and whether it ends there. */
interface Form {
  readonly elements: readonly Element[];
  /** The error for a text that has the form but an invalid value. */
  readonly valueError: (text: string) => string | undefined;
  /** For an instant, values are checked before the rest of the text, and errors in them have no reason. */
  readonly isInstant?: boolean;
}

const required = (pattern: RegExp): Element => [pattern, true];
const optional = (pattern: RegExp): Element => [pattern, false];

/** More than four digits need a sign, and a plus sign needs more than four digits. There is no year -0. */
const YEAR = /\d{4}(?!\d)|\+\d{5,10}|-(?!0+(?!\d))\d{4,10}/y;
const DATE = [YEAR, /-/y, /\d\d/y, /-/y, /\d\d/y].map(required);
const MINUTES = [/[Tt]/y, /\d\d/y, /:/y, /\d\d/y].map(required);
const SECONDS = [/:/y, /\d\d/y].map(required);
const FRACTION = optional(/\.\d{0,9}/y);
const OFFSET = /[Zz]|[+-][0-5]\d:[0-5]\d(?::[0-5]\d)?/y;
const LENIENT_OFFSET = /[Zz]|[+-][0-5]\d(?::[0-5]\d(?::[0-5]\d)?)?/y;
/** NOTE: the JVM's list of regions is not checked. */
const REGION = /\[(?:Z|(?:UTC|GMT|UT)?[+-]\d\d:\d\d(?::\d\d)?|[A-Za-z][A-Za-z0-9~/._+-]+)\]/.source;
const ZONE = optional(new RegExp(`(?:${OFFSET.source})(?:${REGION})?`, 'y'));

const LOCAL_DATE: Form = { elements: DATE, valueError: dateValueError };
const ZONED_DATE_TIME: Form = {
  elements: [...DATE, ...MINUTES, optional(/:\d\d(?:\.\d{0,9})?/y), ZONE],
  valueError: (text) => timeValueError(text) ?? zoneError(text),
};
const OFFSET_DATE_TIME: Form = {
  elements: [...DATE, ...MINUTES, optional(/:\d\d(?:\.\d{0,9})?/y), required(LENIENT_OFFSET)],
  valueError: timeValueError,
};
const INSTANT: Form = {
  elements: [...DATE, ...MINUTES, ...SECONDS, FRACTION, required(OFFSET)],
  valueError: (text) => timeValueError(withinDay(text)),
  isInstant: true,
};

/** The error for a text that is not a LocalDate in the form of ISO_LOCAL_DATE. */
export const dateError = (text: string): string | undefined => describeError(text, LOCAL_DATE);

/** The error for a text that is not a ZonedDateTime in the form of ISO_DATE_TIME. */
export const timestampError = (text: string): string | undefined =>
  describeError(text, ZONED_DATE_TIME);

/** The error of `Instant.parse` for a text. */
export const instantError = (text: string): string | undefined => describeError(text, INSTANT);

/** The error of `OffsetDateTime.parse` for a text. */
export const offsetDateTimeError = (text: string): string | undefined =>
  describeError(text, OFFSET_DATE_TIME);

/**
 * In microseconds, without smaller digits.
 * @param text valid by {@link instantError}: midnight may be 24:00, and a day may have a leap second
 */
export function parseInstant(text: string): Timestamp {
  const micros = parseTimestamp(withinDay(text))!;
  return MIDNIGHT.test(text) ? micros + 86_400_000_000n : micros;
}

/**
 * In microseconds, without smaller digits.
 * @param text valid by {@link offsetDateTimeError}
 */
export function parseOffsetDateTime(text: string): Timestamp {
  return parseTimestamp(text.replace(/([+-]\d\d)$/, '$1:00'))!;
}

/**
 * The error for a time outside Daml's bounds.
 * @param micros of an instant
 */
export function boundsError(micros: bigint): string | undefined {
  if (isTimestamp(micros)) return undefined;
  return BigInt.asIntN(64, micros) === micros ? `out of bound Timestamp ${micros}` : 'Overflow';
}

/** The error for a conversion of such an instant. */
export function conversionError(micros: bigint): string | undefined {
  const error = boundsError(micros);
  return error && `cannot convert instant ${formatInstant(micros)} into Timestamp:${error}`;
}

const MIDNIGHT = /(?<=[Tt])24(?=:00:00(?:\.0*)?(?:[Zz]|[+-]))/;

function withinDay(text: string): string {
  return text.replace(MIDNIGHT, '00').replace(/(?<=[Tt]23:59:)60/, '59');
}

/** The message shows this number of characters. */
const SHOWN = 64;

function describeError(
  text: string,
  { elements, valueError, isInstant }: Form,
): string | undefined {
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text;
  const reason = (detail: string) => `Text '${shown}' could not be parsed${detail}`;
  let position = 0;
  for (const [pattern, isRequired] of elements) {
    pattern.lastIndex = position;
    const found = pattern.exec(text);
    if (found !== null) position = pattern.lastIndex;
    else if (isRequired) return reason(` at index ${position}`);
  }
  if (Number(OFFSET_HOURS.exec(text.slice(0, position))?.[1] ?? 0) > 23)
    return reason(': Value out of range: Hour[0-23], Minute[0-59], Second[0-59]');
  const invalid = isInstant ? valueError(text) : undefined;
  if (invalid !== undefined) return reason(' at index 0');
  if (position < text.length) return reason(`, unparsed text found at index ${position}`);
  const untrue = valueError(text);
  return untrue === undefined ? undefined : reason(`: ${untrue}`);
}

/** The text after it, such as a region, may have any length. */
const OFFSET_HOURS = /^[^Tt]*[Tt][^+\-[]*[+-](\d\d)/;

const MONTHS =
  'JANUARY FEBRUARY MARCH APRIL MAY JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER DECEMBER'.split(
    ' ',
  );

function dateValueError(text: string): string | undefined {
  const [, year, month, day] = /^([+-]?\d+)-(\d\d)-(\d\d)/.exec(text)!.map(Number) as [
    number,
    number,
    number,
    number,
  ];
  return (
    rangeError('Year', '-999999999 - 999999999', year, Math.abs(year) <= 999_999_999) ??
    rangeError('MonthOfYear', '1 - 12', month, month >= 1 && month <= 12) ??
    rangeError('DayOfMonth', '1 - 28/31', day, day >= 1 && day <= 31) ??
    (day <= daysInMonth(year, month)
      ? undefined
      : day === 29
        ? `Invalid date 'February 29' as '${year}' is not a leap year`
        : `Invalid date '${MONTHS[month - 1]} ${day}'`)
  );
}

function timeValueError(text: string): string | undefined {
  const [, hour, minute, second] = /[Tt](\d\d):(\d\d)(?::(\d\d))?/.exec(text)!.map(Number) as [
    number,
    number,
    number,
    number,
  ];
  return (
    dateValueError(text) ??
    rangeError('MinuteOfHour', '0 - 59', minute, minute <= 59) ??
    rangeError('HourOfDay', '0 - 23', hour, hour <= 23) ??
    rangeError('SecondOfMinute', '0 - 59', second, !(second > 59)) ??
    offsetError(text)
  );
}

function rangeError(field: string, valid: string, value: number, isValid: boolean) {
  return isValid ? undefined : `Invalid value for ${field} (valid values ${valid}): ${value}`;
}

function offsetError(text: string): string | undefined {
  const [, hours, minutes = 0, seconds = 0] =
    /^[^Tt]*[Tt][^+\-[]*[+-](\d\d)(?::(\d\d)(?::(\d\d))?)?/
      .exec(text)
      ?.map((part) => Number(part ?? 0)) ?? [];
  if (hours === undefined || hours * 3600 + minutes * 60 + seconds <= 18 * 3600) return undefined;
  return 'Zone offset not in valid range: -18:00 to +18:00';
}

function zoneError(text: string): string | undefined {
  const [, minute, second = '00', fraction = ''] =
    /^(.*[Tt]\d\d:\d\d)(?::(\d\d)(?:\.(\d*))?)?$/.exec(text) ?? [];
  if (minute === undefined) return undefined;
  const local = `${minute.toUpperCase()}${shownSeconds(second, fraction)}`;
  return `Unable to obtain ZonedDateTime from TemporalAccessor: {},ISO resolved to ${local} of type java.time.format.Parsed`;
}

/** Seconds as the JVM prints them: omitted if zero, with a fraction in groups of three digits. */
export function shownSeconds(second: string, fraction: string): string {
  const digits = fraction.replace(/0+$/, '');
  if (digits === '') return second === '00' ? '' : `:${second}`;
  return `:${second}.${digits.padEnd(Math.ceil(digits.length / 3) * 3, '0')}`;
}
