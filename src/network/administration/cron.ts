/**
 * Cron expressions of Canton's schedules, in UTC: seconds, minutes, hours, days of a month, months, days of a week (1
 * is Sunday) and, optionally, years.
 * NOTE: `L`, `W` and `#` in days are not supported, and are rejected as invalid.
 */
import { daysInMonth, formatDate } from '../../daml/model/time.js';
import type { Timestamp } from '../../daml/model/values.js';

interface Field {
  readonly name: string;
  readonly low: number;
  readonly high: number;
  readonly names?: readonly string[];
  readonly isOptional?: true;
}

const MONTHS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');
const WEEKDAYS = 'SUN MON TUE WED THU FRI SAT'.split(' ');
const FIELDS: readonly Field[] = [
  { name: 'Second', low: 0, high: 59 },
  { name: 'Minute', low: 0, high: 59 },
  { name: 'Hour', low: 0, high: 23 },
  { name: 'Day-of-month', low: 1, high: 31 },
  { name: 'Month', low: 1, high: 12, names: MONTHS },
  { name: 'Day-of-week', low: 1, high: 7, names: WEEKDAYS },
  { name: 'Year', low: 1970, high: 2199, isOptional: true },
];
const LONGEST = 300;
const DAY = 86_400n * 1_000_000n;
/** The number of days to search: two dates of February 29 can be eight years apart. */
const MOST_DAYS = 366 * 9;

/** Sorted values of each field. */
export type Cron = readonly (readonly number[])[];

/** @returns the reason if the text is invalid */
export function readCron(text: string): Cron | string {
  if (text.length > LONGEST)
    return `requirement failed: The given string has a maximum length of ${LONGEST} but a string of length ${text.length} ('${text}') was given`;
  const parts = text
    .toUpperCase()
    .split(/[ \t]+/)
    .filter((part) => part !== '');
  const fields: (readonly number[])[] = [];
  for (const [index, field] of FIELDS.entries()) {
    const part = parts[index] ?? (field.isOptional ? '*' : undefined);
    if (part === undefined) return 'Unexpected end of expression.';
    const values = valuesOf(part, field);
    if (typeof values === 'string') return values;
    fields.push(values);
  }
  if ((parts[3] === '?') === (parts[5] === '?'))
    return 'Support for specifying both a day-of-week AND a day-of-month parameter is not implemented.';
  return fields;
}

/** In the order of the text: an invalid text reports its first error. */
function valuesOf(text: string, field: Field): readonly number[] | string {
  const { low, high } = field;
  const error = `${field.name} values must be between ${low} and ${high}`;
  const found = new Set<number>();
  for (const item of text.split(',').filter((each) => each !== '')) {
    const illegal = illegalIn(item, field);
    if (illegal !== undefined) return illegal;
    const [range = '', step] = item.split('/');
    const by = step === undefined ? 1 : Number(step);
    if (!Number.isInteger(by) || by < 1) return error;
    const isAny = range === '*' || (range === '?' && isOfDays(field));
    const [from = '', to] = range.split('-');
    const first = isAny ? low : numberOf(from, field);
    const last =
      isAny || (to === undefined && step !== undefined) ? high : numberOf(to ?? from, field);
    if (!(first >= low && first <= high && last >= low && last <= high)) return error;
    // A range whose end is before its start wraps around.
    const length = last >= first ? last - first : last - first + (high - low + 1);
    for (let at = 0; at <= length; at += by)
      found.add(low + ((first - low + at) % (high - low + 1)));
  }
  return [...found].sort((a, b) => a - b);
}

const isOfDays = ({ name }: Field): boolean => name.startsWith('Day');

function numberOf(word: string, { names, low }: Field): number {
  const named = names?.indexOf(word) ?? -1;
  return named >= 0 ? named + low : /^\d{1,4}$/.test(word) ? Number(word) : NaN;
}

/** A letter in a field without names, or another character that cannot start an item. */
function illegalIn(item: string, { names }: Field): string | undefined {
  if (/^[A-Z]/.test(item) && names === undefined)
    return `Illegal characters for this position: '${item.slice(0, 3)}'`;
  return /^[A-Z0-9*?/]/.test(item) ? undefined : `Unexpected character: ${item.slice(0, 1)}`;
}

/** The first time after another; undefined if there is none. */
export function nextAfter(cron: Cron, time: Timestamp): Timestamp | undefined {
  const [seconds, minutes, hours, monthDays, months, weekdays, years] = cron;
  const start = time / 1_000_000n + 1n;
  const firstDay = Number(start / 86_400n);
  for (let day = firstDay; day < firstDay + MOST_DAYS; day += 1) {
    const [year, month, monthDay] = formatDate(day).split('-').map(Number) as [
      number,
      number,
      number,
    ];
    const weekday = ((day + 4) % 7) + 1;
    if (
      !years!.includes(year) ||
      !months!.includes(month) ||
      monthDay > daysInMonth(year, month) ||
      !monthDays!.includes(monthDay) ||
      !weekdays!.includes(weekday)
    )
      continue;
    const least = day === firstDay ? Number(start % 86_400n) : 0;
    for (const hour of hours!)
      for (const minute of minutes!) {
        const base = hour * 3600 + minute * 60;
        if (base + 59 < least) continue;
        for (const second of seconds!)
          if (base + second >= least) return BigInt(day) * DAY + BigInt(base + second) * 1_000_000n;
      }
  }
  return undefined;
}
