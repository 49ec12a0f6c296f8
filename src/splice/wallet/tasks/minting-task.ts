/** Delegates mint for external parties and merge their amulets, at every fifth minute. */
import type { ContractInstance } from '../../../daml/model/transaction.js';
import type { Timestamp } from '../../../daml/model/values.js';
import type { Task } from '../../automation/task.js';
import { templateName as dsoTemplateName } from '../../dso/amulet-contracts.js';
import type { Splice } from '../../splice.js';
import { externalWalletsOf } from '../../validators/wallets.js';
import { delegatedSince, delegationOf, mintAsDelegate } from '../minting.js';
import { templateName, type WalletTemplate } from '../templates.js';
import { Wallet } from '../wallet.js';
import { nextRewardPoll } from './reward-polls.js';
import { subjectTask, type Subject } from './subject-task.js';

const WATCHED: readonly WalletTemplate[] = [
  'mintingDelegation',
  'validatorRight',
  'amulet',
  'livenessRecord',
  'validatorRewardCoupon',
  'appRewardCoupon',
  'svRewardCoupon',
  'rewardCouponV2',
  'unclaimedActivityRecord',
  'developmentFundCoupon',
];

interface Delegated extends Subject {
  readonly delegation: ContractInstance;
}

export function mintingTask(splice: Splice): Task {
  const { clock } = splice.network;
  return subjectTask<Delegated>(splice, {
    name: 'MintingDelegationCollectRewards',
    watches: [...WATCHED.map(templateName), dsoTemplateName('issuingRound')],
    wallets: externalWallets,
    *subjects(wallet) {
      const delegation = delegationOf(wallet);
      if (delegation === undefined) return;
      const since = delegatedSince(wallet, delegation);
      if (since === undefined) return;
      const due = nextRewardPoll(splice, since);
      const expiresAt = delegation.payload.expiresAt as Timestamp;
      if (due <= expiresAt && clock.now() <= expiresAt)
        yield { wallet, id: delegation.contractId, due, delegation };
    },
    act: ({ wallet, delegation }) => mintAsDelegate(wallet, delegation),
  });
}

function* externalWallets(splice: Splice): Generator<Wallet, void, undefined> {
  for (const validator of splice.validators)
    for (const party of externalWalletsOf(validator)) yield new Wallet(splice, validator, party);
}
