/** Version 2 allocations of the simplified Amulet: any number of legs, settled in a batch, and again if more iterations are funded. */
import {
  d,
  defineTemplate,
  type Self,
  type Update,
  type RecordOf,
} from '../../daml/define/index.js';
import { Numeric } from '../../daml/model/numeric.js';
import { some } from '../../daml/model/values.js';
import { isValidSpecification, netCredits, sum } from '../../token/allocations/allocation-terms.js';
import { allocated } from '../../token/allocations/allocated.js';
import { ownerOf } from '../../token/holdings/conversions.js';
import { SETTLEMENT_METADATA } from '../../token/holdings/result-metadata.js';
import {
  AllocationResultOutput as Output,
  AllocationSpecification,
  SettlementInfo,
  type AllocationResult,
  type AllocationSettle,
} from '../../token/standard/allocation-v2.js';
import { released } from './allocations.js';
import { Amulet, AMULET_ID, LockedAmulet, type AmuletPayload } from './amulets.js';
import { takeLocked, unlock } from './locking.js';

const ZERO = Numeric.of('0', 10);

const fields = {
  lockedAmulet: d.optional(d.contractId(LockedAmulet)),
  settlement: SettlementInfo,
  allocation: AllocationSpecification,
  expiresAt: d.timestamp,
  numIterations: d.int64,
  createdAt: d.timestamp,
};
type Payload = RecordOf<typeof fields>;

export const AmuletAllocationV2 = defineTemplate({
  name: 'Splice.AmuletAllocationV2:AmuletAllocationV2',
  fields,
  signatories: ({ allocation }) => [allocation.admin, ownerOf(allocation.authorizer)],
  observers: ({ settlement }) => settlement.executors,
  ensure: ({ settlement, allocation }) =>
    isValidSpecification(settlement, allocation) &&
    allocation.transferLegSides.every(({ instrumentId }) => instrumentId === AMULET_ID),
  implements: allocated({
    terms: ({ lockedAmulet, expiresAt, ...terms }) => ({
      ...{ ...terms, originalAllocationCid: null, expiresAt: some(expiresAt) },
      holdingCids: lockedAmulet === null ? [] : [lockedAmulet.value],
    }),
    settle,
    release: (update, { lockedAmulet, expiresAt }, extraArgs, tag) => {
      const locked = lockedAmulet?.value;
      return released(tag, locked ? unlock(update, locked, expiresAt, extraArgs) : []);
    },
  }),
});

/** Pays out the net inflow, and locks the funding of the next iteration. */
function settle(
  { payload }: Self<Payload>,
  update: Update,
  given: AllocationSettle,
): AllocationResult {
  const { settlement, allocation, lockedAmulet, expiresAt } = payload;
  const { admin, authorizer } = allocation;
  const deadline = allocation.settlementDeadline;
  const isInTime = deadline === null || update.getTime() < deadline.value;
  update.assert(isInTime, 'allocation.settlement.settlementDeadline is in the future');
  const taken = lockedAmulet === null ? undefined : takeLocked(update, lockedAmulet.value);
  const sides = [...allocation.transferLegSides, ...given.extraTransferLegSides];
  const input = (taken?.amount.initialAmount ?? ZERO).add(netAmulets(netCredits(sides)));
  const reserved = netAmulets(given.nextIterationFunding?.value ?? new Map());
  const left = input.subtract(reserved);
  update.assert(left.sign() >= 0, `inputAmount ${input} is at least ${reserved}`);
  const amuletOf = (initialAmount: Numeric): AmuletPayload => ({
    ...{ dso: admin, owner: ownerOf(authorizer) },
    // NOTE: an amount received without a locked amulet dates from the first round, which makes no difference here.
    amount: {
      ...(taken?.amount ?? { createdAt: { number: 0n }, ratePerRound: { rate: ZERO } }),
      initialAmount,
    },
  });
  const paid = left.sign() > 0 ? [update.create(Amulet, amuletOf(left))] : [];
  const lock = { holders: [admin], expiresAt, optContext: some(lockContext(settlement.id)) };
  const locked =
    reserved.sign() > 0
      ? some(update.create(LockedAmulet, { amulet: amuletOf(reserved), lock }))
      : null;
  const nextIterationAllocationCid =
    given.nextIterationFunding &&
    some(
      update.create(AmuletAllocationV2, {
        ...{ ...payload, lockedAmulet: locked, numIterations: payload.numIterations + 1n },
        allocation: {
          ...allocation,
          transferLegSides: [],
          nextIterationFunding: given.nextIterationFunding,
        },
      }),
    );
  const holdings = [...(locked === null ? [] : [locked.value]), ...paid];
  return {
    output: Output.of('AllocationResult_Settled', { nextIterationAllocationCid }),
    authorizerHoldingCids: new Map(holdings.length === 0 ? [] : [[AMULET_ID, holdings]]),
    meta: SETTLEMENT_METADATA,
  };
}

export const lockContext = (settlementId: string): string =>
  `allocation for settlement of ${settlementId}`;

/** The amulet amount out of amounts by instrument. */
export function netAmulets(amounts: ReadonlyMap<string, Numeric>): Numeric {
  return sum(amounts).get(AMULET_ID) ?? ZERO;
}
