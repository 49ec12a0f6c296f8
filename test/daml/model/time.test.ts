import fc from 'fast-check';
import {
  formatDate,
  formatInstant,
  formatTimestamp,
  formatTimestampMicros,
  MAX_DATE,
  MAX_TIMESTAMP,
  MIN_DATE,
  MIN_TIMESTAMP,
  parseDate,
  parseTimestamp,
} from '../../../src/daml/model/time.js';
import {
  dateError,
  instantError,
  offsetDateTimeError,
  parseInstant,
  parseOffsetDateTime,
  timestampError,
} from '../../../src/daml/codec/java-time.js';
import { arbitraryDate, arbitraryTimestamp } from '../../support/daml/arbitrary-daml.js';
import { check } from '../../support/property.js';

describe('timestamps', () => {
  it.each([
    // [text, trimmed (S-GEN-025), groups of three (S-GEN-026), six digits (S-GEN-027)]
    [
      '2024-10-02T14:28:37.20856Z',
      '2024-10-02T14:28:37.20856Z',
      '2024-10-02T14:28:37.208560Z',
      '2024-10-02T14:28:37.208560Z',
    ],
    [
      '2024-10-02T06:00:00Z',
      '2024-10-02T06:00:00Z',
      '2024-10-02T06:00:00Z',
      '2024-10-02T06:00:00.000000Z',
    ],
    [
      '2024-02-29T23:59:59.100Z',
      '2024-02-29T23:59:59.1Z',
      '2024-02-29T23:59:59.100Z',
      '2024-02-29T23:59:59.100000Z',
    ],
    [
      '1969-12-31T23:59:59.999999Z',
      '1969-12-31T23:59:59.999999Z',
      '1969-12-31T23:59:59.999999Z',
      '1969-12-31T23:59:59.999999Z',
    ],
    [
      '0001-01-01T00:00:00Z',
      '0001-01-01T00:00:00Z',
      '0001-01-01T00:00:00Z',
      '0001-01-01T00:00:00.000000Z',
    ],
  ])('%s prints in three formats', (text, trimmed, grouped, six) => {
    const micros = parseTimestamp(text)!;
    expect([formatTimestamp(micros), formatInstant(micros), formatTimestampMicros(micros)]).toEqual(
      [trimmed, grouped, six],
    );
  });

  it.each([
    ['2024-01-01T01:00+01:00', '2024-01-01T00:00:00Z'],
    ['2024-01-01t00:00:00z', '2024-01-01T00:00:00Z'],
    ['2024-01-01T00:00:00-05:30:15', '2024-01-01T05:30:15Z'],
    ['2024-01-01T02:00:00+02:00[Europe/Athens]', '2024-01-01T00:00:00Z'],
    ['2024-01-01T00:00:00.123456789Z', '2024-01-01T00:00:00.123456Z'],
    ['2024-01-01T00:00:00.Z', '2024-01-01T00:00:00Z'],
    ['+10000-01-01T00:00:00Z', '+10000-01-01T00:00:00Z'],
  ])('%s is parsed as %s (B-VAL-012)', (text, same) => {
    expect(formatTimestamp(parseTimestamp(text)!)).toBe(same);
  });

  it.each([
    '2024-01-01T00:00:00', // no zone (B-VAL-013)
    '2024-01-01',
    '2024-01-01 00:00:00Z',
    '2024-02-30T00:00:00Z',
    '2023-02-29T00:00:00Z',
    '2024-01-01T24:00:00Z',
    '2024-01-01T00:00:60Z',
    '2024-01-01T00:00:00+0100',
    '2024-01-01T00:00:00+18:01',
    '2024-01-01T00:00:00.1234567891Z',
    '10000-01-01T00:00:00Z',
    '-0000-01-01T00:00:00Z',
    '24-01-01T00:00:00Z',
    '2024-01-01T00:00:00Z\n',
    '',
  ])('%j is not a timestamp', (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });

  it('are parsed from each of their formats', () => {
    check(
      fc.property(arbitraryTimestamp, (micros) => {
        for (const format of [formatTimestamp, formatInstant, formatTimestampMicros]) {
          expect(parseTimestamp(format(micros))).toBe(micros);
        }
      }),
    );
    expect(formatTimestamp(MIN_TIMESTAMP)).toBe('0001-01-01T00:00:00Z');
    expect(formatTimestamp(MAX_TIMESTAMP)).toBe('9999-12-31T23:59:59.999999Z');
  });

  it('match the calendar of the platform', () => {
    check(
      fc.property(
        fc.date({
          min: new Date('0001-01-01T00:00:00Z'),
          max: new Date('9999-12-31T23:59:59.999Z'),
          noInvalidDate: true,
        }),
        (date) => {
          expect(formatTimestampMicros(BigInt(date.getTime()) * 1000n)).toBe(
            date.toISOString().replace('Z', '000Z'),
          );
        },
      ),
    );
  });
});

describe('dates', () => {
  it('are parsed from their text (B-VAL-011)', () => {
    check(fc.property(arbitraryDate, (days) => expect(parseDate(formatDate(days))).toBe(days)));
    expect([formatDate(MIN_DATE), formatDate(0), formatDate(MAX_DATE)]).toEqual([
      '0001-01-01',
      '1970-01-01',
      '9999-12-31',
    ]);
  });

  it.each([
    '2024-1-1',
    '2024-13-01',
    '2024-00-10',
    '2024-04-31',
    '01-01-2024',
    '2024-01-01Z',
    '+2024-01-01',
    '99999-01-01',
  ])('%s is not a date', (text) => expect(parseDate(text)).toBeUndefined());
});

// Each row as OpenJDK 17 tells it.
describe('invalid texts (B-ERR-019)', () => {
  const NO_TIME = 'could not be parsed';
  it.each([
    [dateError, 'today', ' at index 0'],
    [dateError, '2024-1-1', ' at index 5'],
    [dateError, '+2026-01-01', ' at index 0'],
    [dateError, '99999-01-01', ' at index 0'],
    [dateError, '-0000-01-01', ' at index 0'],
    [dateError, '2024-01-01Z', ', unparsed text found at index 10'],
    [dateError, '2023-02-29', ": Invalid date 'February 29' as '2023' is not a leap year"],
    [dateError, '2024-02-30', ": Invalid date 'FEBRUARY 30'"],
    [dateError, '2026-13-45', ': Invalid value for MonthOfYear (valid values 1 - 12): 13'],
    [dateError, '2026-01-32', ': Invalid value for DayOfMonth (valid values 1 - 28/31): 32'],
    [
      dateError,
      '+1000000000-01-01',
      ': Invalid value for Year (valid values -999999999 - 999999999): 1000000000',
    ],
    [timestampError, '2024-01-01', ' at index 10'],
    [
      timestampError,
      '2024-01-01T00:00:00',
      ': Unable to obtain ZonedDateTime from TemporalAccessor: {},ISO resolved to 2024-01-01T00:00 of type java.time.format.Parsed',
    ],
    [
      timestampError,
      '2024-01-01t10:00:30.5001',
      ': Unable to obtain ZonedDateTime from TemporalAccessor: {},ISO resolved to 2024-01-01T10:00:30.500100 of type java.time.format.Parsed',
    ],
    [
      timestampError,
      '2024-01-01T25:00:00Z',
      ': Invalid value for HourOfDay (valid values 0 - 23): 25',
    ],
    [
      timestampError,
      '2024-01-01T24:60:00Z',
      ': Invalid value for MinuteOfHour (valid values 0 - 59): 60',
    ],
    [
      timestampError,
      '2026-01-01T23:59:60Z',
      ': Invalid value for SecondOfMinute (valid values 0 - 59): 60',
    ],
    [timestampError, '2026-02-30T24:00:00+19:00', ": Invalid date 'FEBRUARY 30'"],
    [
      timestampError,
      '2026-01-01T10:00:00+18:00:01',
      ': Zone offset not in valid range: -18:00 to +18:00',
    ],
    [
      timestampError,
      '2026-13-01T00:00:00+24:00x',
      ': Value out of range: Hour[0-23], Minute[0-59], Second[0-59]',
    ],
    [timestampError, '2026-01-01T10:00:00+01', ', unparsed text found at index 19'],
    [timestampError, '2026-01-01T10:00:00+10:10:60', ', unparsed text found at index 25'],
    [timestampError, '2026-01-01T10:00:00[UTC]', ', unparsed text found at index 19'],
    [instantError, '2026-01-01T10:00Z', ' at index 16'],
    [instantError, '2026-01-01T10:00:00', ' at index 19'],
    [instantError, '2026-01-01T24:00:01Z', ' at index 0'],
    [instantError, '2026-01-01T22:59:60Z', ' at index 0'],
    [instantError, '2026-02-30T10:00:00Z', ' at index 0'],
    [instantError, '2026-13-01T00:00:00Zx', ' at index 0'],
    [instantError, '2026-01-01T10:00:00+19:00', ' at index 0'],
    [instantError, '2026-01-01T10:00:00+01', ' at index 19'],
    [instantError, '2026-01-01T10:00:00Z[UTC]', ', unparsed text found at index 20'],
    [
      instantError,
      '2026-13-01T00:00:00+24:00',
      ': Value out of range: Hour[0-23], Minute[0-59], Second[0-59]',
    ],
    [offsetDateTimeError, '2026-01-01T10:00:0', ' at index 16'],
    [offsetDateTimeError, '2026-01-01T10:00:00+0100', ', unparsed text found at index 22'],
    [
      offsetDateTimeError,
      '2026-01-01T10:00:00+24',
      ': Value out of range: Hour[0-23], Minute[0-59], Second[0-59]',
    ],
    [
      offsetDateTimeError,
      '2026-01-01T24:00:00Z',
      ': Invalid value for HourOfDay (valid values 0 - 23): 24',
    ],
  ])('%# have an error with the position of the fault', (fault, text, reason) =>
    expect(fault(text)).toBe(`Text '${text}' ${NO_TIME}${reason}`),
  );

  it('are shortened in errors if they are long', () => {
    expect(instantError('x'.repeat(65))).toBe(
      `Text '${'x'.repeat(64)}...' could not be parsed at index 0`,
    );
  });

  it.each([
    ['2026-01-01T24:00:00Z', '2026-01-02T00:00:00Z'],
    ['2026-01-01T23:59:60.5Z', '2026-01-01T23:59:59.5Z'],
    ['2026-01-01t10:00:00+01:00', '2026-01-01T09:00:00Z'],
  ])('%s is an instant', (text, same) => {
    expect(instantError(text)).toBeUndefined();
    expect(formatTimestamp(parseInstant(text))).toBe(same);
  });

  it.each([
    ['2026-01-01T10:00+01', '2026-01-01T09:00:00Z'],
    ['2026-01-01T10:00:00.Z', '2026-01-01T10:00:00Z'],
  ])('%s is an OffsetDateTime', (text, same) => {
    expect(offsetDateTimeError(text)).toBeUndefined();
    expect(formatTimestamp(parseOffsetDateTime(text))).toBe(same);
  });

  it.each(['[Z]', '[+01:00]', '[UTC+01:00]', '[Etc/GMT+5]', ''])(
    'a time zone suffix may be %j',
    (zone) => {
      const text = `2026-01-01T10:00:00Z${zone}`;
      expect(timestampError(text)).toBeUndefined();
      expect(formatTimestamp(parseTimestamp(text)!)).toBe('2026-01-01T10:00:00Z');
    },
  );
});
