/** Scan's reward accounting (S-RWD-*). */
import type {
  GetRewardAccountingActivityTotalsResponse,
  GetRewardAccountingBatchResponse,
  GetRewardAccountingEarliestAvailableRoundResponse,
  GetRewardAccountingRootHashResponse,
} from '../../../spec/generated/scan.js';
import { HttpRefusal, type ScanContext, type SomeHandlers } from '../../handler.js';

type OfRound = { path: { round_number: number } };
type OfBatch = { path: { round_number: number; batch_hash: string } };

function earliestAvailableRound({
  splice,
}: ScanContext): GetRewardAccountingEarliestAvailableRoundResponse {
  const { earliestAvailable } = splice.rewards;
  if (earliestAvailable === undefined)
    throw new HttpRefusal(404, 'No reward accounting data available yet');
  return { earliest_round: earliestAvailable };
}

function activityTotals(
  { splice }: ScanContext,
  { path }: OfRound,
): GetRewardAccountingActivityTotalsResponse {
  const round = splice.rewards.round(path.round_number);
  if (round.status !== 'Ok') return { status: round.status };
  return {
    status: 'Ok',
    round_number: round.roundNumber,
    total_app_activity_weight: round.appActivityWeight,
    active_parties_count: round.activePartiesCount,
    activity_records_count: round.activityRecordsCount,
    total_app_reward_minting_allowance: round.mintingAllowance.toString(),
    total_app_reward_thresholded: round.thresholded.toString(),
    total_app_reward_unclaimed: round.unclaimed.toString(),
    rewarded_app_provider_parties_count: round.rewardedProvidersCount,
  };
}

function rootHash({ splice }: ScanContext, { path }: OfRound): GetRewardAccountingRootHashResponse {
  const round = splice.rewards.round(path.round_number);
  if (round.status !== 'Ok') return { status: round.status };
  return { status: 'Ok', round_number: round.roundNumber, root_hash: round.tree.rootHash };
}

function batch({ splice }: ScanContext, { path }: OfBatch): GetRewardAccountingBatchResponse {
  const { round_number, batch_hash } = path;
  const found = splice.rewards.batch(round_number, batch_hash);
  if (found === undefined)
    throw new HttpRefusal(
      404,
      `Batch not (yet) found for round ${round_number} with hash ${batch_hash}`,
    );
  if (found.kind === 'batches')
    return { batch_type: 'BatchOfBatches', child_hashes: [...found.childHashes] };
  return {
    batch_type: 'BatchOfMintingAllowances',
    minting_allowances: found.allowances.map(({ provider, amount }) => ({
      provider,
      amount: amount.toString(),
    })),
  };
}

export const rewardAccountingHandlers = {
  getRewardAccountingEarliestAvailableRound: earliestAvailableRound,
  getRewardAccountingActivityTotals: activityTotals,
  getRewardAccountingRootHash: rootHash,
  getRewardAccountingBatch: batch,
} satisfies SomeHandlers<'scan'>;
