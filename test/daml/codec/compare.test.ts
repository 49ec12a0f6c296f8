import fc from 'fast-check';
import { compareValues, equalValues } from '../../../src/daml/codec/compare.js';
import { encodeValue } from '../../../src/daml/codec/json/codec.js';
import { Numeric } from '../../../src/daml/model/numeric.js';
import { compareText } from '../../../src/daml/model/text-order.js';
import type { DamlType } from '../../../src/daml/model/types.js';
import { DamlVariant, Some, UNIT, type DamlValue } from '../../../src/daml/model/values.js';
import {
  arbitraryText,
  damlType,
  damlValue,
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
import { check } from '../../support/property.js';

const threeOfOneType = damlType.chain((type) =>
  fc.tuple(fc.constant(type), damlValue(type), damlValue(type), damlValue(type)),
);

describe("Daml's order", () => {
  it('is total: antisymmetric, transitive, and equal only for equal values', () => {
    check(
      fc.property(threeOfOneType, ([type, a, b, c]) => {
        const order = (left: DamlValue, right: DamlValue): number =>
          Math.sign(compareValues(packages, type, left, right));
        expect(order(a, a)).toBe(0);
        expect(order(a, b) + order(b, a)).toBe(0);
        const [low, middle, high] = [a, b, c].sort(order) as [DamlValue, DamlValue, DamlValue];
        expect([order(low, middle), order(middle, high), order(low, high)]).not.toContain(1);
        const text = (value: DamlValue): string =>
          JSON.stringify(encodeValue(packages, type, value));
        expect(equalValues(packages, type, a, b)).toBe(text(a) === text(b));
      }),
      { numRuns: 400 },
    );
  });

  it.each<[rule: string, type: DamlType, ascending: readonly DamlValue[]]>([
    ['text by code points, not by UTF-16 units', TEXT, ['', 'B', 'a', 'aa', '\uffff', '\u{1F389}']],
    [
      'None before Some',
      optionalType(optionalType(INT64)),
      [null, new Some(null), new Some(new Some(0n))],
    ],
    ['lists lexicographically', listType(INT64), [[], [1n], [1n, 0n], [2n]]],
    ['enums by rank', named('Colour'), ['Red', 'Green', 'Blue']],
    [
      'variants by rank, then by value',
      named('Shape'),
      [
        new DamlVariant('Point', UNIT),
        new DamlVariant('Circle', Numeric.of('-1', 4)),
        new DamlVariant('Circle', Numeric.of('3', 4)),
        new DamlVariant('Named', { _1: '', _2: 0n }),
      ],
    ],
    [
      'records field by field',
      named('Pair', INT64, INT64),
      [
        { _1: 1n, _2: 9n },
        { _1: 2n, _2: 0n },
        { _1: 2n, _2: 1n },
      ],
    ],
    [
      'numerics by value',
      numericType(2),
      [Numeric.of('-10', 2), Numeric.of('-9', 2), Numeric.of('0.01', 2)],
    ],
    [
      'text maps by key, value, key, value',
      textMapType(INT64),
      [
        new Map(),
        new Map([['a', 1n]]),
        new Map([
          ['a', 1n],
          ['b', 0n],
        ]),
        new Map([['a', 2n]]),
        new Map([['b', 0n]]),
      ],
    ],
    [
      'maps by key, value, key, value',
      genMapType(INT64, INT64),
      [
        [],
        [[1n, 5n]],
        [
          [1n, 5n],
          [2n, 0n],
        ],
        [[1n, 6n]],
        [[2n, 0n]],
      ],
    ],
  ])('orders %s', (_rule, type, ascending) => {
    const shuffled = [...ascending].reverse();
    expect(shuffled.sort((left, right) => compareValues(packages, type, left, right))).toEqual(
      ascending,
    );
  });

  it('orders text as its UTF-8 bytes are ordered', () => {
    check(
      fc.property(arbitraryText, arbitraryText, (left, right) => {
        expect(compareText(left, right)).toBe(
          Buffer.compare(Buffer.from(left), Buffer.from(right)),
        );
      }),
    );
  });
});
