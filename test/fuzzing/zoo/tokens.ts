/**
 * A registry of the token standard, with one of four bugs. The interfaces have only the parts of the standard that
 * these models use.
 */
import { encodePackage, type EncodedPackage } from '../../support/daml/lf-encoder.js';
import {
  assert,
  created,
  e,
  idOf,
  inSequence,
  isLess,
  it,
  lastly,
  make,
  now,
  p,
  renewed,
  t,
  typeOf,
  u,
  updateOf,
  withNow,
  zooPackage,
  type Code,
} from './notation.js';

const decimal = t.numeric(10);
const zero = e.numeric('0.0000000000');
const HOLDING_MODULE = 'Splice.Api.Token.HoldingV1';
const ALLOCATION_MODULE = 'Splice.Api.Token.AllocationV1';
const api = (name: string) => `splice-api-token-${name}`;

const instrument = { admin: t.party, id: t.text };
export const HOLDING_API = encodePackage({
  name: api('holding-v1'),
  modules: {
    [HOLDING_MODULE]: {
      types: {
        InstrumentId: { record: instrument },
        Lock: {
          record: {
            holders: t.list(t.party),
            expiresAt: t.optional(t.timestamp),
            expiresAfter: t.optional(t.int64),
          },
        },
        HoldingView: {
          record: {
            owner: t.party,
            instrumentId: t.con(`${HOLDING_MODULE}:InstrumentId`),
            amount: decimal,
            lock: t.optional(t.con(`${HOLDING_MODULE}:Lock`)),
          },
        },
      },
      interfaces: { Holding: { view: t.con(`${HOLDING_MODULE}:HoldingView`) } },
    },
  },
});
const holding = (name: string) => `${HOLDING_API.id}:${HOLDING_MODULE}:${name}`;
const holdingType = (name: string) => t.con(holding(name));

const ALLOCATION = `${ALLOCATION_MODULE}:Allocation`;
const ownType = (name: string) => t.con(`${ALLOCATION_MODULE}:${name}`);
/** A choice of the executor, with a method of the template as its body. */
const ending = (method: string) => ({
  argument: t.unit,
  returns: t.unit,
  controllers: e.list(t.party, [e.callInterface(ALLOCATION, 'executor', it)]),
  update: e.callInterface(ALLOCATION, method, it),
});
export const ALLOCATION_API = encodePackage({
  name: api('allocation-v1'),
  modules: {
    [ALLOCATION_MODULE]: {
      types: {
        TransferLeg: {
          record: {
            sender: t.party,
            receiver: t.party,
            amount: decimal,
            instrumentId: holdingType('InstrumentId'),
          },
        },
        AllocationSpecification: { record: { transferLeg: ownType('TransferLeg') } },
        AllocationView: {
          record: {
            allocation: ownType('AllocationSpecification'),
            holdingCids: t.list(t.contractId(holdingType('Holding'))),
          },
        },
      },
      interfaces: {
        Allocation: {
          view: ownType('AllocationView'),
          methods: {
            executor: t.party,
            execute: updateOf(t.unit),
            cancel: updateOf(t.unit),
          },
          choices: {
            Allocation_ExecuteTransfer: ending('execute'),
            Allocation_Cancel: ending('cancel'),
          },
        },
      },
    },
  },
});
const allocation = (name: string) => `${ALLOCATION_API.id}:${ALLOCATION_MODULE}:${name}`;
const allocationType = (name: string) => t.con(allocation(name));

type Bug = 'supply' | 'amounts' | 'locks' | 'allocations';

const mine = (template: string, name: string): Code => e.field(typeOf(template), name, it);
const instrumentOf = (template: string): Code =>
  e.record(holdingType('InstrumentId'), { admin: mine(template, 'admin'), id: e.text('Coin') });

const lockOf: Code = e.match(
  mine('Token', 'lockedBy'),
  [p.none, e.none(holdingType('Lock'))],
  [
    p.some('holder'),
    e.some(
      holdingType('Lock'),
      e.record(holdingType('Lock'), {
        holders: e.list(t.party, [e.var('holder')]),
        expiresAt: e.some(t.timestamp, mine('Token', 'until')),
        expiresAfter: e.none(t.int64),
      }),
    ),
  ],
);

const nobody = e.none(t.party);
const tokenFor = (owner: Code): Code =>
  make('Token', {
    admin: mine('TokenAllocation', 'admin'),
    owner,
    amount: mine('TokenAllocation', 'amount'),
    lockedBy: nobody,
    until: e.timestamp(0n),
  });

/** An allocation as a holding that its sender locks. */
const heldAllocation = e.record(holdingType('HoldingView'), {
  owner: mine('TokenAllocation', 'sender'),
  instrumentId: instrumentOf('TokenAllocation'),
  amount: mine('TokenAllocation', 'amount'),
  lock: e.some(
    holdingType('Lock'),
    e.record(holdingType('Lock'), {
      holders: e.list(t.party, [mine('TokenAllocation', 'sender')]),
      expiresAt: e.none(t.timestamp),
      expiresAfter: e.none(t.int64),
    }),
  ),
});

/**
 * @param bug undefined for the twin
 * @param isChecked whether an allocation must have an amount
 * @param isHolding whether an allocation is a locked holding itself
 */
export function registry(
  bug: Bug | undefined,
  isChecked = true,
  isHolding = false,
): EncodedPackage {
  const isFree = e.match(
    mine('Token', 'lockedBy'),
    [p.none, e.true],
    [p.default, isLess(mine('Token', 'until'), now, t.timestamp)],
  );
  const unlocked = [withNow, assert(isFree, 'it is locked')] as const;
  const guard = bug === 'locks' ? [] : unlocked;
  const part = e.field(typeOf('Part'), 'part', e.var('arg'));
  const rest = e.call(e.builtin('SUB_NUMERIC', t.nat(10)), mine('Token', 'amount'), part);
  const paid = created('paid', 'Token', tokenFor(mine('TokenAllocation', 'receiver')));
  return zooPackage({
    templates: {
      Token: {
        fields: {
          admin: t.party,
          owner: t.party,
          amount: decimal,
          lockedBy: t.optional(t.party),
          until: t.timestamp,
        },
        signatories: ['admin'],
        observers: ['owner'],
        ...(bug !== 'amounts' && { ensure: ({ my }) => isLess(zero, my('amount'), decimal) }),
        implements: {
          [holding('Holding')]: {
            methods: {},
            view: e.record(holdingType('HoldingView'), {
              owner: mine('Token', 'owner'),
              instrumentId: instrumentOf('Token'),
              amount: mine('Token', 'amount'),
              lock: lockOf,
            }),
          },
        },
        choices: {
          Lock: {
            args: { holder: t.party, until: t.timestamp },
            by: ['owner', '.holder'],
            returns: idOf('Token'),
            does: ({ given }) =>
              lastly(
                renewed('Token', {
                  lockedBy: e.some(t.party, given('holder')),
                  until: given('until'),
                }),
                ...unlocked,
              ),
          },
          Give: {
            args: { to: t.party },
            by: ['owner'],
            returns: idOf('Token'),
            does: ({ given }) =>
              lastly(renewed('Token', { owner: given('to'), lockedBy: nobody }), ...guard),
          },
          Part: {
            args: { part: decimal },
            by: ['owner'],
            returns: idOf('Token'),
            does: () =>
              lastly(
                renewed('Token', { amount: part }),
                ...unlocked,
                ...(bug === 'amounts'
                  ? []
                  : [
                      assert(isLess(zero, part, decimal), 'the part is positive'),
                      assert(isLess(zero, rest, decimal), 'the rest is positive'),
                    ]),
                created('rest', 'Token', renewed('Token', { amount: rest })),
              ),
          },
          Allocate: {
            args: { receiver: t.party, executor: t.party },
            by: ['owner'],
            returns: idOf('TokenAllocation'),
            does: ({ my, given }) =>
              lastly(
                make('TokenAllocation', {
                  admin: my('admin'),
                  sender: my('owner'),
                  receiver: given('receiver'),
                  executor: given('executor'),
                  amount: my('amount'),
                }),
                ...unlocked,
                assert(isLess(zero, my('amount'), decimal), 'it has an amount'),
              ),
          },
        },
      },
      TokenAllocation: {
        fields: {
          admin: t.party,
          sender: t.party,
          receiver: t.party,
          executor: t.party,
          amount: decimal,
        },
        signatories: ['admin'],
        observers: ['sender', 'receiver', 'executor'],
        ...(isChecked && { ensure: ({ my }) => isLess(zero, my('amount'), decimal) }),
        implements: {
          ...(isHolding && { [holding('Holding')]: { methods: {}, view: heldAllocation } }),
          [allocation('Allocation')]: {
            view: e.record(allocationType('AllocationView'), {
              allocation: e.record(allocationType('AllocationSpecification'), {
                transferLeg: e.record(allocationType('TransferLeg'), {
                  sender: mine('TokenAllocation', 'sender'),
                  receiver: mine('TokenAllocation', 'receiver'),
                  amount: mine('TokenAllocation', 'amount'),
                  instrumentId: instrumentOf('TokenAllocation'),
                }),
              }),
              holdingCids: e.nil(t.contractId(holdingType('Holding'))),
            }),
            methods: {
              executor: mine('TokenAllocation', 'executor'),
              execute: inSequence(paid, ...(bug === 'supply' ? [paid] : [])),
              cancel:
                bug === 'allocations'
                  ? u.pure(t.unit, e.unit)
                  : inSequence(
                      created('back', 'Token', tokenFor(mine('TokenAllocation', 'sender'))),
                    ),
            },
          },
        },
      },
    },
  });
}
