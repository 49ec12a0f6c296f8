/** The weights of apps in one transaction (CIP-104, S-EVT-014): all divisions are whole, and the last one rounds once. */
import { Numeric } from '../../src/daml/index.js';
import { weightsOf } from '../../src/splice/scan/app-activity.js';

const apps = new Map(['b', 'a'].map((party) => [party, Numeric.of('1', 10)]));
const weights = (
  envelopes: Parameters<typeof weightsOf>[0]['envelopes'],
  confirmers: readonly string[][],
): (readonly [string, string])[] => {
  const total = envelopes.reduce((sum, { cost }) => sum + cost, 0);
  return weightsOf({ total, envelopes }, confirmers, apps).map(({ party, weight }) => [
    party,
    String(weight),
  ]);
};

it('are in the order of parties, and none without an app', () => {
  expect(weights([{ cost: 10, views: [0] }], [['b', 'c', 'a']])).toEqual([
    ['a', '5'],
    ['b', '5'],
  ]);
  expect(weights([{ cost: 10, views: [0] }], [['c']])).toEqual([]);
});

it('divide the sum of the shares, not each share', () => {
  const envelopes = [
    { cost: 1, views: [0] },
    { cost: 1, views: [1] },
  ];
  // (1 + 2) / 2 and 1 / 2.
  expect(weights(envelopes, [['a', 'b'], ['a']])).toEqual([
    ['a', '1'],
    ['b', '0'],
  ]);
});
