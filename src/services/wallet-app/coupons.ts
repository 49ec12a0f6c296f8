/** A wallet's mintable coupons and featured app rights (WA-COU-001, WA-FEA-001 to WA-FEA-003). */
import { amuletRules, disclosed } from '../../splice/wallet/rounds.js';
import { couponsOfUsers } from '../../splice/wallet/inputs.js';
import { exerciseInstall } from '../../splice/wallet/treasury.js';
import { contractJson } from '../scan/formats/contracts.js';
import { contracts } from './lists.js';
import { forWalletUsers } from './wallet-handler.js';

export const couponHandlers = forWalletUsers({
  listAppRewardCoupons: (wallet) => ({ app_reward_coupons: contracts(wallet, 'appRewardCoupon') }),
  listValidatorRewardCoupons: (wallet) => ({
    validator_reward_coupons: couponsOfUsers(wallet).map((each) =>
      contractJson(wallet.splice, each),
    ),
  }),
  listValidatorFaucetCoupons: (wallet) => ({
    validator_faucet_coupons: contracts(wallet, 'validatorFaucetCoupon'),
  }),
  listValidatorLivenessActivityRecords: (wallet) => ({
    validator_liveness_activity_records: contracts(wallet, 'livenessRecord'),
  }),
  listSvRewardCoupons: (wallet) => ({ sv_reward_coupons: contracts(wallet, 'svRewardCoupon') }),
  /** Each call grants another right. */
  selfGrantFeatureAppRight: (wallet) => {
    const rules = amuletRules(wallet.splice);
    const { featuredAppRight } = exerciseInstall(
      wallet,
      'FeaturedAppRights_SelfGrant',
      { amuletRulesCid: rules.contractId },
      { alsoDisclosed: disclosed(wallet.splice, [rules]) },
    ) as { readonly featuredAppRight: string };
    return { contract_id: featuredAppRight };
  },
  /** Cancels one right, even if there are several. */
  cancelFeaturedAppRights: (wallet) => {
    const right = wallet.first('featuredAppRight');
    if (right !== undefined)
      exerciseInstall(wallet, 'FeaturedAppRights_Cancel', { cid: right.contractId });
  },
});
