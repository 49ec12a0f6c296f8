/**
 * Wallets share the coupons that traffic earned their party with whom a validator's configuration names, in time before they expire; until
 * then, and where somebody else shares them, they leave them alone.
 */
import { Numeric } from '../../../daml/model/numeric.js';
import type { ContractInstance } from '../../../daml/model/transaction.js';
import type { Timestamp } from '../../../daml/model/values.js';
import type { Task } from '../../automation/task.js';
import type { Splice } from '../../splice.js';
import { unassignedCoupons } from '../inputs.js';
import { exercise } from '../submit.js';
import { templateName } from '../templates.js';
import type { RewardSharing } from '../../reward-sharing.js';
import type { Wallet } from '../wallet.js';
import { subjectTask, type Subject } from './subject-task.js';

const COUPON = '#splice-api-reward-assignment-v1:Splice.Api.RewardAssignmentV1:RewardCoupon';
const NO_ARGS = { context: { values: {} }, meta: { values: {} } };

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
        yield { wallet, id, coupons, sharing, due: dueOf(coupons, sharing) };
      }
    },
    act: ({ wallet, coupons, sharing }) => share(wallet, coupons, sharing),
  });
}

/** With the first of them that has no more time left than it is to have afterwards. */
function dueOf(coupons: readonly ContractInstance[], sharing: RewardSharing): Timestamp {
  const times = coupons.map(({ payload, createdAt }) => {
    const latest = (payload.expiresAt as Timestamp) - sharing.minTtlAfterSharing;
    return latest > createdAt ? latest : createdAt;
  });
  return times.reduce((first, each) => (each < first ? each : first));
}

/** What the others do not get is the party's own. */
function share(
  { validator, party }: Wallet,
  [first, ...others]: readonly ContractInstance[],
  { beneficiaries }: RewardSharing,
): void {
  const own = beneficiaries.reduce(
    (left, { percentage }) => left.subtract(Numeric.of(percentage, 10)),
    Numeric.of('1', 10),
  );
  const rest = own.sign() > 0 ? [{ beneficiary: party, percentage: own.toString() }] : [];
  const argument = {
    additionalCoupons: others.map(({ contractId }) => contractId),
    newBeneficiaries: [...beneficiaries, ...rest],
    extraArgs: NO_ARGS,
  };
  const choice = 'RewardCoupon_AssignBeneficiaries';
  const actAs = { actAs: [party], readAs: [party] };
  exercise(validator, COUPON, first!.contractId, choice, argument, actAs);
}
