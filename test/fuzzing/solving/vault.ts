/** A model with branches that random numbers do not reach. */
import {
  e,
  isEqual,
  isLess,
  isPositive,
  minus,
  plus,
  t,
  times,
  u,
  zooPackage,
} from '../zoo/notation.js';

/** A vault opens for two numbers of which each branch asks something, and for a word. */
export const vault = zooPackage({
  templates: {
    Vault: {
      fields: { owner: t.party, secret: t.int64 },
      signatories: ['owner'],
      choices: {
        Open: {
          stays: true,
          args: { first: t.int64, second: t.int64, word: t.text },
          by: ['owner'],
          returns: t.int64,
          does: ({ my, given }) =>
            u.pure(
              t.int64,
              e.if(
                isPositive(minus(given('first'), given('second'))),
                e.if(
                  isEqual(
                    plus(times(e.int(3), given('first')), given('second')),
                    plus(my('secret'), e.int(1_234_567)),
                  ),
                  e.if(
                    isLess(given('second'), e.int(100_000)),
                    e.int(3),
                    e.if(isEqual(given('word'), e.text('sesame'), t.text), e.int(4), e.int(5)),
                  ),
                  e.int(2),
                ),
                e.int(1),
              ),
            ),
        },
      },
    },
  },
});
