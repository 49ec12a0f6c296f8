/** Exact fits of linear changes. */
import fc from 'fast-check';
import { coefficientsOf, type Row } from '../../../src/fuzzing/solving/fit.js';
import { check } from '../../support/property.js';

const small = fc.bigInt({ min: -20n, max: 20n });

test('finds coefficients that fulfil all rows, if there are some', () => {
  const points = fc.array(fc.tuple(small, small, small), { minLength: 1, maxLength: 6 });
  check(
    fc.property(fc.tuple(small, small, small), points, (factors, all) => {
      const rows = all.map((deltas): Row => ({
        deltas,
        change: deltas.reduce((sum, delta, at) => sum + delta * factors[at]!, 0n),
      }));
      const found = coefficientsOf(rows)!;
      const under = found.reduce((product, each) => product * each.under, 1n);
      for (const { deltas, change } of rows) {
        const sum = deltas.reduce(
          (total, delta, at) => total + (delta * found[at]!.over * under) / found[at]!.under,
          0n,
        );
        expect(sum).toBe(change * under);
      }
    }),
    { numRuns: 200 },
  );
});

test.each<[string, readonly Row[], ReturnType<typeof coefficientsOf>]>([
  ['nothing', [], []],
  ['a fraction', [{ deltas: [-4n], change: 6n }], [{ over: -3n, under: 2n }]],
  [
    'a free coefficient',
    [{ deltas: [0n, 2n], change: 4n }],
    [
      { over: 0n, under: 1n },
      { over: 2n, under: 1n },
    ],
  ],
  [
    'a contradiction',
    [
      { deltas: [1n], change: 1n },
      { deltas: [2n], change: 3n },
    ],
    undefined,
  ],
])('of %s', (_, rows, coefficients) => {
  expect(coefficientsOf(rows)).toEqual(coefficients);
});
