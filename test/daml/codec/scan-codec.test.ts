import { encodeProtobufJson, scanJson } from '../../../src/daml/codec/json/scan.js';
import { Numeric } from '../../../src/daml/model/numeric.js';
import type { DamlType } from '../../../src/daml/model/types.js';
import { DamlVariant, Some, UNIT, type DamlValue } from '../../../src/daml/model/values.js';
import {
  genMapType,
  INT64,
  listType,
  named,
  numericType,
  optionalType,
  packages,
  TEXT,
  textMapType,
} from '../../support/daml/arbitrary-daml.js';

const { payload: encodeCompact, event: encodeCompactJson } = scanJson(() => undefined);

const HOLDING = {
  owner: 'alice',
  amount: Numeric.of('0.005'),
  note: null,
  meta: new Map([['k', 'v']]),
  lock: null,
};

describe("Scan's JSON of Daml values", () => {
  it('encodes missing optionals as null, and writes decimals differently (S-ENC-005, S-ENC-006)', () => {
    const payload = { owner: 'alice', amount: '0.005', note: null, meta: { k: 'v' }, lock: null };
    expect(encodeCompact(packages, named('Holding'), HOLDING)).toEqual(payload);
    expect(encodeCompactJson(packages, named('Holding'), HOLDING)).toEqual({
      ...payload,
      amount: '0.0050000000',
    });
    expect(
      ['0', '1', '0.176564', '10000000000'].map((text) =>
        encodeCompact(packages, numericType(10), Numeric.of(text)),
      ),
    ).toEqual(['0.0', '1.0', '0.176564', '10000000000.0']);
  });

  it.each<[fact: string, type: DamlType, value: DamlValue, json: unknown]>([
    [
      'S-GEN-026 a whole second',
      { kind: 'timestamp' },
      1_700_000_000_000_000n,
      '2023-11-14T22:13:20Z',
    ],
    [
      'S-GEN-026 a padded group',
      { kind: 'timestamp' },
      1_700_000_000_423_540n,
      '2023-11-14T22:13:20.423540Z',
    ],
    ['S-ENC-005 an integer', INT64, 600_000_000n, '600000000'],
    ['S-ENC-007 unit', { kind: 'unit' }, UNIT, {}],
    ['S-ENC-007 empty record', named('Empty'), {}, {}],
    ['S-ENC-007 map', genMapType(INT64, TEXT), [[1n, 'a']], [['1', 'a']]],
    ['S-ENC-007 text map', textMapType(INT64), new Map([['a', 1n]]), { a: '1' }],
    ['S-ENC-007 tuple', named('Pair', INT64, TEXT), { _1: 1n, _2: 'a' }, { _1: '1', _2: 'a' }],
    ['S-ENC-007 enum', named('Colour'), 'Red', 'Red'],
    [
      'S-ENC-007 variant',
      named('Shape'),
      new DamlVariant('Point', UNIT),
      { tag: 'Point', value: {} },
    ],
    ['None, nested', optionalType(optionalType(INT64)), null, null],
    ['Some None', optionalType(optionalType(INT64)), new Some(null), []],
    ['Some Some', optionalType(optionalType(INT64)), new Some(new Some(1n)), ['1']],
  ])('%s', (_fact, type, value, json) => {
    expect(encodeCompactJson(packages, type, value)).toEqual(json);
    expect(encodeCompact(packages, type, value)).toEqual(json);
  });

  it('writes protobuf JSON without labels and trailing Nones (S-ENC-011)', () => {
    expect(encodeProtobufJson(packages, named('Holding'), HOLDING)).toEqual({
      record: {
        fields: [
          { value: { party: 'alice' } },
          { value: { numeric: '0.0050000000' } },
          { value: { optional: {} } },
          { value: { textMap: { entries: [{ key: 'k', value: { text: 'v' } }] } } },
        ],
      },
    });
    const rows: [DamlType, DamlValue, unknown][] = [
      [{ kind: 'unit' }, UNIT, { unit: {} }],
      [{ kind: 'bool' }, false, { bool: false }],
      [{ kind: 'date' }, 1, { date: 1 }],
      [{ kind: 'timestamp' }, 5n, { timestamp: '5' }],
      [listType(INT64), [1n], { list: { elements: [{ int64: '1' }] } }],
      [listType(INT64), [], { list: {} }],
      [optionalType(INT64), new Some(1n), { optional: { value: { int64: '1' } } }],
      [
        genMapType(INT64, INT64),
        [[1n, 2n]],
        { genMap: { entries: [{ key: { int64: '1' }, value: { int64: '2' } }] } },
      ],
      [
        named('Shape'),
        new DamlVariant('Point', UNIT),
        { variant: { constructor: 'Point', value: { unit: {} } } },
      ],
      [named('Colour'), 'Red', { enum: { constructor: 'Red' } }],
      [named('Empty'), {}, { record: {} }],
    ];
    for (const [type, value, json] of rows)
      expect(encodeProtobufJson(packages, type, value)).toEqual(json);
  });
});
