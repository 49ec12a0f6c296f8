/** How many SVs have to agree, when a vote is over, and when an amulet is worth nothing: each at the place where it changes. */
import { Numeric, some } from '../../../src/daml/index.js';
import { eatenUp } from '../../../src/splice/automation/amulet-expiry.js';
import { requiredVotes } from '../../../src/splice/automation/confirmations.js';
import { outcomeAt } from '../../../src/splice/automation/reports.js';

test.each([
  [1, 1],
  [2, 2],
  [3, 2],
  [4, 3],
  [5, 4],
  [6, 4],
  [7, 5],
  [10, 7],
  [13, 9],
  [16, 11],
])('%d SVs require %d votes', (svs, votes) => {
  expect(requiredVotes(svs)).toBe(votes);
});

describe('the outcome of a vote', () => {
  const CREATED = 1n;
  const VOTE_BEFORE = 100n;
  const EFFECTIVE = 200n;
  const names = ['one', 'two', 'three', 'four'];
  /** @param votes by name; + accepts, - rejects */
  const outcome = (votes: string, targetEffectiveAt: unknown = null) =>
    outcomeAt(
      { svs: names.map((name) => [`${name}::1220`, { name }]) } as never,
      {
        createdAt: CREATED,
        payload: {
          votes: [...votes].map((sign, index) => [
            names[index] ?? 'stranger',
            { sv: 'x', accept: sign === '+' },
          ]),
          voteBefore: VOTE_BEFORE,
          targetEffectiveAt,
        },
      } as never,
    );
  const at = some(EFFECTIVE);

  // Of four it takes three.
  test.each([
    ['---', null, CREATED],
    ['--', null, VOTE_BEFORE],
    ['+++', null, CREATED],
    ['++', null, VOTE_BEFORE],
    ['++-', null, VOTE_BEFORE],
    ['---', at, CREATED],
    ['+++', at, EFFECTIVE],
    ['++-', at, EFFECTIVE],
    ['++', at, VOTE_BEFORE],
    ['++--+', null, VOTE_BEFORE],
  ])('of %s with an effective time of %j is certain at %s', (votes, effectiveAt, expected) => {
    expect(outcome(votes, effectiveAt)).toBe(expected);
  });
});

describe('an amulet is worth less than its fees', () => {
  const amulet = (initialAmount: string, rate: string, created = 10n) => ({
    payload: {
      amount: {
        initialAmount: Numeric.of(initialAmount),
        createdAt: { number: created },
        ratePerRound: { rate: Numeric.of(rate) },
      },
    },
  });
  const isEaten = (each: object, ...rounds: readonly bigint[]) =>
    eatenUp([each] as never, rounds).length === 1;

  test('in the round in which its amount reaches zero', () => {
    const four = amulet('1.0', '0.25');
    expect(isEaten(four, 13n, 14n)).toBe(false);
    expect(isEaten(four, 14n, 14n)).toBe(true);
    const rather = amulet('1.1', '0.25');
    expect(isEaten(rather, 14n, 14n)).toBe(false);
    expect(isEaten(rather, 15n, 16n)).toBe(true);
  });

  test('by the earlier of two rounds, and never by one round', () => {
    const four = amulet('1.0', '0.25');
    expect(isEaten(four, 15n, 13n)).toBe(false);
    expect(isEaten(four, 15n, 14n)).toBe(true);
    expect(isEaten(four, 15n)).toBe(false);
    expect(isEaten(four)).toBe(false);
  });

  test('if it is locked too', () => {
    const { payload } = amulet('1.0', '0.25');
    expect(isEaten({ payload: { amulet: payload } }, 14n, 14n)).toBe(true);
  });
});
