/** Models that create value from nothing, or lose it. */
import type { EncodedPackage } from '../../support/daml/lf-encoder.js';
import {
  and,
  archived,
  assert,
  changed,
  created,
  dividedBy,
  e,
  fetched,
  fieldOf,
  idOf,
  inSequence,
  isAtMost,
  isEqual,
  isLess,
  isPositive,
  it,
  lastly,
  make,
  minus,
  not,
  plus,
  renewed,
  self,
  t,
  typeOf,
  u,
  zooPackage,
  type CaseTemplate,
  type Code,
  type ZooPackage,
} from './notation.js';

const token = { issuer: t.party, owner: t.party, instrument: t.text, amount: t.int64 };

/** A token of an issuer, with more choices. */
const tokenWith = (
  choices: CaseTemplate['choices'],
): Pick<CaseTemplate, 'fields'> & CaseTemplate => ({
  fields: token,
  signatories: ['issuer'],
  observers: ['owner'],
  ensure: ({ my }) => isPositive(my('amount')),
  choices,
});

/** Splits a token without reducing the rest. */
export const mintingSplit = (
  fixed: boolean,
  naming: Pick<ZooPackage, 'name' | 'version'> = {},
): EncodedPackage =>
  zooPackage({
    ...naming,
    templates: {
      Token: tokenWith({
        Split: {
          args: { part: t.int64 },
          by: ['owner'],
          returns: idOf('Token'),
          does: ({ my, given }) =>
            lastly(
              renewed('Token', { amount: given('part') }),
              assert(isLess(given('part'), my('amount')), 'the part is less than the token'),
              created(
                'rest',
                'Token',
                renewed('Token', fixed ? { amount: minus(my('amount'), given('part')) } : {}),
              ),
            ),
        },
      }),
    },
  });

/** Merges another token without archiving it. */
export const mintingMerge = (fixed: boolean): EncodedPackage =>
  zooPackage({
    templates: {
      Token: tokenWith({
        Merge: {
          args: { other: idOf('Token') },
          by: ['owner'],
          returns: idOf('Token'),
          does: ({ my, given }) => {
            const same = (name: string, type = t.text) =>
              isEqual(fieldOf('Token', name, 'second'), my(name), type);
            return lastly(
              renewed('Token', {
                amount: plus(my('amount'), fieldOf('Token', 'amount', 'second')),
              }),
              fetched('second', 'Token', given('other')),
              assert(
                and(same('owner', t.party), and(same('issuer', t.party), same('instrument'))),
                'it is the same instrument',
              ),
              ...(fixed ? [archived('Token', given('other'))] : []),
            );
          },
        },
      }),
    },
  });

/** A payment between purses doubles the amount if both are the same purse. */
export const payToSelf = (fixed: boolean): EncodedPackage => {
  const Purse = idOf('Purse');
  const same = (left: Code, right: Code) => isEqual(left, right, Purse);
  const purse = (name: string, amount: Code) =>
    u.create('Main:Purse', changed('Purse', { amount }, e.var(name)));
  return zooPackage({
    templates: {
      Purse: {
        fields: { bank: t.party, owner: t.party, amount: t.int64 },
        signatories: ['bank'],
        observers: ['owner'],
        ensure: ({ my }) => isAtMost(e.int(0), my('amount')),
      },
      Teller: {
        fields: { bank: t.party },
        signatories: ['bank'],
        choices: {
          Pay: {
            stays: true,
            args: { from: Purse, to: Purse, amount: t.int64 },
            by: ['bank'],
            does: ({ given }) =>
              inSequence(
                assert(isPositive(given('amount')), 'the amount is positive'),
                ...(fixed
                  ? [assert(not(same(given('from'), given('to'))), 'it is another purse')]
                  : []),
                fetched('payer', 'Purse', given('from')),
                fetched('payee', 'Purse', given('to')),
                assert(
                  isAtMost(given('amount'), fieldOf('Purse', 'amount', 'payer')),
                  'the purse has the amount',
                ),
                archived('Purse', given('from')),
                [
                  '_',
                  t.unit,
                  e.if(
                    same(given('from'), given('to')),
                    u.pure(t.unit, e.unit),
                    inSequence(archived('Purse', given('to'))),
                  ),
                ],
                [
                  '_',
                  t.unit,
                  e.if(
                    same(given('from'), given('to')),
                    u.pure(t.unit, e.unit),
                    inSequence(
                      created(
                        'rest',
                        'Purse',
                        purse('payer', minus(fieldOf('Purse', 'amount', 'payer'), given('amount'))),
                      ),
                    ),
                  ),
                ],
                created(
                  'paid',
                  'Purse',
                  purse('payee', plus(fieldOf('Purse', 'amount', 'payee'), given('amount'))),
                ),
              ),
          },
        },
      },
    },
  });
};

/** A payment of a negative amount takes from the payee. */
export const negativePayment = (fixed: boolean): EncodedPackage =>
  zooPackage({
    templates: {
      Invoice: {
        fields: { payer: t.party, payee: t.party, open: t.int64 },
        signatories: ['payee'],
        observers: ['payer'],
        ensure: ({ my }) => isPositive(my('open')),
        choices: {
          PayPart: {
            args: { part: t.int64 },
            by: ['payer'],
            returns: idOf('Invoice'),
            does: ({ my, given }) =>
              lastly(
                renewed('Invoice', { open: minus(my('open'), given('part')) }),
                ...(fixed ? [assert(isPositive(given('part')), 'the part is positive')] : []),
              ),
          },
        },
      },
    },
  });

/** Half of an odd amount is lost, because both halves are rounded down. */
export const roundedHalves = (fixed: boolean): EncodedPackage =>
  zooPackage({
    templates: {
      Token: tokenWith({
        Halve: {
          by: ['owner'],
          returns: idOf('Token'),
          does: ({ my }) => {
            const half = dividedBy(my('amount'), e.int(2));
            return lastly(
              renewed('Token', { amount: half }),
              assert(isLess(e.int(1), my('amount')), 'both halves have an amount'),
              created(
                'rest',
                'Token',
                renewed('Token', { amount: fixed ? minus(my('amount'), half) : half }),
              ),
            );
          },
        },
      }),
    },
  });

/** Each third of an amount is rounded to ten decimals. */
export const roundedThirds = (fixed: boolean): EncodedPackage => {
  const decimal = t.numeric(10);
  const numeric = (name: string, ...args: Code[]) => e.call(e.builtin(name, t.nat(10)), ...args);
  const share = (amount: Code) => renewed('Pot', { amount });
  return zooPackage({
    templates: {
      Pot: {
        fields: { issuer: t.party, amount: decimal },
        signatories: ['issuer'],
        ensure: ({ my }) => isLess(e.numeric('0.0000000000'), my('amount'), decimal),
        choices: {
          Share: {
            by: ['issuer'],
            returns: idOf('Pot'),
            does: ({ my }) => {
              const third = e.call(
                e.builtin('DIV_NUMERIC', t.nat(10), t.nat(10), t.nat(10)),
                e.numeric('0.0000000000'),
                my('amount'),
                e.numeric('3.0000000000'),
              );
              const two = numeric('ADD_NUMERIC', e.var('third'), e.var('third'));
              return e.let(
                [['third', decimal, third]],
                lastly(
                  share(fixed ? numeric('SUB_NUMERIC', my('amount'), two) : e.var('third')),
                  assert(
                    isLess(e.numeric('0.0000010000'), e.var('third'), decimal),
                    'each share has an amount',
                  ),
                  created('first', 'Pot', share(e.var('third'))),
                  created('second', 'Pot', share(e.var('third'))),
                ),
              );
            },
          },
        },
      },
    },
  });
};

/** A voucher remains after its redemption. */
export const lastingVoucher = (fixed: boolean): EncodedPackage =>
  zooPackage({
    templates: {
      Cash: {
        fields: { issuer: t.party, owner: t.party, amount: t.int64 },
        signatories: ['issuer'],
        observers: ['owner'],
      },
      Voucher: {
        fields: { issuer: t.party, holder: t.party, amount: t.int64 },
        signatories: ['issuer'],
        observers: ['holder'],
        choices: {
          Redeem: {
            ...(!fixed && { stays: true }),
            by: ['holder'],
            returns: idOf('Cash'),
            does: ({ my }) =>
              make('Cash', { issuer: my('issuer'), owner: my('holder'), amount: my('amount') }),
          },
        },
      },
    },
  });

/** Spending does not reduce an approval. */
export const lastingApproval = (fixed: boolean): EncodedPackage =>
  zooPackage({
    templates: {
      Spent: {
        fields: {
          owner: t.party,
          spender: t.party,
          approval: idOf('Approval'),
          amount: t.int64,
          limit: t.int64,
        },
        signatories: ['owner'],
        observers: ['spender'],
      },
      Approval: {
        fields: { owner: t.party, spender: t.party, limit: t.int64 },
        signatories: ['owner'],
        observers: ['spender'],
        choices: {
          Spend: {
            ...(!fixed && { stays: true }),
            args: { amount: t.int64 },
            by: ['spender'],
            returns: idOf('Spent'),
            does: ({ my, given }) => {
              const spent = make('Spent', {
                owner: my('owner'),
                spender: my('spender'),
                approval: self,
                amount: given('amount'),
                limit: my('limit'),
              });
              const rest = renewed('Approval', { limit: minus(my('limit'), given('amount')) });
              return lastly(
                spent,
                assert(
                  and(isPositive(given('amount')), isAtMost(given('amount'), my('limit'))),
                  'the amount is within the limit',
                ),
                ...(fixed ? [created('rest', 'Approval', rest)] : []),
              );
            },
          },
        },
      },
    },
  });

/** The choices of an allocation: one settles it, one returns the amount to its sender. */
const allocationWith = (settle: { stays?: true }, cancel: Code | undefined): EncodedPackage =>
  zooPackage({
    templates: {
      Holding: { fields: token, signatories: ['issuer'], observers: ['owner'] },
      Allocation: {
        fields: { ...token, receiver: t.party, executor: t.party },
        signatories: ['issuer', 'owner'],
        observers: ['executor'],
        choices: {
          Settle: {
            ...settle,
            by: ['executor'],
            returns: idOf('Holding'),
            does: ({ my }) => holding(my('receiver')),
          },
          Cancel: {
            by: ['executor'],
            does: () =>
              cancel === undefined
                ? u.pure(t.unit, e.unit)
                : inSequence(created('back', 'Holding', cancel)),
          },
        },
      },
    },
  });
const allocated = (name: string) => e.field(typeOf('Allocation'), name, it);
const holding = (owner: Code) =>
  make('Holding', {
    issuer: allocated('issuer'),
    owner,
    instrument: allocated('instrument'),
    amount: allocated('amount'),
  });

/** An allocation settles any number of times. */
export const settlesTwice = (fixed: boolean): EncodedPackage =>
  allocationWith(fixed ? {} : { stays: true }, holding(allocated('owner')));

/** A cancelled allocation does not return the amount. */
export const neverReturns = (fixed: boolean): EncodedPackage =>
  allocationWith({}, fixed ? holding(allocated('owner')) : undefined);
