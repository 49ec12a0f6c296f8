/** Version 2 allocations of any token: executors settle or cancel them, the authorizer withdraws them. */
import type { Self, Update } from '../../daml/define/index.js';
import type { ImplementationMaker } from '../../daml/define/template.js';
import { parties } from '../../daml/model/parties.js';
import { formatInstant } from '../../daml/model/time.js';
import type { Party } from '../../daml/model/values.js';
import { checkActors } from '../holdings/actors.js';
import { EMPTY_METADATA, ownerOf } from '../holdings/conversions.js';
import {
  Allocation,
  AllocationAction,
  type AllocationResult,
  type AllocationSettle,
  type AllocationSpecification,
  type AllocationStep,
  type AllocationView,
} from '../standard/allocation-v2.js';

export type Released = 'AllocationResult_Cancelled' | 'AllocationResult_Withdrawn';

/** The token-specific code. When it runs, the allocation is archived and the actors are checked. */
interface AllocationCode<P> {
  terms(payload: P): Omit<AllocationView, 'availableActions' | 'meta'>;
  settle(self: Self<P>, update: Update, given: AllocationSettle): AllocationResult;
  /** Returns the locked amount to the authorizer. */
  release(
    update: Update,
    payload: P,
    extraArgs: AllocationStep['extraArgs'],
    tag: Released,
  ): AllocationResult;
}

const COMMITTED = 'splice.lfdecentralizedtrust.org/cannot-withdraw-committed-allocation';
/** Canton's error category `InvalidIndependentOfSystemState`. */
const INVALID_ALWAYS = 8;

/** For `implements` of the allocation's template. */
export const allocated =
  <P>({ terms, settle, release }: AllocationCode<P>) =>
  (implement: ImplementationMaker<P>) => {
    const executors = ({ payload }: Self<P>) => terms(payload).settlement.executors;
    /** Archives the allocation, because the interface's choices do not consume it. */
    const begin = (
      update: Update,
      { template, contractId }: Self<P>,
      actors: readonly Party[],
      allowed: readonly Party[],
    ): void => {
      update.archive(template, contractId);
      checkActors(update, actors, allowed);
    };
    return [
      implement(Allocation, {
        view: (payload) => viewOf(terms(payload)),
        methods: {
          allocation_settleImpl: (self, update, given) => {
            const { allocation, settlement } = terms(self.payload);
            begin(update, self, given.actors, [allocation.admin, ...settlement.executors]);
            checkIteration(update, allocation, given);
            return settle(self, update, given);
          },
          allocation_cancelImpl: (self, update, { actors, extraArgs }) => {
            begin(update, self, actors, executors(self));
            return release(update, self.payload, extraArgs, 'AllocationResult_Cancelled');
          },
          allocation_withdrawImpl: (self, update, { actors, extraArgs }) => {
            const { allocation } = terms(self.payload);
            begin(update, self, actors, [ownerOf(allocation.authorizer)]);
            checkNotCommitted(update, allocation);
            return release(update, self.payload, extraArgs, 'AllocationResult_Withdrawn');
          },
          // The choices are non-consuming, so they show themselves to observers only. The executors see the choices of every actor.
          allocation_settleExtraObservers: executors,
          allocation_cancelExtraObservers: executors,
          allocation_withdrawExtraObservers: executors,
        },
      }),
    ];
  };

function viewOf(terms: Omit<AllocationView, 'availableActions' | 'meta'>): AllocationView {
  const { admin, authorizer, committed, settlementDeadline } = terms.allocation;
  const executors = parties(terms.settlement.executors);
  return {
    ...terms,
    availableActions: [
      [AllocationAction.of('AA_Settle', {}), [parties([admin, ...executors])]],
      [AllocationAction.of('AA_Cancel', {}), [executors]],
      ...(committed && settlementDeadline === null
        ? []
        : [[AllocationAction.of('AA_Withdraw', {}), [[ownerOf(authorizer)]]] as const]),
    ],
    meta: EMPTY_METADATA,
  };
}

type Iteration = Pick<AllocationSettle, 'extraTransferLegSides' | 'nextIterationFunding'>;

/** Only an allocation that its authorizer opened to several settlements can have further legs and funding. */
export function checkIteration(
  update: Update,
  allocation: AllocationSpecification,
  { extraTransferLegSides, nextIterationFunding }: Iteration,
): void {
  update.assert(
    allocation.nextIterationFunding !== null ||
      (extraTransferLegSides.length === 0 && nextIterationFunding === null),
    'The allocation is for one settlement: extraTransferLegSides and nextIterationFunding have to be left out',
  );
  const amounts = [
    ...extraTransferLegSides.map(({ amount }) => amount),
    ...(nextIterationFunding?.value.values() ?? []),
  ];
  for (const amount of amounts)
    update.assert(amount.sign() > 0, `Amounts have to be positive, but one is ${amount}`);
}

/** A committed allocation cannot be withdrawn before its settlement's deadline, and never without a deadline. */
function checkNotCommitted(
  update: Update,
  { committed, settlementDeadline }: AllocationSpecification,
): void {
  if (!committed) return;
  if (settlementDeadline === null)
    update.fail('The allocation is committed, and without a settlement deadline', {
      errorId: COMMITTED,
      category: INVALID_ALWAYS,
    });
  const deadline = formatInstant(settlementDeadline.value);
  if (update.getTime() <= settlementDeadline.value)
    update.fail(`The allocation is committed until its settlement deadline, ${deadline}`, {
      errorId: COMMITTED,
      meta: { settlementDeadline: deadline },
    });
}
