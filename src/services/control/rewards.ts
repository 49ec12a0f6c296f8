/** The reward accounting of a round, which a test sets. */
import type { RewardRound } from '../../spec/generated/control.js';
import type { SomeHandlers } from '../handler.js';

export const rewards = {
  setRewardRound: ({ splice }, { path, body }): RewardRound => {
    const round = splice.rewards.set(path.round, body);
    if (round.status !== 'Ok') return round;
    const { status, appActivityWeight, activePartiesCount, activityRecordsCount, batchSize } =
      round;
    return {
      status,
      appActivityWeight,
      activePartiesCount,
      activityRecordsCount,
      appRewardThresholded: round.thresholded.toString(),
      appRewardUnclaimed: round.unclaimed.toString(),
      mintingAllowances: round.mintingAllowances.map(({ provider, amount }) => ({
        provider,
        amount: amount.toString(),
      })),
      batchSize,
    };
  },
} satisfies SomeHandlers<'control'>;
