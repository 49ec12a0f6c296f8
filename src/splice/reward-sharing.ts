/** How a party's wallet shares what traffic earns it, as a validator's `reward-sharing-config-by-party` says. */
import { Numeric } from '../daml/model/numeric.js';
import type { ContractInstance } from '../daml/model/transaction.js';
import type { Party, Timestamp } from '../daml/model/values.js';

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

const NO_VALUES = Object.freeze({ values: Object.freeze({}) });
const NO_ARGS = Object.freeze({ context: NO_VALUES, meta: NO_VALUES });

/** When coupons are to be shared: with the first of them that has no more time left than it is to have afterwards. */
export function sharedFrom(
  coupons: readonly ContractInstance[],
  { minTtlAfterSharing }: RewardSharing,
): Timestamp {
  const times = coupons.map(({ payload, createdAt }) => {
    const latest = (payload.expiresAt as Timestamp) - minTtlAfterSharing;
    return latest > createdAt ? latest : createdAt;
  });
  return times.reduce((first, each) => (each < first ? each : first));
}

/**
 * The argument by which a party has its coupons shared; what the others do not get is its own.
 * @param others coupons beside the one that the choice is exercised on
 */
export function assignment(
  party: Party,
  others: readonly ContractInstance[],
  { beneficiaries }: RewardSharing,
): object {
  const own = beneficiaries.reduce(
    (left, { percentage }) => left.subtract(Numeric.of(percentage, 10)),
    Numeric.of('1', 10),
  );
  const rest = own.sign() > 0 ? [{ beneficiary: party, percentage: own.toString() }] : [];
  return {
    additionalCoupons: others.map(({ contractId }) => contractId),
    newBeneficiaries: [...beneficiaries, ...rest],
    extraArgs: NO_ARGS,
  };
}
