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
} from '../../src/daml/model/time.js';
import { dateFault, timestampFault } from '../../src/daml/codec/time-faults.js';
import { arbitraryDate, arbitraryTimestamp } from '../support/daml/arbitrary-daml.js';
import { check } from '../support/property.js';

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
  ])('%s has three texts', (text, trimmed, grouped, six) => {
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
  ])('%s is read as %s (B-VAL-012)', (text, same) => {
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
  ])('%j is no timestamp', (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });

  it('are read back from each of their texts', () => {
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

  it('agree with the platform calendar', () => {
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
  it('are read back from their text (B-VAL-011)', () => {
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
  ])('%s is no date', (text) => expect(parseDate(text)).toBeUndefined());
});

describe('refused texts (B-ERR-019)', () => {
  it.each([
    [dateFault, 'today', "Text 'today' could not be parsed at index 0"],
    [dateFault, '2024-1-1', "Text '2024-1-1' could not be parsed at index 5"],
    [
      dateFault,
      '2024-01-01Z',
      "Text '2024-01-01Z' could not be parsed, unparsed text found at index 10",
    ],
    [dateFault, '2023-02-29', "Text '2023-02-29' could not be parsed: Invalid date"],
    [timestampFault, '2024-01-01', "Text '2024-01-01' could not be parsed at index 10"],
    [
      timestampFault,
      '2024-01-01T00:00:00',
      "Text '2024-01-01T00:00:00' could not be parsed: Unable to obtain ZonedDateTime from TemporalAccessor",
    ],
    [
      timestampFault,
      '2024-01-01T25:00:00Z',
      "Text '2024-01-01T25:00:00Z' could not be parsed: Invalid date or time",
    ],
  ])('%# say where they go wrong', (fault, text, message) => expect(fault(text)).toBe(message));
});
