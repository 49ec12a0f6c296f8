/**
 * Actions that SVs confirm before one of them executes them. Our SV confirms an action once it is due, and executes it
 * once enough SVs have confirmed it (A-RND-005, A-DSO-002).
 */
import type { ContractInstance } from '../../daml/model/transaction.js';
import type {
  ContractId,
  DamlRecord,
  DamlVariant,
  Party,
  Timestamp,
} from '../../daml/model/values.js';
import { contractById, templateName } from '../dso/amulet-contracts.js';
import { idsOf, type DsoNode } from './dso-node.js';
import type { Task } from './task.js';

/** An ActionRequiringConfirmation, as Ledger API JSON. */
export interface Action {
  readonly tag: string;
  readonly value: unknown;
}

export const amuletRulesAction = (tag: string, value: unknown): Action => ({
  tag: 'ARC_AmuletRules',
  value: { amuletRulesAction: { tag, value } },
});

/** @throws LedgerError for an error of the ledger */
export function confirm(node: DsoNode, action: Action): void {
  node.exerciseDsoRules('DsoRules_ConfirmAction', { confirmer: node.sv, action });
}

/** Whether our SV has confirmed an action of that constructor on that contract, or of that party. */
export function isConfirmed(node: DsoNode, tag: string, subject: ContractId | Party): boolean {
  return node
    .contracts('confirmation')
    .some((each) => each.payload.confirmer === node.sv && isAction(each, tag, subject));
}

/**
 * The number of SVs that must agree: a majority that also holds if up to (svs - 1) / 3 of them are faulty (`Thresholds`
 * of Splice).
 */
export function requiredVotes(svs: number): number {
  const faulty = Math.floor((svs - 1) / 3);
  return Math.ceil((svs + faulty + 1) / 2);
}

export function executeConfirmedAction(node: DsoNode): Task {
  return {
    name: 'ExecuteConfirmedAction',
    watches: [templateName('confirmation')],
    due: () => confirmedActions(node)[0]?.[0]!.createdAt,
    run() {
      node.forEach(confirmedActions(node), (confirmations) => {
        node.exerciseDsoRules('DsoRules_ExecuteConfirmedAction', {
          action: node.jsonOf(confirmations[0]!).action,
          amuletRulesCid: node.amuletRulesCid,
          confirmationCids: idsOf(confirmations),
        });
      });
    },
  };
}

/** The confirmations of each action that has enough of them, and something left to act on. */
function confirmedActions(node: DsoNode): readonly (readonly ContractInstance[])[] {
  const { svs, now } = node;
  const byAction = new Map<string, Map<string, ContractInstance>>();
  for (const each of node.contracts('confirmation')) {
    const { confirmer, expiresAt } = each.payload;
    const isValid = (expiresAt as Timestamp) > now && svs.some(([party]) => party === confirmer);
    if (!isValid || !isOpen(node, each)) continue;
    const key = JSON.stringify(node.jsonOf(each).action);
    const confirmers = byAction.get(key) ?? new Map<string, ContractInstance>();
    byAction.set(
      key,
      confirmers.set(confirmer as string, confirmers.get(confirmer as string) ?? each),
    );
  }
  const required = requiredVotes(svs.length);
  return [...byAction.values()]
    .filter(({ size }) => size >= required)
    .map((confirmers) => [...confirmers.values()]);
}

/** Whether the contract of the action is still active. Actions of votes have no contract. */
function isOpen({ dso }: DsoNode, confirmation: ContractInstance): boolean {
  const { tag, value } = innerAction(confirmation);
  switch (tag) {
    case 'CRARC_MiningRound_StartIssuing':
      return (
        contractById(dso, 'summarizingRound', value.miningRoundCid as ContractId) !== undefined
      );
    case 'CRARC_MiningRound_Archive':
      return contractById(dso, 'closedRound', value.closedRoundCid as ContractId) !== undefined;
    case 'CRARC_StartProcessingRewardsV2':
      return (
        contractById(dso, 'calculateRewards', value.calculateRewardsCid as ContractId) !== undefined
      );
    case 'ANSRARC_CollectInitialEntryPayment': {
      const { openMiningRound } = value.transferContext as DamlRecord;
      const isRoundOpen = contractById(dso, 'openRound', openMiningRound as ContractId);
      const payment = contractById(dso, 'initialPayment', value.paymentCid as ContractId);
      return isRoundOpen !== undefined && payment !== undefined;
    }
    case 'ANSRARC_RejectEntryInitialPayment':
      return contractById(dso, 'initialPayment', value.paymentCid as ContractId) !== undefined;
    case 'SRARC_ConfirmSvOnboarding':
    case 'SRARC_CreateTransferCommandCounter':
      return true;
    default:
      return false;
  }
}

function isAction(
  confirmation: ContractInstance,
  tag: string,
  subject: ContractId | Party,
): boolean {
  const inner = innerAction(confirmation);
  return inner.tag === tag && Object.values(inner.value).includes(subject);
}

/** The innermost variant: the action, with the argument of its choice. */
function innerAction({ payload }: ContractInstance): DamlVariant<DamlRecord> {
  const outer = payload.action as DamlVariant<DamlRecord>;
  const { amuletRulesAction, dsoAction, ansEntryContextAction } = outer.value;
  return (amuletRulesAction ??
    dsoAction ??
    ansEntryContextAction ??
    outer) as DamlVariant<DamlRecord>;
}
