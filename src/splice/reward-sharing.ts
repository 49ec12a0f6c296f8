/** How a party's wallet shares rewards for traffic: a validator's `reward-sharing-config-by-party`. */
import { Numeric } from '../daml/model/numeric.js';
import type { ContractInstance } from '../daml/model/transaction.js';
import type { Party, Timestamp } from '../daml/model/values.js';

export interface RewardSharing {
  /**
   * Beneficiaries and their parts of each coupon, which sum to at most 1. With an empty list, another app must share
   * the coupons: the wallet ignores coupons without a beneficiary.
   */
  readonly beneficiaries: readonly {
    readonly beneficiary: Party;
    /** Decimal from 0 to 1. */
    readonly percentage: string;
  }[];
  /** The remaining lifetime of a coupon at which it is shared at the latest, in microseconds. */
  readonly minTtlAfterSharing: bigint;
  /** The maximum number of coupons that one transaction shares. */
  readonly batchSize: number;
}

const NO_VALUES = Object.freeze({ values: Object.freeze({}) });
const NO_ARGS = Object.freeze({ context: NO_VALUES, meta: NO_VALUES });

/** The time from which coupons are shared: when the first of them reaches its minimum remaining lifetime. */
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
