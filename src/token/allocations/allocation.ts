/**
 * The test token's allocation: its authorizer's tokens, locked, and its consent to transfer legs. The executors settle or
 * cancel it, the authorizer withdraws it.
 */
import {
  d,
  defineTemplate,
  type Self,
  type Update,
  type ValueOf,
} from '../../daml/define/index.js';
import type { Numeric } from '../../daml/model/numeric.js';
import { parties } from '../../daml/model/parties.js';
import { formatInstant } from '../../daml/model/time.js';
import { some, type ContractId, type Party } from '../../daml/model/values.js';
import { checkActors } from '../holdings/actors.js';
import { isValidSpecification, netCredits, sum } from './allocation-terms.js';
import { lockFunds } from './allocation-funds.js';
import { rulesFromContext, spentTokens } from '../holdings/context.js';
import { EMPTY_METADATA, ownerOf } from '../holdings/conversions.js';
import { logHoldingsChange } from '../holdings/events.js';
import { createToken } from '../holdings/holdings.js';
import { SETTLEMENT_METADATA, reasonMetadata } from '../holdings/result-metadata.js';
import {
  Allocation,
  AllocationAction,
  AllocationResultOutput,
  AllocationSpecification,
  SettlementInfo,
  type AllocationResult,
  type AllocationSettle,
  type AllocationStep,
  type AllocationView,
} from '../standard/allocation-v2.js';
import { MODULE, Token } from '../holdings/token.js';

const fields = {
  originalAllocationCid: d.optional(d.contractId(Allocation)),
  settlement: SettlementInfo,
  allocation: AllocationSpecification,
  /** By instrument id. */
  lockedTokens: d.textMap(d.list(d.contractId(Token))),
  requestedAt: d.timestamp,
  numIterations: d.int64,
};

export type AllocationPayload = {
  readonly [K in keyof typeof fields]: ValueOf<(typeof fields)[K]>;
};

const COMMITTED = 'splice.lfdecentralizedtrust.org/cannot-withdraw-committed-allocation';
/** Invalid whatever the system's state. */
const INVALID_ALWAYS = 8;

function allocationView(payload: AllocationPayload): AllocationView {
  const { originalAllocationCid, settlement, allocation, requestedAt, numIterations } = payload;
  const { admin, authorizer, committed, settlementDeadline } = allocation;
  const executors = parties(settlement.executors);
  return {
    originalAllocationCid,
    settlement,
    allocation,
    holdingCids: tokensOf(payload),
    createdAt: requestedAt,
    numIterations,
    expiresAt: null,
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

export const TokenAllocation = defineTemplate({
  name: `${MODULE}:TokenAllocation`,
  fields,
  signatories: ({ allocation }) => [allocation.admin, ownerOf(allocation.authorizer)],
  observers: ({ settlement }) => settlement.executors,
  ensure: ({ settlement, allocation }) => isValidSpecification(settlement, allocation),
  implements: (implement) => [
    implement(Allocation, {
      view: allocationView,
      methods: {
        allocation_settleImpl: settle,
        allocation_cancelImpl: (self, update, { actors, extraArgs }) => {
          begin(update, self, actors, self.payload.settlement.executors);
          return release(update, self.payload, extraArgs, 'AllocationResult_Cancelled');
        },
        allocation_withdrawImpl: (self, update, { actors, extraArgs }) => {
          const { allocation } = self.payload;
          begin(update, self, actors, [ownerOf(allocation.authorizer)]);
          checkNotCommitted(update, allocation);
          return release(update, self.payload, extraArgs, 'AllocationResult_Withdrawn');
        },
        // The choices do not consume, so their observers are told: the executors see them whoever acts.
        allocation_settleExtraObservers: executorsOf,
        allocation_cancelExtraObservers: executorsOf,
        allocation_withdrawExtraObservers: executorsOf,
      },
    }),
  ],
});

function executorsOf({ payload }: Self<AllocationPayload>): readonly Party[] {
  return payload.settlement.executors;
}

function tokensOf({ lockedTokens }: AllocationPayload): readonly ContractId[] {
  return [...lockedTokens.values()].flat();
}

/** Archives the allocation, for the interface's choices do not; and checks who acts. */
function begin(
  update: Update,
  { contractId }: Self<AllocationPayload>,
  actors: readonly Party[],
  allowed: readonly Party[],
): void {
  update.archive(TokenAllocation, contractId);
  checkActors(update, actors, allowed);
}

/** Pays out what comes in on balance, and carries what is kept into an allocation for the next iteration. */
function settle(
  self: Self<AllocationPayload>,
  update: Update,
  { actors, extraTransferLegSides, nextIterationFunding, extraArgs }: AllocationSettle,
): AllocationResult {
  const { payload } = self;
  const { settlement, allocation, originalAllocationCid, numIterations } = payload;
  const { admin, authorizer } = allocation;
  begin(update, self, actors, [admin, ...settlement.executors]);
  checkIteration(update, allocation, { extraTransferLegSides, nextIterationFunding });
  const rulesCid = rulesFromContext(update, extraArgs.context, admin);
  const sides = [...allocation.transferLegSides, ...extraTransferLegSides];
  const input = sum([...spendLocked(update, payload), ...netCredits(sides)]);
  const kept = nextIterationFunding?.value ?? new Map<string, Numeric>();
  const { locked, change } = lockFunds(update, settlement, allocation, input, kept);
  const next =
    nextIterationFunding &&
    some(
      update.create(TokenAllocation, {
        ...payload,
        originalAllocationCid: originalAllocationCid ?? some(self.contractId),
        allocation: { ...allocation, transferLegSides: [], nextIterationFunding },
        lockedTokens: locked,
        numIterations: numIterations + 1n,
      }),
    );
  logHoldingsChange(update, rulesCid, {
    admin,
    account: authorizer,
    inputs: tokensOf(payload),
    outputs: [...locked.values(), ...change.values()].flat(),
    legs: sides,
    meta: reasonMetadata('settle allocation'),
  });
  return {
    output: AllocationResultOutput.of('AllocationResult_Settled', {
      nextIterationAllocationCid: next,
    }),
    authorizerHoldingCids: change,
    meta: SETTLEMENT_METADATA,
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

function spendLocked(
  update: Update,
  payload: AllocationPayload,
): readonly (readonly [string, Numeric])[] {
  return tokensOf(payload).map((tokenCid) => {
    const { instrumentId, amount } = update.fetch(Token, tokenCid).payload;
    update.archive(Token, tokenCid);
    return [instrumentId.id, amount] as const;
  });
}

/** A committed allocation stays until its settlement's deadline; without one, for good. */
export function checkNotCommitted(
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

/** Cancel and withdraw: the authorizer gets its tokens back, unlocked; but for those that it took back itself. */
function release(
  update: Update,
  payload: AllocationPayload,
  { context }: AllocationStep['extraArgs'],
  tag: 'AllocationResult_Cancelled' | 'AllocationResult_Withdrawn',
): AllocationResult {
  const { admin, authorizer, settlementDeadline } = payload.allocation;
  const rulesCid = rulesFromContext(update, context, admin);
  const spent = spentTokens(update, context);
  update.assert(
    spent.size === 0 ||
      (settlementDeadline !== null && update.getTime() >= settlementDeadline.value),
    "The locks of the allocation's tokens have not expired yet",
  );
  const unlocked = new Map(
    [...payload.lockedTokens].map(([id, tokens]) => [
      id,
      tokens.filter((each) => !spent.has(each)).map((each) => unlock(update, each)),
    ]),
  );
  logHoldingsChange(update, rulesCid, {
    admin,
    account: authorizer,
    inputs: tokensOf(payload).filter((each) => !spent.has(each)),
    outputs: [...unlocked.values()].flat(),
    legs: [],
    meta: reasonMetadata(
      tag === 'AllocationResult_Withdrawn' ? 'allocation withdrawn' : 'allocation cancelled',
    ),
  });
  return {
    output: AllocationResultOutput.of(tag, {}),
    authorizerHoldingCids: unlocked,
    meta: EMPTY_METADATA,
  };
}

function unlock(update: Update, tokenCid: ContractId): ContractId {
  const { owner, instrumentId, amount } = update.fetch(Token, tokenCid).payload;
  update.archive(Token, tokenCid);
  return createToken(update, { owner, instrumentId, amount });
}
