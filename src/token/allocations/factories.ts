/** The factories of version 2 allocations: one creates them, the other settles them in batches. */
import type { Update } from '../../daml/define/index.js';
import type { ImplementationMaker } from '../../daml/define/template.js';
import type { Party } from '../../daml/model/values.js';
import { factoryView } from '../holdings/conversions.js';
import {
  AllocationFactory,
  type AllocationFactoryAllocate,
  type AllocationInstructionResult,
} from '../standard/allocation-instruction-v2.js';
import { SettlementFactory } from '../standard/allocation-v2.js';
import { settleBatch } from './settlements.js';

interface Allocating {
  allocate(
    update: Update,
    admin: Party,
    given: AllocationFactoryAllocate,
  ): AllocationInstructionResult;
  /** The observers of the choice besides its actors. */
  observers(given: AllocationFactoryAllocate): readonly Party[];
}

/**
 * For `implements` of the factories' template.
 * @param adminOf reads the admin from the payload
 */
export const allocationFactories =
  <P>(adminOf: (payload: P) => Party, { allocate, observers }: Allocating) =>
  (implement: ImplementationMaker<P>) => {
    const view = (payload: P) => factoryView(adminOf(payload));
    return [
      implement(AllocationFactory, {
        view,
        methods: {
          allocationFactory_allocateImpl: ({ payload }, update, given) =>
            allocate(update, adminOf(payload), given),
          allocationFactory_publicFetchImpl: ({ payload }) => view(payload),
          allocationFactory_allocateExtraObservers: (_self, given) => observers(given),
        },
      }),
      implement(SettlementFactory, {
        view,
        methods: {
          settlementFactory_settleBatchImpl: ({ payload }, update, batch) =>
            settleBatch(update, adminOf(payload), batch),
          settlementFactory_publicFetchImpl: ({ payload }) => view(payload),
          // Empty, so that the parties of one allocation do not see the others.
          settlementFactory_settleBatchExtraObservers: () => [],
        },
      }),
    ];
  };
