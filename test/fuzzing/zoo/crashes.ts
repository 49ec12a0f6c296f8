/** Models whose code crashes, or runs too long. */
import type { EncodedPackage } from '../../support/daml/lf-encoder.js';
import {
  and,
  assert,
  dividedBy,
  e,
  error,
  idOf,
  isAtMost,
  isLess,
  isPositive,
  lastly,
  make,
  minus,
  p,
  renewed,
  t,
  times,
  typeOf,
  u,
  zooPackage,
  type CaseTemplate,
  type Code,
} from './notation.js';

/** `head`, and `fromSome`, with the messages of the standard library. */
const head = (type: typeof t.party, list: Code): Code =>
  e.match(list, [p.cons('first', '_'), e.var('first')], [p.nil, error(type, 'head: empty list')]);

/** A price per share. A fund may have no shares. */
export const dividesByZero = (fixed: boolean): EncodedPackage =>
  zooPackage({
    templates: {
      Fund: {
        fields: { manager: t.party, investor: t.party, assets: t.int64, shares: t.int64 },
        signatories: ['manager'],
        observers: ['investor'],
        ensure: ({ my }) =>
          and(
            isAtMost(e.int(0), my('assets')),
            fixed ? isPositive(my('shares')) : isAtMost(e.int(0), my('shares')),
          ),
        choices: {
          Price: {
            stays: true,
            by: ['investor'],
            returns: t.int64,
            does: ({ my }) => u.pure(t.int64, dividedBy(my('assets'), my('shares'))),
          },
        },
      },
    },
  });

/** A debt that grows tenfold each time overflows. */
export const overflows = (fixed: boolean): EncodedPackage =>
  zooPackage({
    templates: {
      Debt: {
        fields: { lender: t.party, amount: t.int64 },
        signatories: ['lender'],
        ensure: ({ my }) => and(isPositive(my('amount')), isLess(my('amount'), e.int(1_000_000))),
        choices: {
          Forecast: {
            stays: true,
            args: { factor: t.int64 },
            by: ['lender'],
            returns: t.int64,
            does: ({ my, given }) =>
              lastly(
                u.pure(t.int64, times(my('amount'), given('factor'))),
                ...(fixed
                  ? [
                      assert(
                        and(
                          isAtMost(e.int(0), given('factor')),
                          isAtMost(given('factor'), e.int(1000)),
                        ),
                        'the factor is at most 1000',
                      ),
                    ]
                  : []),
              ),
          },
        },
      },
    },
  });

const queueWith = (next: (waiting: Code) => Code): EncodedPackage =>
  zooPackage({
    templates: {
      Queue: {
        fields: { owner: t.party, clerk: t.party, waiting: t.list(t.party) },
        signatories: ['owner'],
        observers: ['clerk'],
        choices: {
          Next: {
            stays: true,
            by: ['clerk'],
            returns: t.optional(t.party),
            does: ({ my }) => u.pure(t.optional(t.party), next(my('waiting'))),
          },
        },
      },
    },
  });

/** The head of a list that may be empty. */
export const emptyHead = (fixed: boolean): EncodedPackage =>
  queueWith((waiting) =>
    fixed
      ? e.match(
          waiting,
          [p.cons('first', '_'), e.some(t.party, e.var('first'))],
          [p.nil, e.none(t.party)],
        )
      : e.some(t.party, head(t.party, waiting)),
  );

/** The options of a ballot as a list that is not empty. */
export const emptyBallot = (fixed: boolean): EncodedPackage => {
  const NON_EMPTY = typeOf('NonEmpty');
  const nonEmpty = e.match(
    e.field(typeOf('Ballot'), 'options', e.var('this')),
    [
      p.cons('hd', 'tl'),
      e.some(NON_EMPTY, e.record(NON_EMPTY, { hd: e.var('hd'), tl: e.var('tl') })),
    ],
    [p.nil, e.none(NON_EMPTY)],
  );
  const fromSome = e.match(
    nonEmpty,
    [p.some('it'), e.var('it')],
    [p.none, error(NON_EMPTY, 'fromSome: None')],
  );
  const Ballot: CaseTemplate = {
    fields: { chair: t.party, voter: t.party, options: t.list(t.text) },
    signatories: ['chair'],
    observers: ['voter'],
    ...(fixed && {
      ensure: ({ my }) => e.match(my('options'), [p.nil, e.false], [p.default, e.true]),
    }),
    choices: {
      Preferred: {
        stays: true,
        by: ['voter'],
        returns: t.text,
        does: () => u.pure(t.text, e.field(NON_EMPTY, 'hd', fromSome)),
      },
    },
  };
  const NonEmpty = { record: { hd: t.text, tl: t.list(t.text) } };
  return zooPackage({ templates: { Ballot }, more: { types: { NonEmpty } } });
};

/** A case without a branch for one of the colours. */
export const missingBranch = (fixed: boolean): EncodedPackage => {
  const wait = (colour: Code) =>
    e.match(
      colour,
      [p.enum('Main:Colour', 'Green'), e.int(0)],
      [p.enum('Main:Colour', 'Red'), e.int(60)],
      [
        p.enum('Main:Colour', 'Amber'),
        fixed
          ? e.int(5)
          : error(t.int64, 'daml/Main.daml:(21,7)-(23,19): Non-exhaustive patterns in case'),
      ],
    );
  return zooPackage({
    more: { types: { Colour: { enum: ['Green', 'Amber', 'Red'] } } },
    templates: {
      Light: {
        fields: { city: t.party, driver: t.party },
        signatories: ['city'],
        observers: ['driver'],
        choices: {
          Wait: {
            stays: true,
            args: { colour: t.con('Main:Colour') },
            by: ['driver'],
            returns: t.int64,
            does: ({ given }) => u.pure(t.int64, wait(given('colour'))),
          },
        },
      },
    },
  });
};

/** A discount can make the rent negative, which the lease refuses. */
export const failingEnsure = (fixed: boolean): EncodedPackage =>
  zooPackage({
    templates: {
      Lease: {
        fields: { landlord: t.party, tenant: t.party, rent: t.int64 },
        signatories: ['landlord'],
        observers: ['tenant'],
        ensure: ({ my }) => isPositive(my('rent')),
        choices: {
          Discount: {
            by: ['tenant'],
            returns: idOf('Lease'),
            does: ({ my }) => {
              const rent = minus(my('rent'), e.int(100));
              return renewed('Lease', {
                rent: fixed ? e.if(isPositive(rent), rent, e.int(1)) : rent,
              });
            },
          },
        },
      },
    },
  });

/** A sum that counts down from a number of the caller. */
export const longLoop = (fixed: boolean): EncodedPackage => {
  const countDown = e.value('Main:countDown');
  return zooPackage({
    more: {
      values: {
        countDown: {
          type: t.arrow(t.int64, t.arrow(t.int64, t.int64)),
          expression: e.lambda(
            { left: t.int64, sum: t.int64 },
            e.if(
              isPositive(e.var('left')),
              e.call(countDown, minus(e.var('left'), e.int(1)), e.var('left')),
              e.var('sum'),
            ),
          ),
        },
      },
    },
    templates: {
      Calculator: {
        fields: { owner: t.party, users: t.list(t.party) },
        signatories: ['owner'],
        observers: ({ my }) => my('users'),
        choices: {
          Run: {
            stays: true,
            args: { rounds: t.int64 },
            by: ['owner'],
            returns: t.int64,
            does: ({ given }) =>
              lastly(
                u.pure(t.int64, e.call(countDown, given('rounds'), e.int(0))),
                ...(fixed
                  ? [assert(isAtMost(given('rounds'), e.int(100)), 'there are at most 100 rounds')]
                  : []),
              ),
          },
        },
      },
    },
  });
};

/** The view of an interface is that of the first label, of which there may be none. */
export const failingView = (fixed: boolean): EncodedPackage => {
  const NAMED = 'Main:Named';
  const labels = e.field(typeOf('Parcel'), 'labels', e.var('this'));
  const first = fixed
    ? e.match(labels, [p.cons('first', '_'), e.var('first')], [p.nil, e.text('')])
    : head(t.text, labels);
  return zooPackage({
    more: {
      types: { NamedView: { record: { name: t.text } } },
      interfaces: { Named: { view: typeOf('NamedView') } },
    },
    templates: {
      Counter: {
        fields: { sender: t.party, clerk: t.party },
        signatories: ['sender'],
        observers: ['clerk'],
        choices: {
          Pack: {
            stays: true,
            args: { labels: t.list(t.text) },
            by: ['clerk'],
            returns: idOf('Parcel'),
            does: ({ my, given }) =>
              make('Parcel', { sender: my('sender'), labels: given('labels') }),
          },
        },
      },
      Parcel: {
        fields: { sender: t.party, labels: t.list(t.text) },
        signatories: ['sender'],
        implements: {
          [NAMED]: { view: e.record(typeOf('NamedView'), { name: first }), methods: {} },
        },
      },
    },
  });
};
