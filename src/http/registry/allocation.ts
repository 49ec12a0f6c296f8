/**
 * The registry's allocation APIs, version 1 (R-AI-*, R-AL-*): Amulet's, where it runs. The built-in test token has no
 * allocations.
 */
import type { ChoiceContext } from '../../spec/generated/registry.js';
import {
  amuletAllocationContext,
  amuletAllocationFactory,
  type AllocationStep,
} from '../../splice/amulet-registry.js';
import type { RegistryContext, SomeHandlers } from '../handler.js';
import { answered, choiceContext } from './choice-contexts.js';

interface StepInput {
  readonly path: { readonly allocationId: string };
  readonly body: { readonly excludeDebugFields?: boolean };
}

const step =
  (name: AllocationStep) =>
  ({ splice }: RegistryContext, { path, body }: StepInput): ChoiceContext =>
    choiceContext(
      splice.packages,
      answered(amuletAllocationContext(splice, path.allocationId, name)),
      body.excludeDebugFields,
    );

export const allocationHandlers: SomeHandlers<
  'registry',
  | 'getAllocationFactory'
  | 'getAllocationTransferContext'
  | 'getAllocationWithdrawContext'
  | 'getAllocationCancelContext'
> = {
  getAllocationFactory: ({ splice }, { body }) => {
    const found = answered(amuletAllocationFactory(splice));
    return {
      factoryId: found.factoryId,
      choiceContext: choiceContext(splice.packages, found, body.excludeDebugFields),
    };
  },
  getAllocationTransferContext: step('execute-transfer'),
  getAllocationWithdrawContext: step('withdraw'),
  getAllocationCancelContext: step('cancel'),
};
