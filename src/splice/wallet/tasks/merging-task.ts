/** Every five minutes, wallets mint their coupons and merge all their amulets into one. */
import type { Timestamp } from '../../../daml/model/values.js';
import type { Task } from '../../automation/task.js';
import { templateName as dsoTemplateName } from '../../dso/amulet-contracts.js';
import type { Splice } from '../../splice.js';
import { mintableSince } from '../inputs.js';
import { templateName, type WalletTemplate } from '../templates.js';
import { mergeInputs } from '../treasury.js';
import type { Wallet } from '../wallet.js';
import { nextRewardPoll } from './reward-polls.js';
import { subjectTask } from './subject-task.js';

const WATCHED: readonly WalletTemplate[] = [
  'amulet',
  'appRewardCoupon',
  'validatorRewardCoupon',
  'svRewardCoupon',
  'validatorFaucetCoupon',
  'livenessRecord',
  'validatorRight',
  'unclaimedActivityRecord',
  'developmentFundCoupon',
  'rewardCouponV2',
];

export function mergingTask(splice: Splice): Task {
  return subjectTask(splice, {
    name: 'CollectRewardsAndMergeAmulets',
    watches: [...WATCHED.map(templateName), dsoTemplateName('issuingRound')],
    *subjects(wallet) {
      const since = worthSince(wallet);
      if (since !== undefined)
        yield { wallet, id: wallet.party, due: nextRewardPoll(splice, since) };
    },
    act: ({ wallet }) => void mergeInputs(wallet),
  });
}

/** From when on there is something to do. */
function worthSince(wallet: Wallet): Timestamp | undefined {
  const amulets = wallet.contracts('amulet');
  amulets.next();
  const second = amulets.next().value;
  const mintable = mintableSince(wallet);
  if (second === undefined || (mintable !== undefined && mintable < second.createdAt))
    return mintable;
  return second.createdAt;
}
