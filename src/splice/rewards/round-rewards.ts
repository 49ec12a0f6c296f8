/**
 * The rewards of featured apps in a round (CIP-104), as Scan computes them: each app's activity is converted to amulets at the issuance of
 * the round. Rewards below the threshold are not paid (S-RWD-010).
 */
import { Numeric } from '../../daml/model/numeric.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { Party, Some } from '../../daml/model/values.js';
import type { MintingAllowance } from './reward-batches.js';

const DECIMALS = 10;
const MICROS_PER_YEAR = 365n * 24n * 3600n * 1_000_000n;
const BYTES_PER_MEGABYTE = '1000000';
/** The share of the development fund where the configuration has none. */
const DEVELOPMENT_FUND = '0.05';

/** The activity of apps in a transaction. */
export interface ActivityRecord {
  readonly round: bigint;
  /** Bytes, weighted by the rights of the apps, sorted by party. */
  readonly weights: readonly { readonly party: Party; readonly weight: bigint }[];
}

export interface RoundRewards {
  readonly appActivityWeight: bigint;
  readonly activePartiesCount: number;
  readonly activityRecordsCount: number;
  /** Not paid because it is below the threshold, and because of rounding. */
  readonly thresholded: Numeric;
  readonly unclaimed: Numeric;
  /** Sorted by provider. */
  readonly mintingAllowances: readonly MintingAllowance[];
  readonly batchSize: number;
}

interface RoundPayload {
  readonly issuanceConfig: {
    readonly amuletToIssuePerYear: Numeric;
    readonly appRewardPercentage: Numeric;
    readonly featuredAppRewardCap: Numeric;
    readonly optDevelopmentFundPercentage?: Some<Numeric> | null;
  };
  readonly tickDuration: { readonly microseconds: bigint };
  readonly amuletPrice: Numeric;
  readonly trafficPrice?: Some<Numeric> | null;
  readonly rewardConfig?: Some<{
    readonly batchSize: bigint;
    readonly appRewardCouponThreshold: Numeric;
  }> | null;
}

/** @returns undefined for a round without a price of traffic or a configuration of rewards */
export function roundRewards(
  { payload }: ContractInstance,
  records: readonly ActivityRecord[],
): RoundRewards | undefined {
  const round = payload as unknown as RoundPayload;
  const { amuletPrice } = round;
  const trafficPrice = round.trafficPrice?.value;
  const config = round.rewardConfig?.value;
  if (trafficPrice === undefined || config === undefined) return undefined;
  const { weights, count } = totalsOf(records);
  const appActivityWeight = [...weights.values()].reduce((sum, each) => sum + each, 0n);
  const perMegabyte = trafficPrice.divide(amuletPrice);
  const toIssue = amuletsToIssue(round);
  const coupons = decimal(appActivityWeight).divide(BYTES_PER_MEGABYTE).multiply(perMegabyte);
  const perCoupon = issuancePerCoupon(toIssue, round.issuanceConfig.featuredAppRewardCap, coupons);
  const unclaimed = toIssue.subtract(perCoupon.multiply(coupons));
  const threshold = config.appRewardCouponThreshold.divide(amuletPrice);
  const rate = perMegabyte.multiply(perCoupon);
  const mintingAllowances = [...weights].flatMap(([provider, weight]) => {
    // Exact: six decimals of megabytes times ten of the rate.
    const exact = weight * rate.unscaled;
    return isBelow(exact, threshold) ? [] : [{ provider, amount: rounded(exact) }];
  });
  const paid = mintingAllowances.reduce((sum, { amount }) => sum.add(amount), decimal(0n));
  const left = unclaimed.sign() < 0 ? decimal(0n) : unclaimed;
  return {
    appActivityWeight,
    activePartiesCount: weights.size,
    activityRecordsCount: count,
    thresholded: toIssue.subtract(left).subtract(paid),
    unclaimed: left,
    mintingAllowances,
    batchSize: Number(config.batchSize),
  };
}

const decimal = (value: bigint): Numeric => Numeric.of(value, DECIMALS);

const MEGABYTE_UNITS = 1_000_000n;

/** @param exact with sixteen decimals */
const isBelow = (exact: bigint, threshold: Numeric): boolean =>
  exact < threshold.unscaled * MEGABYTE_UNITS;

/** Half away from zero, as the database of Scan rounds. */
const rounded = (exact: bigint): Numeric =>
  Numeric.fromUnscaled((exact + MEGABYTE_UNITS / 2n) / MEGABYTE_UNITS, DECIMALS);

/** The sum of each party's weights, sorted by party, and the number of summands. */
function totalsOf(records: readonly ActivityRecord[]): {
  readonly weights: ReadonlyMap<Party, bigint>;
  readonly count: number;
} {
  const all = records.flatMap(({ weights }) => weights);
  const sums = new Map<Party, bigint>();
  for (const { party, weight } of all) sums.set(party, (sums.get(party) ?? 0n) + weight);
  const weights = new Map([...sums].sort(([one], [other]) => (one < other ? -1 : 1)));
  return { weights, count: all.length };
}

/** The amulets of a round for all apps, without the development fund's. */
function amuletsToIssue({ issuanceConfig, tickDuration }: RoundPayload): Numeric {
  const { amuletToIssuePerYear, appRewardPercentage, optDevelopmentFundPercentage } =
    issuanceConfig;
  const roundsPerYear = decimal(MICROS_PER_YEAR).divide(decimal(tickDuration.microseconds));
  const inRound = amuletToIssuePerYear.divide(roundsPerYear);
  const fund = optDevelopmentFundPercentage?.value ?? Numeric.of(DEVELOPMENT_FUND, DECIMALS);
  return inRound.subtract(inRound.multiply(fund)).multiply(appRewardPercentage);
}

/** As `computeIssuanceTranche` of the Daml code, with its order of multiplication and division. */
function issuancePerCoupon(toIssue: Numeric, cap: Numeric, coupons: Numeric): Numeric {
  if (coupons.sign() <= 0) return cap;
  if (cap.sign() <= 0) return decimal(0n);
  const most = cap.multiply(coupons);
  const capped = toIssue.compare(most) < 0 ? toIssue : most;
  return capped.multiply(cap).divide(most);
}
