/** How a party's wallet shares rewards for traffic: a validator's `reward-sharing-config-by-party`. */
import { Numeric } from '../daml/model/numeric.js';
import type { ContractInstance } from '../daml/model/transaction.js';
import type { Party, Timestamp } from '../daml/model/values.js';

export interface RewardSharing {
  /**
   * Beneficiaries with their shares of 1. If empty, another app shares the coupons, and the wallet ignores coupons without a beneficiary.
   */
  readonly beneficiaries: readonly {
    readonly beneficiary: Party;
    /** Decimal. */
    readonly percentage: string;
  }[];
  /** The minimum remaining lifetime of a coupon when it is shared, in microseconds. */
  readonly minTtlAfterSharing: bigint;
  /** The number of coupons in one transaction. */
  readonly batchSize: number;
}

const NO_VALUES = Object.freeze({ values: Object.freeze({}) });
const NO_ARGS = Object.freeze({ context: NO_VALUES, meta: NO_VALUES });

/** The moment from which coupons are shared: when the remaining lifetime of the first one is down to the minimum. */
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
 * The argument with which a party shares its coupons. The rest of the shares goes to the party.
 * @param others coupons besides the one on which the choice is exercised
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
