/**
 * Version 1 allocations of the simplified Amulet: amulets locked for one leg of a settlement. A leg is executed alone or in a version 2
 * batch.
 */
import {
  d,
  defineTemplate,
  type Update,
  type ValueOf,
  type RecordOf,
} from '../../daml/define/index.js';
import { some, type ContractId, type Party } from '../../daml/model/values.js';
import type { Released } from '../../token/allocations/allocated.js';
import { checkActors } from '../../token/holdings/actors.js';
import { basicAccount, EMPTY_METADATA, metadata } from '../../token/holdings/conversions.js';
import { resultMetadata, SETTLEMENT_METADATA } from '../../token/holdings/result-metadata.js';
import {
  Allocation as AllocationV1,
  AllocationSpecification,
} from '../../token/standard/allocation-v1.js';
import {
  Allocation,
  AllocationAction,
  AllocationResultOutput as Output,
  type AllocationResult,
  type AllocationView,
  type SettlementInfo,
} from '../../token/standard/allocation-v2.js';
import { Amulet, AMULET_ID, amuletLike, LockedAmulet } from './amulets.js';
import { takeLocked, unlock } from './locking.js';

const EXTRA_EXECUTORS = 'cip-112/extra-executors';

const fields = {
  lockedAmulet: d.contractId(LockedAmulet),
  allocation: AllocationSpecification,
  expiresAt: d.optional(d.timestamp),
};
type Payload = RecordOf<typeof fields>;
type SpecificationV1 = ValueOf<typeof AllocationSpecification>;

function executorsOf({ executor, meta }: SpecificationV1['settlement']): readonly Party[] {
  const more = meta.values.get(EXTRA_EXECUTORS);
  return more === undefined || more === '' ? [executor] : [executor, ...more.split(',')];
}

function settlementToV2(settlement: SpecificationV1['settlement']): SettlementInfo {
  const { settlementRef, meta } = settlement;
  return {
    executors: executorsOf(settlement),
    ...settlementRef,
    meta: metadata([...meta.values].filter(([key]) => key !== EXTRA_EXECUTORS)),
  };
}

/** The sender authorizes the allocation; the receiver does not have to. */
function viewOf({ lockedAmulet, allocation, expiresAt }: Payload): AllocationView {
  const { settlement, transferLeg, transferLegId } = allocation;
  const { sender, receiver, instrumentId, amount, meta } = transferLeg;
  const executors = executorsOf(settlement);
  return {
    originalAllocationCid: null,
    settlement: settlementToV2(settlement),
    allocation: {
      admin: instrumentId.admin,
      authorizer: basicAccount(sender),
      transferLegSides: [
        {
          ...{ transferLegId, side: 'SenderSide', amount, meta },
          otherside: basicAccount(receiver),
          instrumentId: instrumentId.id,
        },
      ],
      settlementDeadline: some(settlement.settleBefore),
      ...{ nextIterationFunding: null, committed: false, meta: EMPTY_METADATA },
    },
    holdingCids: [lockedAmulet],
    createdAt: settlement.requestedAt,
    ...{ numIterations: 0n, expiresAt, meta: EMPTY_METADATA },
    availableActions: [
      [AllocationAction.of('AA_Settle', {}), [[instrumentId.admin, ...executors]]],
      [AllocationAction.of('AA_Cancel', {}), [executors]],
      [AllocationAction.of('AA_Withdraw', {}), [[sender]]],
    ],
  };
}

const observersOf = ({ payload }: { readonly payload: Payload }) =>
  executorsOf(payload.allocation.settlement);

export const AmuletAllocation = defineTemplate({
  name: 'Splice.AmuletAllocation:AmuletAllocation',
  fields,
  signatories: ({ allocation: { transferLeg } }) => [
    transferLeg.instrumentId.admin,
    transferLeg.sender,
  ],
  observers: ({ allocation }) => executorsOf(allocation.settlement),
  ensure: ({ allocation: { transferLeg } }) =>
    transferLeg.amount.sign() > 0 && transferLeg.instrumentId.id === AMULET_ID,
  implements: (implement) => [
    implement(AllocationV1, {
      view: ({ allocation, lockedAmulet, expiresAt }) => ({
        allocation,
        holdingCids: [lockedAmulet],
        meta: metadata(expiresAt === null ? [] : [['cip-112/expiresAt', String(expiresAt.value)]]),
      }),
      methods: {
        allocation_executeTransferImpl: ({ payload }, update) => execute(update, payload),
        allocation_cancelImpl: ({ payload }, update, { extraArgs }) => ({
          senderHoldingCids: giveBack(update, payload, extraArgs),
          meta: EMPTY_METADATA,
        }),
        allocation_withdrawImpl: ({ payload }, update, { extraArgs }) => ({
          senderHoldingCids: giveBack(update, payload, extraArgs),
          meta: EMPTY_METADATA,
        }),
      },
    }),
    implement(Allocation, {
      view: viewOf,
      methods: {
        allocation_settleImpl: ({ payload, contractId }, update, given) => {
          const { settlement, transferLeg } = payload.allocation;
          update.archive(AmuletAllocation, contractId);
          const { admin } = transferLeg.instrumentId;
          checkActors(update, given.actors, [admin, ...executorsOf(settlement)]);
          const isOnce =
            given.extraTransferLegSides.length === 0 && given.nextIterationFunding === null;
          update.assert(isOnce, 'An allocation of version 1 is for one settlement');
          checkInTime(update, settlement);
          takeLocked(update, payload.lockedAmulet);
          const output = Output.of('AllocationResult_Settled', {
            nextIterationAllocationCid: null,
          });
          return { output, authorizerHoldingCids: new Map(), meta: SETTLEMENT_METADATA };
        },
        allocation_cancelImpl: ({ payload, contractId }, update, { actors, extraArgs }) => {
          update.archive(AmuletAllocation, contractId);
          checkActors(update, actors, executorsOf(payload.allocation.settlement));
          return released('AllocationResult_Cancelled', giveBack(update, payload, extraArgs));
        },
        allocation_withdrawImpl: ({ payload, contractId }, update, { actors, extraArgs }) => {
          const { sender } = payload.allocation.transferLeg;
          checkActors(update, actors, [sender]);
          const choice = 'Allocation_Withdraw';
          const { senderHoldingCids } = update.exercise(AllocationV1, contractId, choice, {
            extraArgs,
          });
          return released('AllocationResult_Withdrawn', senderHoldingCids);
        },
        allocation_settleExtraObservers: observersOf,
        allocation_cancelExtraObservers: observersOf,
        allocation_withdrawExtraObservers: observersOf,
      },
    }),
  ],
});

/** The result of an allocation of either version that returned its holdings. */
export function released(tag: Released, holdings: readonly ContractId[]): AllocationResult {
  return {
    output: Output.of(tag, {}),
    authorizerHoldingCids: new Map([[AMULET_ID, holdings]]),
    meta: EMPTY_METADATA,
  };
}

function checkInTime(update: Update, { settleBefore }: SpecificationV1['settlement']): void {
  const isInTime = update.getTime() < settleBefore;
  update.assert(isInTime, 'allocation.settlement.settleBefore is in the future');
}

/** NOTE: the executor's app earns no rewards. */
function execute(update: Update, { lockedAmulet, allocation }: Payload) {
  const { settlement, transferLeg } = allocation;
  const { sender, receiver, amount, meta } = transferLeg;
  checkInTime(update, settlement);
  const amulet = takeLocked(update, lockedAmulet);
  const received = update.create(Amulet, amuletLike(amulet, { owner: receiver, amount }));
  return {
    senderHoldingCids: [],
    receiverHoldingCids: [received],
    meta: resultMetadata('transfer', sender, meta),
  };
}

type ExtraArgsOf = Parameters<typeof unlock>[3];

function giveBack(update: Update, payload: Payload, extraArgs: ExtraArgsOf): readonly ContractId[] {
  const { allocation, expiresAt, lockedAmulet } = payload;
  const until = expiresAt?.value ?? allocation.settlement.settleBefore;
  return unlock(update, lockedAmulet, until, extraArgs);
}
