/** Contracts of version 2 of the token standard, with the parts of its interfaces that the invariants read. */
import { encodePackage, type EncodedPackage } from '../../support/daml/lf-encoder.js';
import {
  archived,
  DONE,
  e,
  idOf,
  inSequence,
  it,
  make,
  t,
  typeOf,
  u,
  updateOf,
  zooPackage,
  type Code,
} from './notation.js';

const decimal = t.numeric(10);
const HOLDING = 'Splice.Api.Token.HoldingV2';
const ALLOCATION = 'Splice.Api.Token.AllocationV2';

const holdings = encodePackage({
  name: 'splice-api-token-holding-v2',
  modules: {
    [HOLDING]: {
      types: {
        Account: { record: { owner: t.optional(t.party), id: t.text } },
        InstrumentId: { record: { admin: t.party, id: t.text } },
        RelTime: { record: { microseconds: t.int64 } },
        Lock: {
          record: {
            holders: t.list(t.party),
            expiresAt: t.optional(t.timestamp),
            expiresAfter: t.optional(t.con(`${HOLDING}:RelTime`)),
          },
        },
        HoldingView: {
          record: {
            account: t.con(`${HOLDING}:Account`),
            instrumentId: t.con(`${HOLDING}:InstrumentId`),
            amount: decimal,
            lock: t.optional(t.con(`${HOLDING}:Lock`)),
          },
        },
      },
      interfaces: { Holding: { view: t.con(`${HOLDING}:HoldingView`) } },
    },
  },
});
const ofHolding = (name: string) => `${holdings.id}:${HOLDING}:${name}`;
const holding = (name: string) => t.con(ofHolding(name));

const ownType = (name: string) => t.con(`${ALLOCATION}:${name}`);
const allocations = encodePackage({
  name: 'splice-api-token-allocation-v2',
  modules: {
    [ALLOCATION]: {
      types: {
        TransferSide: { enum: ['SenderSide', 'ReceiverSide'] },
        TransferLegSide: {
          record: { side: ownType('TransferSide'), amount: decimal, instrumentId: t.text },
        },
        AllocationSpecification: {
          record: { admin: t.party, transferLegSides: t.list(ownType('TransferLegSide')) },
        },
        AllocationView: {
          record: {
            allocation: ownType('AllocationSpecification'),
            holdingCids: t.list(t.contractId(holding('Holding'))),
          },
        },
      },
      interfaces: {
        Allocation: {
          view: ownType('AllocationView'),
          methods: {
            admin: t.party,
            cancel: t.arrow(t.contractId(ownType('Allocation')), updateOf(t.unit)),
          },
          choices: {
            Allocation_Cancel: {
              consuming: false,
              argument: t.unit,
              returns: t.unit,
              controllers: e.list(t.party, [
                e.callInterface(`${ALLOCATION}:Allocation`, 'admin', it),
              ]),
              update: e.call(
                e.callInterface(`${ALLOCATION}:Allocation`, 'cancel', it),
                e.var('self'),
              ),
            },
          },
        },
      },
    },
  },
});
const ofAllocation = (name: string) => `${allocations.id}:${ALLOCATION}:${name}`;
const allocation = (name: string) => t.con(ofAllocation(name));

export const SECOND_APIS: readonly EncodedPackage[] = [holdings, allocations];

const BACKING = t.list(t.contractId(holding('Holding')));
const mine = (template: string, name: string): Code => e.field(typeOf(template), name, it);

/** @param endsIt whether a cancelled allocation ends; its amount never returns */
export function secondVersion(endsIt: boolean): EncodedPackage {
  const none = e.none(t.timestamp);
  const held = e.record(holding('Lock'), {
    holders: e.list(t.party, [mine('Coin', 'keeper')]),
    expiresAt: none,
    expiresAfter: e.some(
      holding('RelTime'),
      e.record(holding('RelTime'), { microseconds: e.int(10) }),
    ),
  });
  const own = t.contractId(typeOf('Allocated'));
  return zooPackage({
    templates: {
      Coin: {
        fields: {
          admin: t.party,
          owner: t.party,
          keeper: t.party,
          amount: decimal,
          locked: t.bool,
        },
        signatories: ['admin'],
        observers: ['owner'],
        choices: { Take: { by: ['owner'] } },
        implements: {
          [ofHolding('Holding')]: {
            methods: {},
            view: e.record(holding('HoldingView'), {
              account: e.record(holding('Account'), {
                owner: e.some(t.party, mine('Coin', 'owner')),
                id: e.text(''),
              }),
              instrumentId: e.record(holding('InstrumentId'), {
                admin: mine('Coin', 'admin'),
                id: e.text('Coin'),
              }),
              amount: mine('Coin', 'amount'),
              lock: e.if(
                mine('Coin', 'locked'),
                e.some(holding('Lock'), held),
                e.none(holding('Lock')),
              ),
            }),
          },
        },
      },
      Allocated: {
        fields: { admin: t.party, side: allocation('TransferSide'), backing: BACKING },
        signatories: ['admin'],
        implements: {
          [ofAllocation('Allocation')]: {
            view: e.record(allocation('AllocationView'), {
              allocation: e.record(allocation('AllocationSpecification'), {
                admin: mine('Allocated', 'admin'),
                transferLegSides: e.list(allocation('TransferLegSide'), [
                  e.record(allocation('TransferLegSide'), {
                    side: mine('Allocated', 'side'),
                    amount: e.numeric('2.0000000000'),
                    instrumentId: e.text('Coin'),
                  }),
                ]),
              }),
              holdingCids: mine('Allocated', 'backing'),
            }),
            methods: {
              admin: mine('Allocated', 'admin'),
              cancel: e.lambda(
                { id: t.contractId(allocation('Allocation')) },
                endsIt
                  ? u.block(
                      [
                        [
                          'own',
                          own,
                          u.pure(
                            own,
                            e.call(
                              e.builtin(
                                'COERCE_CONTRACT_ID',
                                allocation('Allocation'),
                                typeOf('Allocated'),
                              ),
                              e.var('id'),
                            ),
                          ),
                        ],
                      ],
                      inSequence(archived('Allocated', e.var('own'))),
                    )
                  : DONE,
              ),
            },
          },
        },
      },
      Maker: {
        fields: { admin: t.party },
        signatories: ['admin'],
        choices: {
          Make: {
            stays: true,
            args: { owner: t.party, keeper: t.party, amount: decimal, locked: t.bool },
            by: ['admin'],
            returns: idOf('Coin'),
            does: ({ my, given }) =>
              make('Coin', {
                admin: my('admin'),
                owner: given('owner'),
                keeper: given('keeper'),
                amount: given('amount'),
                locked: given('locked'),
              }),
          },
          Allocate: {
            stays: true,
            args: { side: allocation('TransferSide'), backing: BACKING },
            by: ['admin'],
            returns: idOf('Allocated'),
            does: ({ my, given }) =>
              make('Allocated', {
                admin: my('admin'),
                side: given('side'),
                backing: given('backing'),
              }),
          },
        },
      },
    },
  });
}
