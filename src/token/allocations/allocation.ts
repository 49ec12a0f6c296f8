/**
 * The test token's allocation: the authorizer's locked tokens, and its consent to transfer legs. Executors settle or cancel it, the
 * authorizer withdraws it.
 */
import {
  d,
  defineTemplate,
  type Self,
  type Update,
  type RecordOf,
} from '../../daml/define/index.js';
import type { Numeric } from '../../daml/model/numeric.js';
import { some, type ContractId } from '../../daml/model/values.js';
import { allocated, type Released } from './allocated.js';
import { isValidSpecification, netCredits, sum } from './allocation-terms.js';
import { lockFunds } from './allocation-funds.js';
import { rulesFromContext, spentTokens } from '../holdings/context.js';
import { EMPTY_METADATA, ownerOf } from '../holdings/conversions.js';
import { logHoldingsChange } from '../holdings/events.js';
import { createToken } from '../holdings/holdings.js';
import { SETTLEMENT_METADATA, reasonMetadata } from '../holdings/result-metadata.js';
import {
  Allocation,
  AllocationResultOutput,
  AllocationSpecification,
  SettlementInfo,
  type AllocationResult,
  type AllocationSettle,
  type AllocationStep,
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

export type AllocationPayload = RecordOf<typeof fields>;

export const TokenAllocation = defineTemplate({
  name: `${MODULE}:TokenAllocation`,
  fields,
  signatories: ({ allocation }) => [allocation.admin, ownerOf(allocation.authorizer)],
  observers: ({ settlement }) => settlement.executors,
  ensure: ({ settlement, allocation }) => isValidSpecification(settlement, allocation),
  implements: allocated({
    terms: ({ lockedTokens, requestedAt: createdAt, ...terms }) => ({
      ...{ ...terms, createdAt, expiresAt: null },
      holdingCids: [...lockedTokens.values()].flat(),
    }),
    settle,
    release,
  }),
});

function tokensOf({ lockedTokens }: AllocationPayload): readonly ContractId[] {
  return [...lockedTokens.values()].flat();
}

/** Pays out the net inflow, and moves the rest into an allocation for the next iteration. */
function settle(
  self: Self<AllocationPayload>,
  update: Update,
  { extraTransferLegSides, nextIterationFunding, extraArgs }: AllocationSettle,
): AllocationResult {
  const { payload } = self;
  const { settlement, allocation, originalAllocationCid, numIterations } = payload;
  const { admin, authorizer } = allocation;
  const rulesCid = rulesFromContext(update, extraArgs.context, admin);
  const sides = [...allocation.transferLegSides, ...extraTransferLegSides];
  const input = sum([...spendLocked(update, payload), ...netCredits(sides)]);
  const reserved = nextIterationFunding?.value ?? new Map<string, Numeric>();
  const { locked, change } = lockFunds(update, settlement, allocation, input, reserved);
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

/** Cancels or withdraws: the authorizer gets its tokens back without the lock, except for those that it has already taken back. */
function release(
  update: Update,
  payload: AllocationPayload,
  { context }: AllocationStep['extraArgs'],
  tag: Released,
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
