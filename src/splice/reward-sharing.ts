/** How a party's wallet shares what traffic earns it, as a validator's `reward-sharing-config-by-party` says. */
import type { Party } from '../daml/model/values.js';

export interface RewardSharing {
  /** Each with its part of 1; none where somebody else shares, and the wallet is to leave coupons alone that name nobody. */
  readonly beneficiaries: readonly {
    readonly beneficiary: Party;
    /** Decimal. */
    readonly percentage: string;
  }[];
  /** How long a coupon is to be good for once it is shared, in microseconds. */
  readonly minTtlAfterSharing: bigint;
  /** At once. */
  readonly batchSize: number;
}
