/**
 * Shares the coupons for traffic with the beneficiaries that a validator's configuration names, before the coupons expire. Until then, and
 * if another app shares them, wallets do not mint these coupons.
 */
import type { ContractInstance } from '../../../daml/model/transaction.js';
import type { Task } from '../../automation/task.js';
import type { Splice } from '../../splice.js';
import { unassignedCoupons } from '../inputs.js';
import { exercise } from '../submit.js';
import { templateName } from '../templates.js';
import { assignment, sharedFrom, type RewardSharing } from '../../reward-sharing.js';
import type { Wallet } from '../wallet.js';
import { subjectTask, type Subject } from './subject-task.js';

const COUPON = '#splice-api-reward-assignment-v1:Splice.Api.RewardAssignmentV1:RewardCoupon';

interface Batch extends Subject {
  readonly coupons: readonly ContractInstance[];
  readonly sharing: RewardSharing;
}

export function sharingTask(splice: Splice): Task {
  return subjectTask<Batch>(splice, {
    name: 'RewardSharing',
    watches: [templateName('rewardCouponV2')],
    *subjects(wallet) {
      const sharing = splice.rewardSharing.get(wallet.party);
      if (sharing === undefined || sharing.beneficiaries.length === 0) return;
      const all = [...unassignedCoupons(wallet)];
      for (let at = 0; at < all.length; at += sharing.batchSize) {
        const coupons = all.slice(at, at + sharing.batchSize);
        const id = coupons[0]!.contractId;
        yield { wallet, id, coupons, sharing, due: sharedFrom(coupons, sharing) };
      }
    },
    act: ({ wallet, coupons, sharing }) => share(wallet, coupons, sharing),
  });
}

function share(
  { validator, party }: Wallet,
  [first, ...others]: readonly ContractInstance[],
  sharing: RewardSharing,
): void {
  const choice = 'RewardCoupon_AssignBeneficiaries';
  const argument = assignment(party, others, sharing);
  const actAs = { actAs: [party], readAs: [party] };
  exercise(validator, COUPON, first!.contractId, choice, argument, actAs);
}
