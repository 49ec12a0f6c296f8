import fc from 'fast-check';
import { decodeValue, encodeValue } from '../../../src/daml/codec/json/codec.js';
import { LedgerError } from '../../../src/daml/errors/ledger-error.js';
import { Numeric } from '../../../src/daml/model/numeric.js';
import type { DamlType } from '../../../src/daml/model/types.js';
import { DamlVariant, Some, UNIT, type DamlValue } from '../../../src/daml/model/values.js';
import {
  contractIdType,
  damlTypeAndValue,
  genMapType,
  INT64,
  listType,
  named,
  numericType,
  optionalType,
  packages,
  PARTY,
  TEXT,
  textMapType,
} from '../../support/daml/arbitrary-daml.js';
import { check } from '../../support/property.js';

const read = (type: DamlType, json: unknown): DamlValue =>
  decodeValue(packages, type, json, 'createArguments');
const write = (type: DamlType, value: DamlValue): unknown => encodeValue(packages, type, value);

function refusal(type: DamlType, json: unknown): LedgerError {
  try {
    read(type, json);
  } catch (error) {
    if (error instanceof LedgerError) return error;
    throw error;
  }
  throw new Error(`accepted ${JSON.stringify(json)}`);
}

const UNIT_TYPE: DamlType = { kind: 'unit' };
const BOOL: DamlType = { kind: 'bool' };
const DATE: DamlType = { kind: 'date' };
const TIMESTAMP: DamlType = { kind: 'timestamp' };
const DECIMAL = numericType(10);
const CID = `00${'ab'.repeat(32)}ca121220${'cd'.repeat(32)}`;

describe('the JSON of Daml values', () => {
  it('decode to the values that were encoded, as text', () => {
    check(
      fc.property(damlTypeAndValue, ({ type, value }) => {
        const json: unknown = JSON.parse(JSON.stringify(write(type, value)));
        expect(read(type, json)).toEqual(value);
        expect(write(type, read(type, json))).toEqual(json);
      }),
      { numRuns: 500 },
    );
  });

  it.each<[fact: string, type: DamlType, json: unknown, value: DamlValue, written?: unknown]>([
    ['B-VAL-001 unit is {}', UNIT_TYPE, {}, UNIT],
    ['B-VAL-001 any JSON is a unit', UNIT_TYPE, [1, 'x'], UNIT, {}],
    ['B-VAL-002', BOOL, true, true],
    ['B-VAL-003', TEXT, 'héllo 🎉', 'héllo 🎉'],
    ['B-VAL-004 the smallest Int64', INT64, '-9223372036854775808', -(2n ** 63n)],
    ['B-VAL-004 a plus sign', INT64, '+007', 7n, '7'],
    ['B-VAL-005 from text', DECIMAL, '999.99', Numeric.of('999.99'), '999.9900000000'],
    ['B-VAL-005 from a number', DECIMAL, 999.99, Numeric.of('999.99'), '999.9900000000'],
    ['B-VAL-006 scale 0', numericType(0), '5.00', Numeric.of(5, 0), '5.'],
    ['B-VAL-008 a bare point', DECIMAL, '+5.', Numeric.of(5), '5.0000000000'],
    ['B-VAL-010 party', PARTY, 'alice::1220', 'alice::1220'],
    ['B-VAL-010 contract id', contractIdType, CID, CID],
    ['B-VAL-011', DATE, '1969-12-31', -1],
    ['B-VAL-012', TIMESTAMP, '1970-01-01T01:00:00.500+01:00', 500_000n, '1970-01-01T00:00:00.5Z'],
    ['B-VAL-014', listType(INT64), ['1', '2'], [1n, 2n]],
    [
      'B-VAL-015 by code points',
      textMapType(INT64),
      { b: '2', a: '1' },
      new Map([
        ['a', 1n],
        ['b', 2n],
      ]),
    ],
    [
      'B-VAL-016 in Daml order',
      genMapType(INT64, TEXT),
      [
        ['10', 'x'],
        ['9', 'y'],
      ],
      [
        [9n, 'y'],
        [10n, 'x'],
      ],
      [
        ['9', 'y'],
        ['10', 'x'],
      ],
    ],
    [
      'B-VAL-016 the last of equal keys',
      genMapType(INT64, TEXT),
      [
        ['1', 'x'],
        ['01', 'y'],
      ],
      [[1n, 'y']],
      [['1', 'y']],
    ],
    ['B-VAL-017 None', optionalType(INT64), null, null],
    ['B-VAL-017 Some', optionalType(INT64), '1', new Some(1n)],
    ['B-VAL-018 None, nested', optionalType(optionalType(INT64)), [], null],
    ['B-VAL-018 Some None', optionalType(optionalType(INT64)), [[]], new Some(null)],
    ['B-VAL-018 Some Some', optionalType(optionalType(INT64)), [['1']], new Some(new Some(1n))],
    [
      'B-VAL-023',
      named('Shape'),
      { tag: 'Circle', value: '2.5' },
      new DamlVariant('Circle', Numeric.of('2.5', 4)),
      { tag: 'Circle', value: '2.5000' },
    ],
    [
      'B-VAL-023 value null for a unit',
      named('Shape'),
      { tag: 'Point', value: null },
      new DamlVariant('Point', UNIT),
      { tag: 'Point', value: {} },
    ],
    [
      'B-VAL-025',
      named('Shape'),
      { tag: 'Named', value: { _2: '1', _1: 'x' } },
      new DamlVariant('Named', { _1: 'x', _2: 1n }),
    ],
    ['B-VAL-024', named('Colour'), 'Green', 'Green'],
  ])('%s', (_fact, type, json, value, written = json) => {
    expect(read(type, json)).toEqual(value);
    expect(write(type, value)).toEqual(written);
  });

  it('accepts members in any order, absent or null optionals, and unknown null members (B-VAL-019 to B-VAL-021)', () => {
    const json = { meta: {}, amount: 1, owner: 'alice', note: null, unknown: null };
    expect(read(named('Holding'), json)).toEqual({
      owner: 'alice',
      amount: Numeric.of(1),
      note: null,
      meta: new Map(),
      lock: null,
    });
    expect(Object.keys(read(named('Holding'), json) as object)).toEqual([
      'owner',
      'amount',
      'note',
      'meta',
      'lock',
    ]);
  });

  it('omits only trailing Nones (B-VAL-022)', () => {
    const value = {
      owner: 'alice',
      amount: Numeric.of(1),
      note: null,
      meta: new Map(),
      lock: null,
    };
    expect(write(named('Holding'), value)).toEqual({
      owner: 'alice',
      amount: '1.0000000000',
      note: null,
      meta: {},
    });
  });

  it('accepts a member called __proto__', () => {
    const json: unknown = JSON.parse('{"__proto__":"x","toString":"1"}');
    const value = read(named('Odd'), json);
    expect(Object.entries(value as object)).toEqual([
      ['__proto__', 'x'],
      ['constructor', null],
      ['toString', 1n],
    ]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(JSON.stringify(write(named('Odd'), value))).toBe(
      '{"__proto__":"x","constructor":null,"toString":"1"}',
    );
    expect(refusal(named('Odd'), { toString: '1' }).details.cause).toBe(
      'Missing non-optional fields: Set(__proto__)',
    );
    const map = read(textMapType(INT64), JSON.parse('{"__proto__":"1"}'));
    expect(JSON.stringify(write(textMapType(INT64), map))).toBe('{"__proto__":"1"}');
  });

  it('writes an Optional without a wrapper if only a type argument nests it', () => {
    const type = named('Box', optionalType(INT64));
    expect(read(type, { item: '1' })).toEqual({ item: new Some(new Some(1n)) });
    expect(write(type, { item: new Some(null) })).toEqual({});
    expect(read(type, {})).toEqual({ item: null });
  });

  it('replaces lone surrogates, as UTF-8 encoding on the JVM does', () => {
    expect(read(TEXT, 'a\ud800b')).toBe('a?b');
  });

  it('accepts 10,000 elements (B-VAL-031)', () => {
    const json = Array.from({ length: 10_000 }, (_, index) => String(index));
    expect(read(listType(INT64), json)).toHaveLength(10_000);
  });
});
