/** What an allocation of version 2 does, of whatever token: the executors settle or cancel it, the authorizer withdraws it. */
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

/** What is the token's own. The allocation is archived when its code runs, and who acts is checked. */
interface AllocationCode<P> {
  terms(payload: P): Omit<AllocationView, 'availableActions' | 'meta'>;
  settle(self: Self<P>, update: Update, given: AllocationSettle): AllocationResult;
  /** Gives the authorizer back what is locked. */
  release(
    update: Update,
    payload: P,
    extraArgs: AllocationStep['extraArgs'],
    tag: Released,
  ): AllocationResult;
}

const COMMITTED = 'splice.lfdecentralizedtrust.org/cannot-withdraw-committed-allocation';
/** Invalid whatever the system's state. */
const INVALID_ALWAYS = 8;

/** For `implements` of its template. */
export const allocated =
  <P>({ terms, settle, release }: AllocationCode<P>) =>
  (implement: ImplementationMaker<P>) => {
    const executors = ({ payload }: Self<P>) => terms(payload).settlement.executors;
    /** Archives it, for the interface's choices do not. */
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
          // The choices do not consume, so their observers are told: the executors see them whoever acts.
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

/** Further legs and funding are for allocations that their authorizer opened to more than one settlement. */
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

/** A committed allocation stays until its settlement's deadline; without one, for good. */
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
