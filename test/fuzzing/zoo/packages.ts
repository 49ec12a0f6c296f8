/** Models with contract keys of Daml-LF 2.3, with versions of a package, and with invariants in Daml. */
import { STABLE_PACKAGES } from '../../../src/daml/index.js';
import { encodeArchive, type EncodedPackage } from '../../support/daml/lf-encoder.js';
import {
  and,
  assert,
  created,
  e,
  idOf,
  isAtMost,
  isPositive,
  lastly,
  make,
  minus,
  p,
  plus,
  renewed,
  t,
  typeOf,
  u,
  zooPackage,
  type CaseTemplate,
  type Code,
} from './notation.js';

/** The package of pairs, which keys need. */
const [pairs] = STABLE_PACKAGES.filter(({ name }) => name === 'daml-prim-DA-Types');
export const PAIRS: EncodedPackage = {
  id: pairs!.id,
  name: pairs!.name,
  version: pairs!.version,
  payload: pairs!.archive!,
  dalf: encodeArchive(pairs!.archive!),
};
const FOUND = t.list(
  t.con(`${PAIRS.id}:DA.Types:Tuple2`, t.contractId(typeOf('Account')), typeOf('Account')),
);

const KEY = typeOf('Key');
const keyOf = (fields: Readonly<Record<string, Code>>) => e.record(KEY, fields);

/** Accounts of a bank, which a clerk opens if the number is free. */
const bank = (maintainer: 'bank' | 'owner', clerk: { readonly stays?: true }): EncodedPackage => {
  const key = (parts: Readonly<Record<string, Code>>) =>
    keyOf({ maintainer: parts[maintainer]!, number: parts['number']! });
  const Account: CaseTemplate = {
    fields: { bank: t.party, owner: t.party, number: t.int64 },
    signatories: ['bank', 'owner'],
    key: {
      type: KEY,
      of: ({ my }) => key({ bank: my('bank'), owner: my('owner'), number: my('number') }),
      maintainers: e.list(t.party, [e.field(KEY, 'maintainer', e.var('key'))]),
    },
  };
  const Desk: CaseTemplate = {
    fields: { bank: t.party, owners: t.list(t.party), opened: t.int64 },
    signatories: ['bank'],
    observers: ({ my }) => my('owners'),
    choices: {
      Open: {
        ...clerk,
        args: { owner: t.party, number: t.int64 },
        by: ['bank', '.owner'],
        returns: idOf('Account'),
        does: ({ my, given }) => {
          const account = { bank: my('bank'), owner: given('owner'), number: given('number') };
          const opened = plus(my('opened'), e.int(1));
          return lastly(
            make('Account', account),
            [
              'some',
              t.optional(FOUND),
              e.call(u.queryNByKey('Main:Account'), e.int(1), key(account)),
            ],
            assert(
              e.match(
                e.var('some'),
                [p.none, e.true],
                [p.some('list'), e.match(e.var('list'), [p.nil, e.true], [p.default, e.false])],
              ),
              'the number is free',
            ),
            ...(clerk.stays ? [] : [created('desk', 'Desk', renewed('Desk', { opened }))]),
          );
        },
      },
    },
  };
  return zooPackage({
    lf: '3',
    more: { types: { Key: { record: { maintainer: t.party, number: t.int64 } } } },
    templates: { Account, Desk },
  });
};

/** The owner maintains the number of its account, so two owners get the same number. */
export const wrongMaintainer = (fixed: boolean): EncodedPackage =>
  bank(fixed ? 'bank' : 'owner', {});

/** Two clerks find the same number free, and both open an account. */
export const racingKeys = (fixed: boolean): EncodedPackage =>
  bank('bank', fixed ? {} : { stays: true });

const bond = { issuer: t.party, holder: t.party, pledged: t.int64 };
const bondWith = (
  fields: CaseTemplate['fields'],
  transferred: Readonly<Record<string, Code>>,
): Readonly<Record<string, CaseTemplate>> => ({
  Bond: {
    fields,
    signatories: ['issuer'],
    observers: ['holder'],
    choices: {
      Hand: {
        args: { to: t.party },
        by: ['holder'],
        returns: idOf('Bond'),
        does: ({ given }) => renewed('Bond', { holder: given('to'), ...transferred }),
      },
    },
  },
});

/** Version 2 has a new field, which its transfer sets to None. */
export const droppedField = (fixed: boolean): readonly EncodedPackage[] => [
  zooPackage({
    version: '2.0.0',
    templates: bondWith(
      { ...bond, lien: t.optional(t.party) },
      fixed ? {} : { lien: e.none(t.party) },
    ),
  }),
  zooPackage({ version: '1.0.0', templates: bondWith(bond, {}) }),
];

const amountOf = (name: string) => e.field(typeOf('Coin'), 'amount', e.var(name));

/** The package has an invariant in Daml: no coin has an amount beyond its cap. */
export const damlInvariant = (fixed: boolean): EncodedPackage => {
  const COINS = t.list(typeOf('Coin'));
  return zooPackage({
    more: {
      values: {
        invariant_amounts: {
          type: t.arrow(COINS, t.bool),
          expression: e.lambda(
            { coins: COINS },
            e.call(
              e.builtin('FOLDL', typeOf('Coin'), t.bool),
              e.lambda(
                { good: t.bool, coin: typeOf('Coin') },
                and(
                  e.var('good'),
                  isAtMost(amountOf('coin'), e.field(typeOf('Coin'), 'cap', e.var('coin'))),
                ),
              ),
              e.true,
              e.var('coins'),
            ),
          ),
        },
      },
    },
    templates: {
      Coin: {
        fields: { issuer: t.party, owner: t.party, amount: t.int64, cap: t.int64 },
        signatories: ['issuer'],
        observers: ['owner'],
        choices: {
          Grow: {
            args: { by: t.int64 },
            by: ['issuer'],
            returns: idOf('Coin'),
            does: ({ my, given }) =>
              lastly(
                renewed('Coin', { amount: plus(my('amount'), given('by')) }),
                assert(isPositive(given('by')), 'it grows'),
                ...(fixed
                  ? [
                      assert(
                        isAtMost(given('by'), minus(my('cap'), my('amount'))),
                        'it stays below its cap',
                      ),
                    ]
                  : []),
              ),
          },
        },
        ensure: ({ my }) => isPositive(my('amount')),
      },
      /** The only way to a coin: an issuer mints it below its cap. */
      Mint: {
        fields: { issuer: t.party },
        signatories: ['issuer'],
        choices: {
          Issue: {
            stays: true,
            args: { owner: t.party, amount: t.int64, cap: t.int64 },
            by: ['issuer'],
            returns: idOf('Coin'),
            does: ({ my, given }) =>
              lastly(
                make('Coin', {
                  issuer: my('issuer'),
                  owner: given('owner'),
                  amount: given('amount'),
                  cap: given('cap'),
                }),
                assert(
                  and(isPositive(given('amount')), isAtMost(given('amount'), given('cap'))),
                  'the amount is within the cap',
                ),
              ),
          },
        },
      },
    },
  });
};
