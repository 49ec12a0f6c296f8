/** Exact sums of numbers of all forms. */
import fc from 'fast-check';
import { Numeric } from '../../../src/daml/index.js';
import { Total } from '../../../src/fuzzing/invariants/totals.js';
import { check } from '../../support/property.js';

const textOf = (...values: readonly unknown[]): string => {
  const total = new Total();
  for (const value of values) total.add(value);
  return total.text;
};

it('add integers, decimals and their texts', () => {
  expect(textOf()).toBe('0');
  expect(textOf(3n, '4', Numeric.of('0.5', 2))).toBe('7.5');
  expect(textOf('-0.25', Numeric.of('0.05', 10), -1n)).toBe('-1.2');
  expect(textOf(`0.${'0'.repeat(36)}1`)).toBe(`0.${'0'.repeat(36)}1`);
});

it('are equal for an integer in each form', () => {
  check(
    fc.property(fc.bigInt({ min: -(10n ** 27n), max: 10n ** 27n }), (value) => {
      expect(textOf(value)).toBe(String(value));
      expect(textOf(String(value))).toBe(String(value));
      expect(textOf(Numeric.of(String(value), 10))).toBe(String(value));
      expect(textOf(value, -value)).toBe('0');
    }),
  );
});

it('can be subtracted, negated and compared', () => {
  const [one, other] = [new Total(), new Total()];
  one.add('2.5');
  one.add('1', -1);
  expect(one.text).toBe('1.5');
  expect([one.isZero, other.isZero]).toEqual([false, true]);
  expect([one.isMoreThan(other), other.isMoreThan(one), one.isMoreThan(one)]).toEqual([
    ...[true, false, false],
  ]);
  other.addTotal(one.negated);
  expect(other.text).toBe('-1.5');
  expect(one.text).toBe('1.5');
});

it.each(['', 'x', '1.', '.5', '--1', `1.${'0'.repeat(38)}`, null, true])('refuse %j', (value) => {
  expect(() => new Total().add(value)).toThrow(`${String(value)} is not a number.`);
});
