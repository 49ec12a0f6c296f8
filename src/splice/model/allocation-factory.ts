/**
 * Allocation by the simplified Amulet's factory, in versions 1 and 2: it checks the request, locks the amount and creates the allocation.
 */
import type { Update } from '../../daml/define/index.js';
import type { Numeric } from '../../daml/model/numeric.js';
import { some, type ContractId, type Party } from '../../daml/model/values.js';
import { netCredits } from '../../token/allocations/allocation-terms.js';
import { checkActors } from '../../token/holdings/actors.js';
import { EMPTY_METADATA, isBasicAccount, ownerOf } from '../../token/holdings/conversions.js';
import {
  AllocationInstructionResultOutput as OutputV1,
  type AllocationFactoryAllocate as AllocateV1,
  type AllocationInstructionResult as ResultV1,
} from '../../token/standard/allocation-instruction-v1.js';
import {
  AllocationInstructionResultOutput as Output,
  type AllocationFactoryAllocate,
  type AllocationInstructionResult,
} from '../../token/standard/allocation-instruction-v2.js';
import { AmuletAllocation } from './allocations.js';
import { AmuletAllocationV2, lockContext, netAmulets } from './allocations-v2.js';
import { AMULET_ID } from './amulets.js';
import { lock } from './locking.js';

/** The lifetime without a deadline. NOTE: the real rules cap it by their longest lifetime, which is the same. */
const LONGEST = 90n * 86_400_000_000n;

export function allocateV1(
  update: Update,
  dso: Party,
  { allocation, inputHoldingCids, requestedAt }: AllocateV1,
): ResultV1 {
  const { settlement, transferLeg } = allocation;
  const { allocateBefore, settleBefore, settlementRef } = settlement;
  const now = update.getTime();
  const isInTime = now < allocateBefore;
  update.assert(isInTime, 'allocation.settlement.allocateBefore is in the future');
  update.assert(allocateBefore <= settleBefore, 'allocateBefore is not after settleBefore');
  const { instrumentId, amount, sender } = transferLeg;
  const isOfAmulet = instrumentId.admin === dso && instrumentId.id === AMULET_ID;
  update.assert(isOfAmulet, `The instrument is ${AMULET_ID} of ${dso}`);
  update.assert(amount.sign() > 0, 'transferLeg.amount is above zero');
  update.assert(requestedAt <= now, 'requestedAt is in the past');
  const expiresAt = endOf(requestedAt, settleBefore);
  const { locked, change } = lockInputs(update, inputHoldingCids, {
    ...{ dso, owner: sender, amount, expiresAt, context: lockContext(settlementRef.id) },
  });
  const made = { lockedAmulet: locked, allocation, expiresAt: some(expiresAt) };
  const allocationCid = update.create(AmuletAllocation, made);
  return {
    output: OutputV1.of('AllocationInstructionResult_Completed', { allocationCid }),
    senderChangeCids: change,
    meta: EMPTY_METADATA,
  };
}

export function allocateV2(
  update: Update,
  dso: Party,
  given: AllocationFactoryAllocate,
): AllocationInstructionResult {
  const { settlement, allocation, requestedAt, inputHoldingCids, actors } = given;
  const { authorizer, admin, settlementDeadline, transferLegSides } = allocation;
  const now = update.getTime();
  update.assert(isBasicAccount(authorizer), "Expected a basic account for field 'authorizer'");
  const owner = ownerOf(authorizer);
  checkActors(update, actors, [owner]);
  update.assert(admin === dso, `allocation.admin ${admin} matches ${dso}`);
  const deadline = settlementDeadline?.value;
  const isInTime = deadline === undefined || now < deadline;
  update.assert(isInTime, 'Allocation.settlementDeadline is in the future');
  update.assert(requestedAt <= now, 'requestedAt is in the past');
  for (const { instrumentId } of transferLegSides)
    update.assert(instrumentId === AMULET_ID, `transferLeg.instrumentId is ${AMULET_ID}`);
  const expiresAt = endOf(requestedAt, deadline);
  const needed = requiredAmulets(given);
  const { locked, change } =
    needed.sign() > 0
      ? lockInputs(update, inputHoldingCids, {
          ...{ dso, owner, amount: needed, expiresAt, context: lockContext(settlement.id) },
        })
      : // There is no amount to lock: the inputs are returned.
        { locked: undefined, change: inputHoldingCids };
  const allocationCid = update.create(AmuletAllocationV2, {
    ...{ settlement, allocation, expiresAt, createdAt: requestedAt, numIterations: 0n },
    lockedAmulet: locked === undefined ? null : some(locked),
  });
  return {
    output: Output.of('AllocationInstructionResult_Completed', { allocationCid }),
    authorizerChangeCids: new Map([[AMULET_ID, change]]),
    meta: EMPTY_METADATA,
  };
}

/** The observers of the choice besides its actors: the executors, if there is no amount to lock for it. */
export function allocateObservers(given: AllocationFactoryAllocate): readonly Party[] {
  const { settlement, allocation } = given;
  const executors = requiredAmulets(given).sign() > 0 ? [] : settlement.executors;
  return [ownerOf(allocation.authorizer), ...executors];
}

/** The net outflow of the legs plus the funding of the next iteration. */
function requiredAmulets({ allocation }: AllocationFactoryAllocate): Numeric {
  const { transferLegSides, nextIterationFunding } = allocation;
  const reserved = netAmulets(nextIterationFunding?.value ?? new Map());
  return reserved.subtract(netAmulets(netCredits(transferLegSides)));
}

function lockInputs(
  update: Update,
  inputs: readonly ContractId[],
  what: Omit<Parameters<typeof lock>[1], 'inputs'>,
) {
  const message =
    'At least one input holding must be provided for allocations that require funding';
  update.assert(inputs.length > 0, message);
  return lock(update, { inputs, ...what });
}

function endOf(requestedAt: bigint, deadline: bigint | undefined): bigint {
  const latest = requestedAt + LONGEST;
  return deadline !== undefined && deadline < latest ? deadline : latest;
}
