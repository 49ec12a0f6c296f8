/** Rewards by traffic (CIP-104), from the activity of an app to its amulets. */
import { createCanticle } from 'canticle';
import { AppActivity, MAX_TRAFFIC_COST } from '../../../src/splice/scan/app-activity.js';
import { onboardUser } from '../../../src/splice/validators/onboarding.js';
import { describeWithDars } from '../../support/foreign-files.js';
import { DSO_DARS, T } from '../../support/splice/founded-world.js';

const ROUNDS = '/api/scan/v0/internal/reward-accounting-process/rounds';
const RULES = {
  mintingVersion: 'RewardVersion_TrafficBasedAppRewards',
  dryRunVersion: null,
  batchSize: '2',
  rewardCouponTimeToLive: { microseconds: String(36 * 3_600_000_000) },
  appRewardCouponThreshold: '0.0',
};

function world(
  dars: readonly Uint8Array[],
  {
    rules = {},
    trafficControl = true,
    others = [],
    offsetGaps = false,
  }: {
    rules?: object;
    trafficControl?: boolean;
    others?: readonly string[];
    offsetGaps?: boolean;
  } = {},
) {
  const canticle = createCanticle({
    synchronizers: [
      { alias: 'global', identifier: 'global-domain', foundedBy: 'sv' },
      ...others.map((alias) => ({ alias })),
    ],
    participants: [{ name: 'sv' }, { name: 'app' }],
    dars: [...dars],
    trafficControl,
    offsetGaps,
  });
  canticle.amulet.boot({ config: { rewardConfig: { ...RULES, ...rules } } });
  const { dsoParty: dso, validators } = canticle.splice;
  for (const validator of validators)
    onboardUser(dso, validator, {
      userName: validator.participant.name,
      party: validator.party,
    });
  const [sv, app] = canticle.participants;
  const provider = validators[1]!.party;
  const payloads = (name: string) => {
    const all = new Map(
      canticle.participants
        .flatMap((each) => each.activeContracts())
        .map((each) => [each.contractId, each]),
    );
    return [...all.values()]
      .filter(({ templateId }) => templateId.endsWith(`:${name}`))
      .map(({ payload }) => payload as any);
  };
  const get = async (path: string) => (await canticle.handle({ path })).json() as any;
  const feature = (party: string, activityWeight: string | null = null) =>
    sv!.create(
      T('Amulet:FeaturedAppRight'),
      { dso, provider: party, activityWeight },
      {
        actAs: [dso],
      },
    );
  const events = async () => {
    const answer = await canticle.handle({
      method: 'POST',
      path: '/api/scan/v0/events',
      body: { page_size: 1000 },
    });
    return (answer.json() as any).events as any[];
  };
  const minutes = (count: number) => canticle.advanceTime({ minutes: count });
  return { canticle, dso, sv: sv!, app: app!, provider, payloads, get, feature, events, minutes };
}

describeWithDars('rewards by traffic', [...DSO_DARS], (...dars) => {
  test('the activity of a featured app becomes amulets of its provider (S-EVT-014, A-REW-020)', async () => {
    const { canticle, provider, payloads, get, feature, events, minutes } = world(dars);
    feature(provider);
    minutes(41);
    const round = Number((await get(`${ROUNDS}/earliest-available`)).earliest_round);
    expect(round).toBe(0);
    const { automation } = canticle.splice;
    automation.pause('ProcessRewards', 'CollectRewardsAndMergeAmulets', 'UnhideRewardCouponV2');
    const open = Number(payloads('OpenMiningRound')[0].round.number);
    canticle.amulet.tap(provider, '10.0');
    const ours = (await events()).at(-1)!;
    const { total_traffic_cost: total, envelope_traffic_summaries: envelopes } =
      ours.traffic_summary;
    expect(envelopes.reduce((sum: number, each: any) => sum + each.traffic_cost, 0)).toBe(total);
    expect(envelopes.flatMap((each: any) => each.view_ids).sort()).toEqual(
      ours.verdict.transaction_views.views.map((each: any) => each.view_id),
    );
    expect(ours.app_activity_records).toEqual({
      round_number: open,
      records: [{ party: provider, weight: total }],
    });
    minutes(31);
    const activity = await get(`${ROUNDS}/${open}/activity-totals`);
    expect(activity).toMatchObject({ status: 'Ok', active_parties_count: 1 });
    const { root_hash } = await get(`${ROUNDS}/${open}/root-hash`);
    expect(payloads('ProcessRewardsV2').map(({ batchHash }) => batchHash.value)).toContain(
      root_hash,
    );
    automation.resume('ProcessRewards');
    const coupon = payloads('RewardCouponV2').find((each) => Number(each.round.number) === open);
    const batch = await get(`${ROUNDS}/${open}/batches/${root_hash}`);
    expect(batch.minting_allowances).toEqual([{ provider, amount: coupon.amount }]);
    // Its participant vets the package, so that nothing needs to show it the coupon.
    expect(coupon).toMatchObject({ provider, providerIsObserver: true });
    automation.resume('CollectRewardsAndMergeAmulets');
    minutes(10);
    expect(payloads('RewardCouponV2').map(({ round }) => Number(round.number))).not.toContain(open);
    const held = payloads('Amulet').filter(({ owner }) => owner === provider);
    const sum = held.reduce((total, { amount }) => total + Number(amount.initialAmount), 0);
    expect(sum).toBeGreaterThan(Number(coupon.amount));
  });

  test('weights activity by the right, shares it between apps, and pays nothing below the threshold', async () => {
    const { dso, app, provider, payloads, get, feature, events, minutes } = world(dars, {
      rules: { appRewardCouponThreshold: '1000.0' },
      others: ['private'],
    });
    const other = app.allocateParty('other');
    feature(provider, '0.5');
    feature(provider, '2.5');
    feature(other);
    minutes(41);
    const right = { dso, user: other, validator: provider };
    const contractId = app.create(T('Amulet:ValidatorRight'), right, {
      actAs: [provider, other],
    });
    const event = (await events()).at(-1)!;
    const total = event.traffic_summary.total_traffic_cost;
    const half = Math.floor(total / 2);
    const { records, round_number: round } = event.app_activity_records;
    const expected = [
      { party: provider, weight: Math.floor(half * 2.5) },
      { party: other, weight: half },
    ].sort((one, two) => (one.party < two.party ? -1 : 1));
    expect(records).toEqual(expected);
    // A move in the round does not count.
    app.assign(app.unassign(contractId, { to: 'private', submitter: provider }));
    minutes(31);
    const totals = await get(`${ROUNDS}/${round}/activity-totals`);
    expect(totals).toMatchObject({
      status: 'Ok',
      active_parties_count: 2,
      rewarded_app_provider_parties_count: 0,
      total_app_reward_minting_allowance: '0.0000000000',
    });
    expect(totals.total_app_activity_weight).toBeGreaterThanOrEqual(
      expected[0]!.weight + expected[1]!.weight,
    );
    // 15% of 95% of the amulets of a round.
    const issued =
      Number(totals.total_app_reward_thresholded) + Number(totals.total_app_reward_unclaimed);
    expect(issued).toBeCloseTo((40e9 / 52_560) * 0.95 * 0.15, 4);
    expect(Number(totals.total_app_reward_thresholded)).toBeGreaterThan(0);
    expect(payloads('RewardCouponV2')).toEqual([]);
  });

  test('a request of more than 100 MiB has no activity', async () => {
    const { canticle, app, provider, feature, minutes } = world(dars, { offsetGaps: true });
    feature(provider);
    minutes(41);
    // The request names the offset from which the app's participant remembers commands, here with two bytes.
    for (let index = 0; index < 25; index++) app.allocateParty(`party-${index}`);
    expect(app.prune()).toBeGreaterThan(127);
    canticle.amulet.tap(provider, '10.0');
    const { network, viewpoint, activity } = canticle.splice;
    const update = network.ledgerHistory.at(network.ledgerHistory.length - 1)!;
    if (update.kind !== 'transaction') throw new Error('Expected a transaction.');
    const { total } = activity.summaryOf(update)!;
    const upTo = (bytes: number) => new AppActivity(viewpoint, bytes).recordOf(update);
    expect(MAX_TRAFFIC_COST).toBe(104_857_600);
    expect(upTo(total)).toEqual(activity.recordOf(update));
    expect(upTo(total)).toMatchObject({ weights: [{ party: provider }] });
    expect(upTo(total - 1)).toBeUndefined();
    // The cost that a participant paid.
    const wildcard = { identifierFilter: { WildcardFilter: { value: {} } } };
    const body = {
      updateId: update.updateId,
      transactionFormat: {
        transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
        eventFormat: { filtersByParty: { [provider]: { cumulative: [wildcard] } } },
      },
    };
    const path = '/participants/app/v2/updates/transaction-by-id';
    const { transaction } = (await canticle.handle({ path, body })).json() as any;
    expect(transaction.paidTrafficCost).toBe(total);
    expect(activity.recordOf({ ...update, submission: undefined })).toBeUndefined();
  });

  test('transactions of SVs, and of apps without a right, have no activity', async () => {
    const { canticle, sv, provider, feature, events, minutes, get } = world(dars);
    feature(canticle.splice.validator.party);
    minutes(41);
    canticle.amulet.tap(canticle.splice.validator.party, '10.0');
    const ofSv = (await events()).at(-1)!;
    expect(ofSv.verdict.submitting_participant_uid).toBe(sv.id);
    expect(ofSv).toMatchObject({ traffic_summary: {}, app_activity_records: null });
    canticle.amulet.tap(provider, '10.0');
    expect((await events()).at(-1)).toMatchObject({
      traffic_summary: {},
      app_activity_records: null,
    });
    minutes(31);
    // A round without rewards has one empty batch.
    const { root_hash } = await get(`${ROUNDS}/1/root-hash`);
    expect(await get(`${ROUNDS}/1/batches/${root_hash}`)).toEqual({
      batch_type: 'BatchOfMintingAllowances',
      minting_allowances: [],
    });
  });

  test('without metered traffic, a round waits until a test sets its rewards', async () => {
    const { canticle, app, provider, payloads, get, events, minutes } = world(dars, {
      trafficControl: false,
    });
    minutes(11);
    expect((await events()).at(-1)).toMatchObject({
      traffic_summary: null,
      app_activity_records: null,
    });
    expect(await get(`${ROUNDS}/0/root-hash`)).toMatchObject({ status: 'Undetermined' });
    expect(payloads('CalculateRewardsV2')).toHaveLength(1);
    const others = ['a', 'b', 'c', 'd'].map((hint) => app.allocateParty(hint));
    const away = `away::1220${'ab'.repeat(32)}`;
    canticle.splice.rewards.set(0, {
      status: 'Ok',
      batchSize: 2,
      mintingAllowances: [provider, away, ...others].map((each) => ({
        provider: each,
        amount: '2.5',
      })),
    });
    // Six parties, two in a batch, need two levels above the leaves.
    expect(payloads('CalculateRewardsV2')).toEqual([]);
    expect(payloads('ProcessRewardsV2')).toEqual([]);
    const coupons = payloads('RewardCouponV2');
    expect(coupons).toHaveLength(6);
    // A party without a participant sees its coupon once it has one that vets the package.
    expect(coupons.filter((each) => !each.providerIsObserver)).toMatchObject([{ provider: away }]);
  });

  test.each([
    ['RewardVersion_TrafficBasedAppRewards', null, ''],
    ['RewardVersion_FeaturedAppMarkers', 'RewardVersion_TrafficBasedAppRewards', 'DryRun'],
  ])(
    'with minting by %s and a dry run of %s, their own tasks run',
    (mintingVersion, dryRunVersion, ending) => {
      const { canticle, payloads, minutes } = world(dars, {
        rules: { mintingVersion, dryRunVersion },
      });
      const { automation } = canticle.splice;
      const [other] = ['', 'DryRun'].filter((each) => each !== ending);
      automation.pause(`CalculateRewards${ending}`, `ProcessRewards${other}`);
      minutes(41);
      const waiting = payloads('CalculateRewardsV2').length;
      expect(waiting).toBeGreaterThan(0);
      automation.pause(`ProcessRewards${ending}`, `CalculateRewards${other}`);
      automation.resume(`CalculateRewards${ending}`, `ProcessRewards${other}`);
      expect(payloads('CalculateRewardsV2')).toEqual([]);
      expect(payloads('ProcessRewardsV2')).toHaveLength(waiting);
      automation.resume(`ProcessRewards${ending}`);
      expect(payloads('ProcessRewardsV2')).toEqual([]);
    },
  );

  test('a dry run computes and processes the rewards, but creates no coupons', async () => {
    const { canticle, provider, payloads, get, feature, minutes } = world(dars, {
      rules: {
        mintingVersion: 'RewardVersion_FeaturedAppMarkers',
        dryRunVersion: 'RewardVersion_TrafficBasedAppRewards',
      },
    });
    feature(provider);
    minutes(41);
    canticle.amulet.tap(provider, '10.0');
    minutes(41);
    expect(await get(`${ROUNDS}/3/activity-totals`)).toMatchObject({
      status: 'Ok',
      rewarded_app_provider_parties_count: 1,
    });
    for (const name of ['CalculateRewardsV2', 'ProcessRewardsV2', 'RewardCouponV2'])
      expect(payloads(name)).toEqual([]);
  });
});
