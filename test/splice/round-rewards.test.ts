/** The rewards of featured apps in a round, from their activity (CIP-104, S-RWD-010). */
import { Numeric, some } from '../../src/daml/index.js';
import { roundRewards, type ActivityRecord } from '../../src/splice/rewards/round-rewards.js';

type ContractInstance = Parameters<typeof roundRewards>[0];

const decimal = (text: string) => Numeric.of(text, 10);

interface Stated {
  readonly cap?: string;
  readonly threshold?: string;
  readonly fund?: string | null;
  readonly more?: object;
}

/**
 * A round of ten minutes, with 1000 amulets. A tenth is for the development fund, and half of the others for apps: 450.
 * A megabyte costs ten amulets.
 */
function round({ cap = '100.0', threshold = '0.0', fund = '0.1', more }: Stated): ContractInstance {
  const payload = {
    issuanceConfig: {
      amuletToIssuePerYear: decimal('52560000.0'),
      appRewardPercentage: decimal('0.5'),
      featuredAppRewardCap: decimal(cap),
      optDevelopmentFundPercentage: fund === null ? null : some(decimal(fund)),
    },
    tickDuration: { microseconds: 600_000_000n },
    amuletPrice: decimal('2.0'),
    trafficPrice: some(decimal('20.0')),
    rewardConfig: some({ batchSize: 7n, appRewardCouponThreshold: decimal(threshold) }),
    ...more,
  };
  return { payload } as unknown as ContractInstance;
}

const record = (...weights: readonly (readonly [string, bigint])[]): ActivityRecord => ({
  round: 1n,
  weights: weights.map(([party, weight]) => ({ party, weight })),
});
const MEGABYTE = 1_000_000n;
/** Five megabytes. */
const ACTIVITY = [
  record(['bob', 2n * MEGABYTE], ['alice', MEGABYTE]),
  record(['alice', 2n * MEGABYTE]),
];

function rewards(stated: Stated, activity: readonly ActivityRecord[] = ACTIVITY) {
  const { mintingAllowances, thresholded, unclaimed, ...counts } = roundRewards(
    round(stated),
    activity,
  )!;
  return {
    paid: mintingAllowances.map(({ provider, amount }) => `${provider} ${amount.toString()}`),
    left: `${unclaimed.toString()} unclaimed, ${thresholded.toString()} thresholded`,
    counts,
  };
}

const ALL = ['alice 270.0000000000', 'bob 180.0000000000'];
const NOTHING = '0.0000000000';

it('shares all amulets in proportion to the activity, sorted by provider', () => {
  expect(rewards({})).toEqual({
    paid: ALL,
    left: `${NOTHING} unclaimed, ${NOTHING} thresholded`,
    counts: {
      appActivityWeight: 5n * MEGABYTE,
      activePartiesCount: 2,
      activityRecordsCount: 3,
      batchSize: 7,
    },
  });
});

it('leaves amulets beyond the cap of a coupon unclaimed', () => {
  expect(rewards({ cap: '2.0' })).toMatchObject({
    paid: ['alice 60.0000000000', 'bob 40.0000000000'],
    left: `350.0000000000 unclaimed, ${NOTHING} thresholded`,
  });
  expect(rewards({ cap: '0.0', threshold: '0.0002' })).toMatchObject({
    paid: [],
    left: `450.0000000000 unclaimed, ${NOTHING} thresholded`,
  });
});

it('pays rewards of at least the threshold, which is in dollars', () => {
  expect(rewards({ threshold: '360.0' }).paid).toEqual(ALL);
  expect(rewards({ threshold: '360.0000000002' })).toMatchObject({
    paid: ALL.slice(0, 1),
    left: `${NOTHING} unclaimed, 180.0000000000 thresholded`,
  });
});

it('without activity, all amulets are unclaimed', () => {
  expect(rewards({}, [])).toMatchObject({
    paid: [],
    left: `450.0000000000 unclaimed, ${NOTHING} thresholded`,
    counts: { appActivityWeight: 0n, activePartiesCount: 0, activityRecordsCount: 0 },
  });
});

it('the development fund gets a twentieth if the configuration does not say', () => {
  expect(rewards({ fund: null }, []).left).toBe(`475.0000000000 unclaimed, ${NOTHING} thresholded`);
});

it('rounds a half up, and never leaves less than nothing', () => {
  // Of 450 amulets, each of 70 coupons gets 6.4285714286: together more than there are.
  const activity = [record(['alice', 25_000n], ['bob', 6_975_000n])];
  expect(rewards({}, activity)).toMatchObject({
    paid: ['alice 1.6071428572', 'bob 448.3928571449'],
    left: `${NOTHING} unclaimed, -0.0000000021 thresholded`,
  });
});

it.each(['trafficPrice', 'rewardConfig'])('has no rewards without %s', (name) => {
  for (const more of [{ [name]: null }, { [name]: undefined }])
    expect(roundRewards(round({ more }), ACTIVITY)).toBeUndefined();
});
