/** The factory's allocation: it checks the request, then locks the authorizer's funds and creates the allocation at once. */
import type { Update } from '../../daml/define/index.js';
import type { Party } from '../../daml/model/values.js';
import { checkActors } from '../holdings/actors.js';
import { lockFunds } from './allocation-funds.js';
import { netCredits, requiredFunds, sum } from './allocation-terms.js';
import { TokenAllocation } from './allocation.js';
import { rulesFromContext } from '../holdings/context.js';
import { EMPTY_METADATA, isBasicAccount, ownerOf } from '../holdings/conversions.js';
import { checkDeadlineExceeded } from '../holdings/deadlines.js';
import { logHoldingsChange } from '../holdings/events.js';
import { spendToken } from '../holdings/holdings.js';
import { reasonMetadata } from '../holdings/result-metadata.js';
import {
  AllocationInstructionResultOutput,
  type AllocationFactoryAllocate,
  type AllocationInstructionResult,
} from '../standard/allocation-instruction-v2.js';

export function allocate(
  update: Update,
  admin: Party,
  {
    settlement,
    allocation,
    requestedAt,
    inputHoldingCids,
    extraArgs,
    actors,
  }: AllocationFactoryAllocate,
): AllocationInstructionResult {
  const { authorizer } = allocation;
  update.assert(
    allocation.admin === admin,
    `Allocation admin ${allocation.admin} does not match the factory's admin ${admin}`,
  );
  checkDeadlineExceeded(update, 'requestedAt', requestedAt);
  update.assert(isBasicAccount(authorizer), "Expected a basic account for field 'authorizer'");
  const owner = ownerOf(authorizer);
  checkActors(update, actors, [owner]);
  const rulesCid = rulesFromContext(update, extraArgs.context, admin);
  const inputs = inputHoldingCids.map((inputCid) => {
    const { instrumentId, amount } = spendToken(update, inputCid, {
      owner,
      instrumentId: { admin },
    });
    return [instrumentId.id, amount] as const;
  });
  const { locked, change } = lockFunds(
    update,
    settlement,
    allocation,
    sum(inputs),
    requiredFunds(allocation),
  );
  const allocationCid = update.create(TokenAllocation, {
    originalAllocationCid: null,
    settlement,
    allocation,
    lockedTokens: locked,
    requestedAt,
    numIterations: 0n,
  });
  logHoldingsChange(update, rulesCid, {
    admin,
    account: authorizer,
    inputs: inputHoldingCids,
    outputs: [...locked.values(), ...change.values()].flat(),
    legs: [],
    meta: reasonMetadata('lock holdings for allocation'),
  });
  return {
    output: AllocationInstructionResultOutput.of('AllocationInstructionResult_Completed', {
      allocationCid,
    }),
    authorizerChangeCids: change,
    meta: EMPTY_METADATA,
  };
}

/** The observers of the choice besides its actors: the executors, if the choice uses no holdings of the authorizer. */
export function allocateObservers({
  settlement,
  allocation: { authorizer, transferLegSides, nextIterationFunding },
}: AllocationFactoryAllocate): readonly Party[] {
  const outgoing = [...netCredits(transferLegSides).values()].some((credit) => credit.sign() < 0);
  const funded = [...(nextIterationFunding?.value.values() ?? [])].some((each) => each.sign() > 0);
  return [ownerOf(authorizer), ...(outgoing || funded ? [] : settlement.executors)];
}
