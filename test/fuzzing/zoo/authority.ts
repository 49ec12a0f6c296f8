/** Models in which a party gets rights that it should not have. */
import type { EncodedPackage } from '../../support/daml/lf-encoder.js';
import {
  assert,
  contains,
  DONE,
  e,
  fetched,
  idOf,
  inSequence,
  lastly,
  make,
  renewed,
  t,
  typeOf,
  u,
  zooPackage,
} from './notation.js';

/** The claimant of a prize is an argument; in the twin it is the winner. */
export const openClaim = (fixed: boolean): EncodedPackage =>
  zooPackage({
    templates: {
      Payment: { fields: { sponsor: t.party, to: t.party }, signatories: ['sponsor'] },
      Prize: {
        fields: { sponsor: t.party, winner: t.party },
        signatories: ['sponsor'],
        observers: ['winner'],
        choices: {
          Claim: {
            args: { claimant: t.party },
            by: fixed ? ['winner'] : ['.claimant'],
            returns: idOf('Payment'),
            does: ({ my, given }) =>
              make('Payment', {
                sponsor: my('sponsor'),
                to: fixed ? my('winner') : given('claimant'),
              }),
          },
        },
      },
    },
  });

/** The parties in the argument cancel; in the twin the guest must be one of them. */
export const openCancel = (fixed: boolean): EncodedPackage =>
  zooPackage({
    templates: {
      Booking: {
        fields: { hotel: t.party, guest: t.party },
        signatories: ['hotel', 'guest'],
        choices: {
          Cancel: {
            args: { actors: t.list(t.party) },
            by: ({ given }) => given('actors'),
            does: ({ my, given }) =>
              fixed
                ? inSequence(assert(contains(given('actors'), my('guest')), 'the guest must act'))
                : DONE,
          },
        },
      },
    },
  });

/** The agent incurs debts in the name of the client; in the twin the client must act too. */
export const mandate = (fixed: boolean): EncodedPackage =>
  zooPackage({
    templates: {
      Debt: {
        fields: { debtor: t.party, creditor: t.party, amount: t.int64 },
        signatories: ['debtor'],
        observers: ['creditor'],
      },
      Mandate: {
        fields: { client: t.party, agent: t.party },
        signatories: ['client'],
        observers: ['agent'],
        choices: {
          Borrow: {
            stays: true,
            args: { creditor: t.party, amount: t.int64 },
            by: fixed ? ['client', 'agent'] : ['agent'],
            returns: idOf('Debt'),
            does: ({ my, given }) =>
              make('Debt', {
                debtor: my('client'),
                creditor: given('creditor'),
                amount: given('amount'),
              }),
          },
        },
      },
    },
  });

/** A member makes itself an administrator; in the twin only the operator promotes. */
export const selfPromotion = (fixed: boolean): EncodedPackage =>
  zooPackage({
    templates: {
      Role: {
        fields: { operator: t.party, member: t.party, isAdmin: t.bool },
        signatories: ['operator'],
        observers: ['member'],
        choices: {
          Promote: {
            by: fixed ? ['operator'] : ['member'],
            returns: idOf('Role'),
            does: () => renewed('Role', { isAdmin: e.true }),
          },
        },
      },
    },
  });

/** A withdrawn proposal can still be accepted. */
export const withdrawnProposal = (fixed: boolean): EncodedPackage =>
  zooPackage({
    templates: {
      Agreement: { fields: { from: t.party, to: t.party }, signatories: ['from', 'to'] },
      Proposal: {
        fields: { from: t.party, to: t.party, isOpen: t.bool },
        signatories: ['from'],
        observers: ['to'],
        choices: {
          Withdraw: {
            by: ['from'],
            returns: idOf('Proposal'),
            does: () => renewed('Proposal', { isOpen: e.false }),
          },
          Accept: {
            by: ['to'],
            returns: idOf('Agreement'),
            does: ({ my }) => {
              const agree = make('Agreement', { from: my('from'), to: my('to') });
              return fixed ? lastly(agree, assert(my('isOpen'), 'it is withdrawn')) : agree;
            },
          },
        },
      },
    },
  });

/** The seller gets the money that the arbiter refunds. */
export const wrongPayee = (fixed: boolean): EncodedPackage =>
  zooPackage({
    templates: {
      Payout: {
        fields: { arbiter: t.party, to: t.party, amount: t.int64 },
        signatories: ['arbiter'],
        observers: ['to'],
      },
      Deal: {
        fields: { buyer: t.party, seller: t.party, arbiter: t.party, amount: t.int64 },
        signatories: ['arbiter'],
        observers: ['buyer', 'seller'],
        choices: {
          Refund: {
            by: ['arbiter'],
            returns: idOf('Payout'),
            does: ({ my }) =>
              make('Payout', {
                arbiter: my('arbiter'),
                to: my(fixed ? 'buyer' : 'seller'),
                amount: my('amount'),
              }),
          },
        },
      },
    },
  });

/** The result of a charge depends on a rate that the borrower cannot see. */
export const hiddenRate = (fixed: boolean): EncodedPackage =>
  zooPackage({
    templates: {
      Rate: {
        fields: { bank: t.party, customers: t.list(t.party), percent: t.int64 },
        signatories: ['bank'],
        observers: ({ my }) => my('customers'),
      },
      Loan: {
        fields: { bank: t.party, borrower: t.party },
        signatories: ['bank'],
        observers: ['borrower'],
        choices: {
          Charge: {
            stays: true,
            args: { rate: idOf('Rate') },
            by: ['borrower'],
            returns: t.int64,
            does: ({ my, given }) => {
              const field = (name: string) => e.field(typeOf('Rate'), name, e.var('rate'));
              const visible = assert(
                contains(field('customers'), my('borrower')),
                'the rate is for customers',
              );
              return lastly(
                u.pure(t.int64, field('percent')),
                fetched('rate', 'Rate', given('rate')),
                ...(fixed ? [visible] : []),
              );
            },
          },
        },
      },
    },
  });
