/** The numbers of steps as integers, their bounds, and linear forms of operands. */
import fc from 'fast-check';
import { Numeric } from '../../../src/daml/model/numeric.js';
import { MAX_DATE, MAX_TIMESTAMP, MIN_DATE, MIN_TIMESTAMP } from '../../../src/daml/model/time.js';
import type { DamlType } from '../../../src/daml/model/types.js';
import type { DamlValue } from '../../../src/daml/model/values.js';
import { coefficientsOf } from '../../../src/fuzzing/solving/fit.js';
import {
  boundsOf,
  deltaOf,
  formOf,
  unitsOf,
  valueOf,
  type Leaf,
  type Slope,
} from '../../../src/fuzzing/solving/observed.js';
import { nearBy } from '../../../src/fuzzing/solving/slopes.js';
import { prefixesOf } from '../../../src/fuzzing/solving/solve.js';
import { check } from '../../support/property.js';

const leaf = (type: DamlType, value: DamlValue): Leaf => ({ index: 0, type, value });
const INT: DamlType = { kind: 'int64' };
const DECIMAL: DamlType = { kind: 'numeric', scale: 2 };

it('numbers and times are integers in the unit of their last digit', () => {
  const values: readonly (readonly [DamlType, DamlValue, bigint | undefined, bigint])[] = [
    [INT, -7n, -7n, 1n],
    [{ kind: 'timestamp' }, 5n, 5n, 1n],
    [{ kind: 'date' }, 19_000, 19_000n, 1n],
    [DECIMAL, Numeric.of('1.25', 2), 125n, 100n],
    [{ kind: 'text' }, '7', undefined, 1n],
  ];
  for (const [type, value, units, delta] of values) {
    expect(unitsOf(leaf(type, value))).toBe(units);
    expect(deltaOf(leaf(type, value))).toBe(delta);
    if (units !== undefined) expect(valueOf(leaf(type, value), units)).toEqual(value);
  }
});

it('their bounds are those of the type', () => {
  expect(boundsOf(leaf(INT, 0n))).toEqual({ least: -(2n ** 63n), most: 2n ** 63n - 1n });
  expect(boundsOf(leaf({ kind: 'timestamp' }, 0n))).toEqual({
    least: MIN_TIMESTAMP,
    most: MAX_TIMESTAMP,
  });
  expect(boundsOf(leaf({ kind: 'date' }, 0))).toEqual({
    least: BigInt(MIN_DATE),
    most: BigInt(MAX_DATE),
  });
  const { least, most } = boundsOf(leaf(DECIMAL, Numeric.of('1', 2)));
  for (const units of [least, most]) expect(() => valueOf(leaf(DECIMAL, 0n), units)).not.toThrow();
  for (const units of [least - 1n, most + 1n])
    expect(() => valueOf(leaf(DECIMAL, 0n), units)).toThrow();
});

it('a search starts within a million of a number, and within its bounds', () => {
  const bounds = { least: -5n, most: 3_000_000n };
  expect(nearBy(bounds, 0n)).toEqual({ least: -5n, most: 1_000_000n });
  expect(nearBy(bounds, 2_500_000n)).toEqual({ least: 1_500_000n, most: 3_000_000n });
  expect(nearBy(bounds, 1_500_000n)).toEqual({ least: 500_000n, most: 2_500_000n });
});

it('a linear form has the value of the operand at the known point, and its slopes', () => {
  const number = fc.bigInt({ min: -1_000n, max: 1_000n });
  const slope = fc.record({
    leaf: fc.constant(0),
    change: number,
    delta: fc.bigInt({ min: 1n, max: 12n }),
  });
  check(
    fc.property(number, fc.tuple(slope, slope), fc.tuple(number, number), (value, some, at) => {
      const slopes = some.map((each, place): Slope => ({ ...each, leaf: place }));
      const { constant, terms, divisor } = formOf(value, slopes, at);
      const valueAt = (point: readonly bigint[]) =>
        [...terms].reduce((sum, [place, factor]) => sum + factor * point[place]!, constant);
      expect(valueAt(at)).toBe(value * divisor);
      slopes.forEach(({ change, delta }, place) => {
        const moved = at.with(place, at[place]! + delta);
        expect(valueAt(moved)).toBe((value + change) * divisor);
      });
      expect(divisor % slopes[0]!.delta).toBe(0n);
      expect(divisor <= slopes[0]!.delta * slopes[1]!.delta).toBe(true);
    }),
  );
});

it('coefficients are in their lowest terms, with a positive denominator', () => {
  expect(coefficientsOf([{ deltas: [4n], change: -6n }])).toEqual([{ over: -3n, under: 2n }]);
  expect(coefficientsOf([{ deltas: [-3n], change: 0n }])).toEqual([{ over: 0n, under: 1n }]);
  expect(
    coefficientsOf([
      { deltas: [0n, -2n], change: -4n },
      { deltas: [3n, 1n], change: 5n },
    ]),
  ).toEqual([
    { over: 1n, under: 1n },
    { over: 2n, under: 1n },
  ]);
});

it('prefixes of a sequence are in order, the shortest first', () => {
  const steps = [1n, 2n, 3n].map(
    (micros, number) => ({ kind: 'advance', number, micros }) as const,
  );
  expect(prefixesOf(steps).map((each) => each.length)).toEqual([1, 2, 3]);
  expect(prefixesOf(steps)[1]).toEqual(steps.slice(0, 2));
});
