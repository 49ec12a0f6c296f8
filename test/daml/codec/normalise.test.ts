import fc from 'fast-check';
import { LedgerError } from '../../../src/daml/errors/ledger-error.js';
import { normaliseValue } from '../../../src/daml/codec/normalise.js';
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

const normalise = (type: DamlType, value: unknown): DamlValue =>
  normaliseValue(packages, type, value, { at: 'payload' });

function refusal(type: DamlType, value: unknown, insideDaml = false): LedgerError {
  try {
    normaliseValue(packages, type, value, { at: 'payload', insideDaml });
  } catch (error) {
    if (error instanceof LedgerError) return error;
    throw error;
  }
  throw new Error('accepted');
}

describe('values from TypeScript', () => {
  it('remain unchanged if they are canonical', () => {
    check(
      fc.property(damlTypeAndValue, ({ type, value }) => {
        expect(normalise(type, value)).toEqual(value);
      }),
      { numRuns: 300 },
    );
  });

  it('become canonical: field order, missing Nones, numerics at scale, integers as Int64', () => {
    const canonical = normalise(named('Holding'), {
      meta: { b: '2', a: '1' },
      amount: '1.5',
      owner: 'alice',
    });
    expect(canonical).toEqual({
      owner: 'alice',
      amount: Numeric.of('1.5'),
      note: null,
      meta: new Map([
        ['a', '1'],
        ['b', '2'],
      ]),
      lock: null,
    });
    expect(Object.keys(canonical as object)).toEqual(['owner', 'amount', 'note', 'meta', 'lock']);
    expect([...(canonical as { meta: Map<string, string> }).meta.keys()]).toEqual(['a', 'b']);
  });

  it.each<[what: string, type: DamlType, written: unknown, canonical: DamlValue]>([
    [
      'a plain variant',
      named('Shape'),
      { tag: 'Circle', value: 2n },
      new DamlVariant('Circle', Numeric.of(2, 4)),
    ],
    ['a plain variant of Unit', named('Shape'), { tag: 'Point' }, new DamlVariant('Point', UNIT)],
    ['no result, for Unit', { kind: 'unit' }, undefined, UNIT],
    ['a safe integer', INT64, 42, 42n],
    [
      'a JavaScript Map',
      genMapType(INT64, TEXT),
      new Map([
        [10, 'x'],
        [9, 'y'],
      ]),
      [
        [9n, 'y'],
        [10n, 'x'],
      ],
    ],
    ['a Numeric of another scale', numericType(2), Numeric.of('1.50'), Numeric.of('1.5', 2)],
    ['undefined for None', optionalType(INT64), undefined, null],
  ])('can have the form: %s', (_what, type, written, canonical) => {
    expect(normalise(type, written)).toEqual(canonical);
  });

  it.each<[type: DamlType, value: unknown, explanation: string]>([
    [
      named('Holding'),
      { owner: 'a', amount: true, meta: {} },
      'payload.amount: expected a Numeric, got true',
    ],
    [named('Holding'), { owner: 'a', meta: {} }, 'payload: missing "amount"'],
    [named('Holding'), { owner: 'a', amount: 1, meta: {}, x: 1 }, 'payload: the record has no "x"'],
    [
      named('Tree'),
      { label: 1, children: [{ label: 'x', children: [] }] },
      'payload.children[0].label: expected a 64-bit integer, got "x"',
    ],
    [named('Shape'), { tag: 'Square' }, 'payload: "Square" is none of Point, Circle, Named'],
    [named('Colour'), 'Pink', 'payload: expected one of Red, Green, Blue, got "Pink"'],
    [INT64, 2n ** 63n, 'payload: expected a 64-bit integer, got 9223372036854775808n'],
    [INT64, 1.5, 'payload: expected a 64-bit integer, got 1.5'],
    [
      numericType(1),
      '0.25',
      'payload: Cannot represent 0.25 as (Numeric 1) without loss of precision',
    ],
    [
      genMapType(INT64, TEXT),
      [
        [1n, 'a'],
        [1n, 'b'],
      ],
      'payload: a key occurs twice',
    ],
    [PARTY, 'al!ce', 'payload: non expected character 0x21 in Daml-LF Party "al!ce"'],
    [contractIdType, 'abc', 'payload: cannot parse ContractId "abc"'],
    [optionalType(INT64), 5n, 'payload: expected an Optional: null or some(…), got 5n'],
    [TEXT, 'a\u0000', 'payload: Text contains null character'],
    [TEXT, '\ud800', 'payload: Text contains unpaired high surrogate'],
    [textMapType(TEXT), { '\udc00': 'a' }, 'payload: Text contains unpaired low surrogate'],
    [
      { kind: 'timestamp' },
      10n ** 18n,
      'payload: expected microseconds between the years 1 and 9999 as a bigint, got 1000000000000000000n',
    ],
    [
      { kind: 'date' },
      0.5,
      'payload: expected days since 1970-01-01 between the years 1 and 9999, got 0.5',
    ],
    [named('Odd'), { toString: 1 }, 'payload: missing "__proto__"'],
  ])('%# are rejected if they do not match the type', (type, value, explanation) => {
    const error = refusal(type, value);
    expect([error.code, error.details.explanation]).toEqual([
      'COMMAND_PREPROCESSING_FAILED',
      explanation,
    ]);
  });

  it('may nest up to 100 levels (B-VAL-030)', () => {
    const nest = (levels: number): [DamlType, DamlValue] => {
      let [type, value]: [DamlType, DamlValue] = [INT64, 1n];
      for (let level = 0; level < levels; level += 1) {
        [type, value] =
          level % 2 === 0 ? [listType(type), [value]] : [optionalType(type), new Some(value)];
      }
      return [type, value];
    };
    expect(() => normalise(...nest(100))).not.toThrow();
    expect(refusal(...nest(101)).code).toBe('COMMAND_PREPROCESSING_FAILED');
    expect(refusal(...nest(101), true).code).toBe('VALUE_NESTING');
    expect(refusal(TEXT, '\u0000', true).code).toBe('MALFORMED_TEXT');
  });
});
