/**
 * The DSO's automation of rewards by traffic (CIP-104, A-REW-020, A-REW-021): once a round is closed, Scan computes its
 * rewards. The SV confirms their root hash, the batches below it are processed down to coupons, and hidden coupons are
 * shown once their providers vet the package.
 */
import type { ContractInstance } from '../../daml/model/transaction.js';
import { packageIdOf } from '../../daml/model/types.js';
import type { Party } from '../../daml/model/values.js';
import { contractsOf, roundNumber, synchronizerOf, templateName } from '../dso/amulet-contracts.js';
import type { RewardBatch } from '../rewards/reward-batches.js';
import type { RewardRounds, RewardTotals } from '../rewards/reward-rounds.js';
import { roundRewards, type ActivityRecord } from '../rewards/round-rewards.js';
import { amuletRulesAction, confirm, isConfirmed } from './confirmations.js';
import { batches, earliest, idsOf, type DsoNode } from './dso-node.js';
import type { Task } from './task.js';

/** The number of coupons that one transaction shows: the default of Splice's SV app. */
const UNHIDDEN_AT_ONCE = 220;

/** The Scan of the DSO. */
export interface RewardSource {
  readonly rewards: RewardRounds;
  readonly activity: {
    /** The contract of a round that was opened. */
    openRound(round: bigint): ContractInstance | undefined;
    /** The activity of all transactions in a round. */
    recordsOf(round: bigint): readonly ActivityRecord[];
  };
}

export function trafficRewardTasks(node: DsoNode, scan: RewardSource): readonly Task[] {
  return [
    computeRewards(node, scan),
    calculateRewards(node, scan, false),
    calculateRewards(node, scan, true),
    processRewards(node, scan, false),
    processRewards(node, scan, true),
    unhideCoupons(node),
  ];
}

/** Without metered traffic, there is no activity to compute from, and the round waits for a test to set it. */
function computeRewards(node: DsoNode, { rewards, activity }: RewardSource): Task {
  const waiting = () =>
    node.dso.network.traffic.isOn
      ? [...contractsOf(node.dso, 'calculateRewards')].filter(
          (each) => !rewards.has(Number(roundNumber(each))),
        )
      : [];
  return {
    name: 'RewardComputation',
    watches: [templateName('calculateRewards')],
    due: () => earliest(waiting().map(({ createdAt }) => createdAt)),
    run() {
      for (const each of waiting()) {
        const number = roundNumber(each);
        const round = activity.openRound(number);
        const computed = round && roundRewards(round, activity.recordsOf(number));
        if (computed !== undefined) rewards.record(Number(number), computed);
      }
    },
  };
}

/** Confirms the root hash of a round. The confirmed action then starts processing. */
function calculateRewards(node: DsoNode, scan: RewardSource, dryRun: boolean): Task {
  const tag = 'CRARC_StartProcessingRewardsV2';
  const ready = () =>
    node.contracts('calculateRewards').flatMap((contract) => {
      const round = totalsOf(scan, contract);
      const isOurs = contract.payload.dryRun === dryRun && round !== undefined;
      return isOurs && !isConfirmed(node, tag, contract.contractId) ? [{ contract, round }] : [];
    });
  return {
    name: dryRun ? 'CalculateRewardsDryRun' : 'CalculateRewards',
    watches: [templateName('calculateRewards'), templateName('confirmation')],
    due: () => earliest(ready().map(({ contract }) => contract.createdAt)),
    run() {
      for (const { contract, round } of ready())
        confirm(
          node,
          amuletRulesAction(tag, {
            calculateRewardsCid: contract.contractId,
            batchHash: { value: round.tree.rootHash },
          }),
        );
    },
  };
}

function processRewards(node: DsoNode, scan: RewardSource, dryRun: boolean): Task {
  const ready = () =>
    node.contracts('processRewards').flatMap((contract) => {
      const { value: hash } = contract.payload.batchHash as { readonly value: string };
      const batch = totalsOf(scan, contract)?.tree.batches.get(hash);
      const isOurs = contract.payload.dryRun === dryRun && batch !== undefined;
      return isOurs ? [{ contract, batch }] : [];
    });
  return {
    name: dryRun ? 'ProcessRewardsDryRun' : 'ProcessRewards',
    watches: [templateName('processRewards')],
    due: () => earliest(ready().map(({ contract }) => contract.createdAt)),
    run() {
      node.forEach(ready(), ({ contract, batch }) => {
        const wrong = providersOf(batch).filter((party) => !vetsPackageOf(node, contract, party));
        node.exerciseDsoRules('DsoRules_ProcessRewardsV2_ProcessBatch', {
          processRewardsCid: contract.contractId,
          choiceArg: {
            batch: batchJson(batch),
            providersWithWrongVettingState: { map: wrong.map((party) => [party, {}]) },
          },
        });
      });
    },
  };
}

function unhideCoupons(node: DsoNode): Task {
  const ready = () => {
    const byProvider = new Map<Party, ContractInstance[]>();
    for (const each of node.contracts('rewardCouponV2')) {
      const provider = each.payload.provider as Party;
      if (each.payload.providerIsObserver !== false) continue;
      if (!byProvider.has(provider) && !vetsPackageOf(node, each, provider)) continue;
      byProvider.set(provider, [...(byProvider.get(provider) ?? []), each]);
    }
    return [...byProvider];
  };
  return {
    name: 'UnhideRewardCouponV2',
    watches: [templateName('rewardCouponV2')],
    due: () => earliest(ready().flatMap(([, coupons]) => coupons.map((each) => each.createdAt))),
    run() {
      node.forEach(ready(), ([provider, coupons]) => {
        for (const some of batches(coupons, UNHIDDEN_AT_ONCE))
          node.exerciseDsoRules('DsoRules_UnhideRewardCouponsV2', {
            amuletRulesCid: node.amuletRulesCid,
            choiceArg: { rewardCouponCids: idsOf(some), providers: [provider] },
          });
      });
    },
  };
}

function totalsOf({ rewards }: RewardSource, contract: ContractInstance): RewardTotals | undefined {
  const round = rewards.round(Number(roundNumber(contract)));
  return round.status === 'Ok' ? round : undefined;
}

const providersOf = (batch: RewardBatch): readonly Party[] =>
  batch.kind === 'allowances' ? batch.allowances.map(({ provider }) => provider) : [];

function batchJson(batch: RewardBatch): object {
  if (batch.kind === 'batches')
    return { tag: 'BatchOfBatches', value: batch.childHashes.map((value) => ({ value })) };
  const value = batch.allowances.map(({ provider, amount }) => ({
    provider,
    amount: amount.toString(),
  }));
  return { tag: 'BatchOfMintingAllowances', value };
}

/** Whether each participant of the party vets the package of the contract. */
function vetsPackageOf(
  { dso, now }: DsoNode,
  { contractId, templateId }: ContractInstance,
  party: Party,
): boolean {
  const { topology, synchronizers } = dso.network;
  const at = synchronizerOf(dso, contractId) ?? synchronizers[0]!.id;
  const hosts = [...topology.hostIds(party, at)];
  return (
    hosts.length > 0 &&
    hosts.every((host) => topology.isVetted(host, at, packageIdOf(templateId), now))
  );
}
