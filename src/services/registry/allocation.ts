/**
 * The registry's allocation APIs, versions 1 and 2 (R-AI-*, R-AL-*, R-V2-*): for Amulet if it runs, and for the
 * built-in test token, which has only version 2.
 */
import type {
  ChoiceContext,
  FactoryWithChoiceContext,
  GetFactoryRequest,
} from '../../spec/generated/registry.js';
import {
  amuletAllocationContext,
  amuletAllocationContextV2,
  amuletAllocationFactory,
  amuletAllocationFactoryV2,
  amuletSettlementFactory,
  type AllocationStep,
} from '../../splice/registry/amulet-allocations.js';
import { isAmuletRunning } from '../../splice/registry/amulet-registry.js';
import {
  ALLOCATION_ARGUMENT_TYPES,
  allocationContext,
  allocationFactory,
  settlementFactory,
  tooBigToAllocate,
  tooBigToSettle,
} from '../../token/registry/allocation-registry.js';
import { TokenAllocation } from '../../token/allocations/allocation.js';
import type { FactoryAnswer, RegistryAnswer } from '../../token/registry/registry.js';
import type { AllocationFactoryAllocate } from '../../token/standard/allocation-instruction-v2.js';
import type { SettlementFactorySettleBatch } from '../../token/standard/allocation-v2.js';
import { HttpRefusal, type ScanContext, type SomeHandlers } from '../handler.js';
import { answered, choiceContext } from './choice-contexts.js';
import { factoryArguments } from './factory-arguments.js';
import { isAmuletContract, isOfAmulet, tokenLedger, type Splice } from './tokens.js';

interface StepInput {
  readonly path: { readonly allocationId: string };
  readonly body: { readonly excludeDebugFields?: boolean };
}

const step =
  (name: AllocationStep) =>
  ({ splice }: ScanContext, { path, body }: StepInput): ChoiceContext =>
    choiceContext(
      splice,
      answered(amuletAllocationContext(splice, path.allocationId, name)),
      body.excludeDebugFields,
    );

/** The context for cancelling and for withdrawing. */
const stepV2 = ({ splice }: ScanContext, { path, body }: StepInput): ChoiceContext => {
  const { allocationId: id } = path;
  const answer = isAmuletContract(splice, id, TokenAllocation.id)
    ? amuletAllocationContextV2(splice, id)
    : allocationContext(tokenLedger(splice), id);
  return choiceContext(splice, answered(answer), body.excludeDebugFields);
};

/** No token here creates allocation instructions, so no choice can advance one (R-V2-007). */
const noInstructions = ({ splice }: ScanContext): never => {
  const token = isAmuletRunning(splice) ? 'amulet' : 'the test token';
  throw new HttpRefusal(
    400,
    `Allocation instruction choice contexts are unsupported because ${token} does not create allocation instructions.`,
  );
};

export const allocationHandlers = {
  getAllocationFactory: ({ splice }, { body }) =>
    factory(splice, amuletAllocationFactory(splice), body),
  getAllocationTransferContext: step('execute-transfer'),
  getAllocationWithdrawContext: step('withdraw'),
  getAllocationCancelContext: step('cancel'),
  getAllocationFactoryV2: ({ splice }, { body }) => {
    const given = factoryArguments<AllocationFactoryAllocate>(
      splice.packages,
      '`AllocationFactory_Allocate`. Error',
      ALLOCATION_ARGUMENT_TYPES.allocate,
      body,
    );
    refuseTooBig(tooBigToAllocate(given));
    const { transferLegSides, nextIterationFunding } = given.allocation;
    const instruments = [
      ...transferLegSides.map(({ instrumentId }) => instrumentId),
      ...(nextIterationFunding?.value.keys() ?? []),
    ];
    const answer = isOfAmulet(splice, instruments)
      ? amuletAllocationFactoryV2(splice)
      : allocationFactory(tokenLedger(splice));
    return factory(splice, answer, body);
  },
  getAllocationInstructionAcceptContextV2: noInstructions,
  getAllocationInstructionWithdrawContextV2: noInstructions,
  getSettlementFactoryV2: ({ splice }, { body }) => {
    const given = factoryArguments<SettlementFactorySettleBatch>(
      splice.packages,
      '`SettlementFactory_SettleBatch`. Error',
      ALLOCATION_ARGUMENT_TYPES.settleBatch,
      body,
    );
    refuseTooBig(tooBigToSettle(given));
    const instruments = given.transferLegs.map(({ instrumentId }) => instrumentId);
    const answer = isOfAmulet(splice, instruments)
      ? amuletSettlementFactory(splice, given)
      : settlementFactory(tokenLedger(splice), given);
    return factory(splice, answer, body);
  },
  getAllocationWithdrawContextV2: stepV2,
  getAllocationCancelContextV2: stepV2,
} satisfies SomeHandlers<'registry'>;

function refuseTooBig(message: string | undefined): void {
  if (message !== undefined) throw new HttpRefusal(400, message);
}

function factory(
  splice: Splice,
  answer: RegistryAnswer<FactoryAnswer>,
  { excludeDebugFields }: GetFactoryRequest,
): FactoryWithChoiceContext {
  const found = answered(answer);
  return {
    factoryId: found.factoryId,
    choiceContext: choiceContext(splice, found, excludeDebugFields),
  };
}
