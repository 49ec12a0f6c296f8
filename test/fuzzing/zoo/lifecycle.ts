/** Models whose contracts get stuck, are used too early or too late, or are counted twice. */
import type { EncodedPackage } from '../../support/daml/lf-encoder.js';
import {
  and,
  assert,
  contains,
  e,
  fetched,
  idOf,
  inSequence,
  isAtMost,
  isEqual,
  isLess,
  lastly,
  make,
  not,
  now,
  plus,
  renewed,
  t,
  typeOf,
  u,
  withNow,
  zooPackage,
  type Code,
} from './notation.js';

/** An escrow is released in its phase 2, which it never reaches. */
export const stuckEscrow = (fixed: boolean): EncodedPackage =>
  zooPackage({
    templates: {
      Escrow: {
        fields: { buyer: t.party, seller: t.party, phase: t.int64 },
        signatories: ['buyer', 'seller'],
        ensure: ({ my }) =>
          and(isAtMost(e.int(0), my('phase')), isAtMost(my('phase'), e.int(fixed ? 2 : 1))),
        choices: {
          Advance: {
            by: ['seller'],
            returns: idOf('Escrow'),
            does: ({ my }) => {
              const renew = (phase: Code) => renewed('Escrow', { phase });
              return fixed
                ? lastly(
                    renew(plus(my('phase'), e.int(1))),
                    assert(isLess(my('phase'), e.int(2)), 'this is the last phase'),
                  )
                : lastly(
                    renew(plus(my('phase'), e.int(1))),
                    assert(isEqual(my('phase'), e.int(7)), 'this is the last phase'),
                  );
            },
          },
          Release: {
            by: ['buyer'],
            does: ({ my }) => inSequence(assert(isEqual(my('phase'), e.int(2)), 'not yet')),
          },
        },
      },
    },
  });

const lockWith = (mayUnlock: (until: Code) => Code): EncodedPackage =>
  zooPackage({
    templates: {
      Lock: {
        fields: { holder: t.party, owner: t.party, until: t.timestamp },
        signatories: ['holder'],
        observers: ['owner'],
        choices: {
          Unlock: {
            by: ['owner'],
            does: ({ my }) => inSequence(withNow, assert(mayUnlock(my('until')), 'it is locked')),
          },
        },
      },
    },
  });

/** The owner may unlock at the deadline, not only after it. */
export const unlocksEarly = (fixed: boolean): EncodedPackage =>
  lockWith((until) =>
    fixed ? isLess(until, now, t.timestamp) : isAtMost(until, now, t.timestamp),
  );

/** The owner may unlock only before the deadline: the comparison is the wrong way round. */
export const neverUnlocks = (fixed: boolean): EncodedPackage =>
  lockWith((until) => (fixed ? isLess(until, now, t.timestamp) : isLess(now, until, t.timestamp)));

/** An expired offer can still be accepted. */
export const uncheckedExpiry = (fixed: boolean): EncodedPackage =>
  zooPackage({
    templates: {
      Sale: { fields: { seller: t.party, buyer: t.party }, signatories: ['seller', 'buyer'] },
      Offer: {
        fields: { seller: t.party, buyer: t.party, expires: t.timestamp },
        signatories: ['seller'],
        observers: ['buyer'],
        choices: {
          Buy: {
            by: ['buyer'],
            returns: idOf('Sale'),
            does: ({ my }) =>
              lastly(
                make('Sale', { seller: my('seller'), buyer: my('buyer') }),
                withNow,
                ...(fixed
                  ? [assert(isAtMost(now, my('expires'), t.timestamp), 'it is expired')]
                  : []),
              ),
          },
        },
      },
    },
  });

/** A voter votes any number of times. */
export const votesTwice = (fixed: boolean): EncodedPackage =>
  zooPackage({
    templates: {
      Poll: {
        fields: { chair: t.party, voters: t.list(t.party), voted: t.list(t.party), yes: t.int64 },
        signatories: ['chair'],
        observers: ({ my }) => my('voters'),
        choices: {
          Vote: {
            args: { voter: t.party },
            by: ['.voter'],
            returns: idOf('Poll'),
            does: ({ my, given }) =>
              lastly(
                renewed('Poll', {
                  voted: e.cons(t.party, [given('voter')], my('voted')),
                  yes: plus(my('yes'), e.int(1)),
                }),
                assert(contains(my('voters'), given('voter')), 'only voters vote'),
                ...(fixed
                  ? [assert(not(contains(my('voted'), given('voter'))), 'each votes once')]
                  : []),
              ),
          },
        },
      },
    },
  });

/** The amount of a sealed bid is visible to the other bidders. */
export const visibleBid = (fixed: boolean): EncodedPackage =>
  zooPackage({
    templates: {
      Bid: {
        fields: {
          bidder: t.party,
          auctioneer: t.party,
          rivals: t.list(t.party),
          amount: t.int64,
        },
        signatories: ['bidder'],
        observers: ({ my }) =>
          fixed
            ? e.list(t.party, [my('auctioneer')])
            : e.cons(t.party, [my('auctioneer')], my('rivals')),
      },
    },
  });

/** A choice that fetches a sealed bid has an audience, which sees the bid. */
export const divulgedBid = (fixed: boolean): EncodedPackage =>
  zooPackage({
    templates: {
      Bid: {
        fields: { bidder: t.party, auctioneer: t.party, amount: t.int64 },
        signatories: ['bidder'],
        observers: ['auctioneer'],
      },
      Auction: {
        fields: { auctioneer: t.party, audience: t.list(t.party) },
        signatories: ['auctioneer'],
        choices: {
          Inspect: {
            stays: true,
            observers: ({ my }) => (fixed ? e.nil(t.party) : my('audience')),
            args: { bid: idOf('Bid') },
            by: ['auctioneer'],
            returns: t.int64,
            does: ({ given }) =>
              lastly(
                u.pure(t.int64, e.field(typeOf('Bid'), 'amount', e.var('bid'))),
                fetched('bid', 'Bid', given('bid')),
              ),
          },
        },
      },
    },
  });
