/** Wallets mint what is due and make one amulet of all that they have, at every fifth minute. */
import type { Timestamp } from '../../../daml/model/values.js';
import type { Task } from '../../automation/task.js';
import { templateName as dsoTemplateName } from '../../dso/amulet-contracts.js';
import type { Splice } from '../../splice.js';
import { mintableSince } from '../inputs.js';
import { templateName, type WalletTemplate } from '../templates.js';
import { mergeInputs } from '../treasury.js';
import type { Wallet } from '../wallet.js';
import { subjectTask } from './subject-task.js';

/** In microseconds. NOTE: a real wallet's polls are up to a quarter earlier or later. */
const INTERVAL = 300_000_000n;

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
        yield { wallet, id: wallet.party, due: nextPoll(splice.startedAt, since) };
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

function nextPoll(start: Timestamp, since: Timestamp): Timestamp {
  const polls = since <= start ? 0n : (since - start + INTERVAL - 1n) / INTERVAL;
  return start + polls * INTERVAL;
}
