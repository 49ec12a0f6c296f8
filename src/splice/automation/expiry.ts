/**
 * Expiry: the DSO archives contracts whose time is over. A LocalNet pauses seven of these tasks (A-PAU-001). Its expired contracts stay
 * active until a party archives them.
 */
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { ContractId, DamlRecord, Party, Some, Timestamp } from '../../daml/model/values.js';
import { latestOf, templateName, type AmuletTemplate } from '../dso/amulet-contracts.js';
import { amuletExpiryTasks } from './amulet-expiry.js';
import { earliest, type DsoNode } from './dso-node.js';
import type { Task } from './task.js';

/** The tasks that a LocalNet pauses. */
export const PAUSED_ON_LOCALNET = [
  'ExpiredAmulet',
  'ExpiredLockedAmulet',
  'ExpiredAnsSubscription',
  'ExpiredAnsEntry',
  'ExpireTransferPreapprovals',
  'ExpiredAmuletTransferInstruction',
  'ExpiredAmuletAllocation',
] as const;

export function expiryTasks(node: DsoNode): readonly Task[] {
  const { dsoParty: dso } = node.dso;
  const byRules =
    (choice: string, argument: (each: ContractInstance) => object) => (each: ContractInstance) =>
      void node.exerciseDsoRules(choice, argument(each));
  const rules = { of: node, at: timeIn('expiresAt') };
  return [
    ...amuletExpiryTasks(node),
    expiring('ExpiredAnsSubscription', 'subscriptionIdleState', {
      ...rules,
      at: (each) =>
        contextOf(node, each) ? (each.payload.nextPaymentDueAt as Timestamp) : undefined,
      act: byRules('DsoRules_ExpireSubscription', (each) => ({
        ansEntryContextCid: contextOf(node, each)!.contractId,
        subscriptionIdleStateCid: each.contractId,
        choiceArg: { actor: dso },
      })),
    }),
    expiring('ExpiredAnsEntry', 'ansEntry', {
      ...rules,
      // The time must be past `expiresAt`.
      at: ({ payload }) => (payload.expiresAt as Timestamp) + 1n,
      act: byRules('DsoRules_ExpireAnsEntry', ({ contractId }) => ({
        ansEntryCid: contractId,
        choiceArg: { actor: dso },
      })),
    }),
    expiring('ExpireTransferPreapprovals', 'transferPreapproval', {
      ...rules,
      act: byRules('DsoRules_ExpireTransferPreapproval', ({ contractId }) => ({
        transferPreapprovalCid: contractId,
      })),
    }),
    expiring('ExpiredAmuletTransferInstruction', 'transferInstruction', {
      ...rules,
      at: ({ payload }) => (payload.transfer as DamlRecord).executeBefore as Timestamp,
      act: byRules('DsoRules_Amulet_ExpireTransferInstructions', ({ contractId, payload }) => {
        const { sender, receiver } = payload.transfer as Parties;
        const expireLock = isActive(node, payload.lockedAmulet as ContractId);
        return {
          amuletRulesCid: node.amuletRulesCid,
          transferInsts: {
            expectedDso: dso,
            inputs: [{ transferInstructionCid: contractId, expireLock }],
            observers: distinct([sender!, receiver!, dso]),
          },
        };
      }),
    }),
    expiring('ExpiredAmuletAllocation', 'allocation', {
      ...rules,
      at: ({ payload }) => settlementOf(payload.allocation as DamlRecord).settleBefore as Timestamp,
      act: byRules('DsoRules_ExpireAmuletAllocations', ({ contractId, payload }) => {
        const { transferLeg, settlement } = payload.allocation as Readonly<Record<string, Parties>>;
        const expireLock = isActive(node, payload.lockedAmulet as ContractId);
        return {
          extAmuletRulesCid: latestOf(node.dso, 'externalPartyRules')!.contractId,
          expireAllocations: {
            expectedDso: dso,
            inputs: [{ allocationCid: contractId, expireLock }],
            observers: distinct([transferLeg!.sender!, settlement!.executor!]),
          },
        };
      }),
    }),
    expiring('ExpiredAmuletAllocationV2', 'allocationV2', {
      ...rules,
      act: byRules('DsoRules_ExpireAmuletAllocationsV2', (each) =>
        allocationV2Argument(node, each),
      ),
    }),
    expiring('ExpiredDevelopmentFundCoupon', 'allocatedDevelopmentFundCoupon', {
      ...rules,
      act: byRules('DsoRules_ExpireDevelopmentFundCoupon', ({ contractId }) => ({
        developmentFundCouponCid: contractId,
      })),
    }),
    expiring('ExpiredUnclaimedActivityRecord', 'unclaimedActivityRecord', {
      ...rules,
      act: byRules('DsoRules_ExpireUnclaimedActivityRecord', ({ contractId }) => ({
        unclaimedActivityRecordCid: contractId,
      })),
    }),
    expiring('ExpiredUnallocatedUnclaimedActivityRecord', 'unallocatedActivityRecord', {
      ...rules,
      act: byRules('DsoRules_ExpireUnallocatedUnclaimedActivityRecord', ({ contractId }) => ({
        unallocatedUnclaimedActivityRecordCid: contractId,
      })),
    }),
    expiring('ExpireRewardCouponV2', 'rewardCouponV2', {
      ...rules,
      act: byRules('DsoRules_ClaimExpiredRewardsV2', ({ contractId, observers }) => ({
        amuletRulesCid: node.amuletRulesCid,
        choiceArg: { rewardCouponCids: [contractId], expiryObservers: [...observers].sort() },
      })),
    }),
    expiring('ExpireStaleConfirmations', 'confirmation', {
      ...rules,
      act: byRules('DsoRules_ExpireStaleConfirmation', ({ contractId }) => ({
        staleConfirmationCid: contractId,
      })),
    }),
    expiring('ExpireValidatorOnboarding', 'validatorOnboarding', {
      ...rules,
      of: node,
      owner: () => node.sv,
      act: ({ contractId }) => {
        const choice = 'ValidatorOnboarding_Expire';
        node.exercise(`#${templateName('validatorOnboarding')}`, contractId, choice, {}, node.sv);
      },
    }),
  ];
}

interface Expiring {
  readonly of: DsoNode;
  /** When the contract expires; undefined if this task does not archive it. */
  at(contract: ContractInstance): Timestamp | undefined;
  act(contract: ContractInstance): void;
  /** The party whose contracts are checked; the DSO by default. */
  owner?(): Party | undefined;
}

/** Archives each contract in a separate transaction. NOTE: Splice's SVs archive up to 100 in one transaction. */
function expiring(
  name: string,
  template: AmuletTemplate,
  { of: node, at, act, owner }: Expiring,
): Task {
  const all = () => node.contracts(template, owner?.());
  return {
    name,
    watches: [templateName(template)],
    dueOf: at,
    due: () => earliest(all().map(at)),
    run() {
      const { now } = node;
      const over = all().filter((each) => {
        const time = at(each);
        return time !== undefined && time <= now;
      });
      node.forEach(over, act);
    },
  };
}

function allocationV2Argument(node: DsoNode, { contractId, payload }: ContractInstance): object {
  const { dsoParty: dso } = node.dso;
  const locked = (payload.lockedAmulet as Some<ContractId> | null)?.value;
  const isLocked = locked !== undefined && isActive(node, locked);
  const { authorizer } = payload.allocation as {
    readonly authorizer: { readonly owner: Some<Party> };
  };
  const { executors } = payload.settlement as { readonly executors: readonly Party[] };
  const context = { values: { 'expire-lock': { tag: 'AV_Bool', value: isLocked } } };
  const extraArgs = { context, meta: { values: {} } };
  return {
    extAmuletRulesCid: latestOf(node.dso, 'externalPartyRules')!.contractId,
    choiceArg: {
      cancellations: [{ _1: contractId, _2: { actors: [dso], extraArgs } }],
      observers: distinct([authorizer.owner.value, ...executors]),
    },
  };
}

type Parties = Readonly<Record<string, Party>>;

const settlementOf = (allocation: DamlRecord): DamlRecord => allocation.settlement as DamlRecord;
const timeIn =
  (field: string) =>
  ({ payload }: ContractInstance) =>
    payload[field] as Timestamp;
const distinct = (parties: readonly Party[]): readonly Party[] => [...new Set(parties)].sort();

function isActive({ dso }: DsoNode, contractId: ContractId): boolean {
  return dso.network.contracts.state(contractId)?.kind === 'active';
}

/** The context of a name's subscription. */
function contextOf(node: DsoNode, { payload }: ContractInstance): ContractInstance | undefined {
  return node
    .contracts('ansEntryContext')
    .find((context) => context.payload.reference === payload.reference);
}
