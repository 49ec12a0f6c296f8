/** The automation of a founded DSO and its validators: each task once, under virtual time. */
import { describeWithDars } from '../../support/foreign-files.js';
import { D, DSO_DARS, sharedWorld, T } from '../../support/splice/founded-world.js';

const DAY = { days: 1 };

describeWithDars('the automation of a DSO', [...DSO_DARS], (...dars) => {
  const world = sharedWorld(dars);
  const { canticle, dso, sv, payloads, ids, counts, exercise } = world;
  const { amulet, participants } = canticle;
  const { automation } = canticle.splice;
  const [svNode] = participants as [(typeof participants)[0]];
  const minutes = (count: number) => canticle.advanceTime({ minutes: count });
  const numbers = (kind: string) =>
    payloads(`${kind}MiningRound`).map(({ round }) => Number(round.number));
  const governed = (choice: string, argument: object) =>
    exercise(svNode, D('DsoRules:DsoRules'), ids('DsoRules')[0]!, choice, argument, [sv], [dso]);

  test('advances a round when it is due, confirms its summary, and issues its rewards', () => {
    minutes(9);
    expect(numbers('Open')).toEqual([0, 1, 2]);
    minutes(1);
    expect([numbers('Open'), numbers('Issuing'), numbers('Summarizing')]).toEqual([
      [1, 2, 3],
      [0],
      [],
    ]);
    expect(counts()).not.toHaveProperty('Confirmation');
    // A validator's 570 amulets are 2.85 dollars; the SV has all of its pool.
    expect(payloads('IssuingMiningRound')[0]).toMatchObject({
      issuancePerSvRewardCoupon: '57.8386605784',
      optIssuancePerValidatorFaucetCoupon: '570.0000000000',
    });
  });

  test('computes the price of a new round from the votes of its SVs', () => {
    amulet.advanceRounds('0.0075');
    expect(payloads('OpenMiningRound').map(({ amuletPrice }) => amuletPrice)).toEqual([
      '0.0050000000',
      '0.0050000000',
      '0.0075000000',
    ]);
    expect(payloads('AmuletPriceVote')).toMatchObject([{ sv, amuletPrice: '0.0075000000' }]);
    minutes(10);
    expect(payloads('OpenMiningRound').at(-1).amuletPrice).toBe('0.0075000000');
  });

  test('pauses a task, runs it once, and continues', () => {
    automation.pause('SummarizingMiningRound');
    minutes(11);
    expect([numbers('Summarizing'), numbers('Issuing')]).toEqual([[0], []]);
    expect(automation.runOnce('SummarizingMiningRound')).toBe(true);
    expect([numbers('Summarizing'), numbers('Issuing')]).toEqual([[], [0]]);
    minutes(10);
    expect(numbers('Summarizing')).toEqual([1]);
    automation.resume('SummarizingMiningRound');
    expect([numbers('Summarizing'), numbers('Issuing')]).toEqual([[], [0, 1]]);
  });

  test('can be paused by steps of a scenario', () => {
    const { scenario } = canticle;
    scenario.pauseAutomation('SummarizingMiningRound');
    scenario.advance('PT11M');
    expect(numbers('Summarizing')).toEqual([0]);
    scenario.runAutomation('SummarizingMiningRound');
    expect([numbers('Summarizing'), numbers('Issuing')]).toEqual([[], [0]]);
    scenario.resumeAutomation('SummarizingMiningRound');
    scenario.advance('PT10M');
    expect(numbers('Issuing')).toEqual([0, 1]);
    expect(() => scenario.pauseAutomation('Summarizing')).toThrow(
      "There is no automation 'Summarizing'",
    );
  });

  test('can be paused through the control API', async () => {
    const request = async (method: string, path: string, body?: unknown) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await canticle.handle({
        method,
        path: `/canticle/v1/automation${path}`,
        ...(body === undefined ? {} : { headers, body: JSON.stringify(body) }),
      });
      return answer.json() as any;
    };
    expect((await request('GET', '')).tasks[0]).toEqual({
      name: 'AdvanceOpenMiningRound',
      paused: false,
      due: expect.stringContaining('2026-01-01T00:10:00'),
    });
    expect(await request('PUT', '', { off: true })).toMatchObject({ off: true });
    minutes(11);
    expect(numbers('Open')).toEqual([0, 1, 2]);
    expect(await request('POST', '/AdvanceOpenMiningRound/run')).toMatchObject({
      name: 'AdvanceOpenMiningRound',
      paused: true,
      ran: true,
    });
    expect([numbers('Open'), numbers('Summarizing')]).toEqual([[1, 2, 3], [0]]);
    await request('POST', '/SummarizingMiningRound/pause');
    expect(await request('PUT', '', { off: false })).toMatchObject({ off: false });
    expect(numbers('Summarizing')).toEqual([0]);
    expect(await request('POST', '/SummarizingMiningRound/resume')).toMatchObject({
      paused: false,
    });
    expect([numbers('Summarizing'), numbers('Issuing')]).toEqual([[], [0]]);
    expect(await request('POST', '/Summarizing/run')).toMatchObject({
      error: 'There is no automation Summarizing.',
    });
  });

  test('creates the rewards of a round once for the SV and for each validator', () => {
    expect(payloads('SvRewardCoupon')).toMatchObject(
      [0, 1].map((number) => ({
        sv,
        beneficiary: sv,
        weight: '10000',
        round: { number: String(number) },
      })),
    );
    minutes(10);
    expect(payloads('SvRewardState')).toMatchObject([
      {
        svName: 'sv',
        state: {
          lastRoundCollected: { number: '2' },
          numRoundsCollected: '3',
          numRoundsMissed: '0',
          numCouponsIssued: '3',
        },
      },
    ]);
    expect(counts()).toMatchObject({ SvRewardCoupon: 3, ValidatorLivenessActivityRecord: 9 });
    automation.pause('ReceiveFaucetCoupon');
    // No liveness, but alive: once an hour.
    canticle.advanceTime({ minutes: 65 });
    for (const { faucetState, lastActiveAt } of payloads('ValidatorLicense')) {
      expect(faucetState).toMatchObject({ lastReceivedFor: { number: '2' } });
      expect(lastActiveAt).toContain('T01:10:00');
    }
    automation.resume('ReceiveFaucetCoupon');
    expect(payloads('ValidatorLicense')[2].faucetState).toMatchObject({
      firstReceivedFor: { number: '0' },
      lastReceivedFor: { number: '8' },
      numCouponsMissed: '4',
    });
  });

  test('converts the activity of featured apps into coupons of the open round after half a minute', () => {
    const [, , node] = participants;
    const app = node!.allocateParty('app');
    amulet.feature(app);
    const coin = amulet.tap(app, '10.0');
    const { payment } = amulet.context();
    const featuredAppRight = ids('FeaturedAppRight')[0];
    exercise(
      node!,
      T('AmuletRules:AmuletRules'),
      amulet.rules,
      'AmuletRules_Transfer',
      {
        transfer: {
          sender: app,
          provider: app,
          inputs: [{ tag: 'InputAmulet', value: coin }],
          outputs: [{ receiver: app, receiverFeeRatio: '0.0', amount: '5.0', lock: null }],
          beneficiaries: null,
        },
        context: { ...payment.context, featuredAppRight },
        expectedDso: dso,
      },
      [app],
    );
    const markers = counts().FeaturedAppActivityMarker!;
    expect(markers).toBeGreaterThan(0);
    canticle.advanceTime({ seconds: 29 });
    expect(counts().FeaturedAppActivityMarker).toBe(markers);
    canticle.advanceTime({ seconds: 1 });
    expect(counts()).not.toHaveProperty('FeaturedAppActivityMarker');
    expect(payloads('AppRewardCoupon')).toMatchObject([
      { provider: app, featured: true, round: { number: '1' }, amount: '200.0000000000' },
    ]);
  });

  test('accounts for every amulet of the issuance curve: minted, unclaimed, or in the development fund', () => {
    canticle.advanceTime({ hours: 4 });
    // Of 40 billion a year, in rounds of ten minutes.
    const perRound = 40e9 / 52_560;
    const issuing = numbers('Issuing');
    const sum = (name: string, amountOf = ({ amount }: any) => Number(amount)) =>
      payloads(name).reduce((total, each) => total + amountOf(each), 0);
    const there =
      sum('UnclaimedReward') +
      sum('UnclaimedDevelopmentFundCoupon') +
      sum('Amulet', ({ amount }) => Number(amount.initialAmount));
    // The claimable rewards: the SV's share, and each validator's.
    const claimable = ['SvRewardCoupon', 'ValidatorLivenessActivityRecord'].map(
      (name) => payloads(name).filter(({ round }) => issuing.includes(Number(round.number))).length,
    );
    const expected = (issuing.at(-1)! + 1) * perRound;
    expect(there + claimable[0]! * 578_386.605784 + claimable[1]! * 570).toBeCloseTo(expected, 0);
    expect(counts().UnclaimedReward).toBeLessThanOrEqual(10);
    expect(counts().UnclaimedDevelopmentFundCoupon).toBeLessThan(20);
    expect(numbers('Closed')).toEqual([]);
  });

  test('reports the state of its SV every two minutes, and renews the configuration for external parties once a day', () => {
    const [report] = payloads('SvStatusReport');
    expect(report).toMatchObject({
      sv,
      svName: 'sv',
      number: '1',
      status: { cometBftHeight: '-1' },
    });
    minutes(20);
    expect(payloads('SvStatusReport')).toMatchObject([
      { number: '11', status: { latestOpenRound: { number: '4' } } },
    ]);
    const [older, newer] = ids('ExternalPartyConfigState');
    // The test ignores other tasks of the day.
    const { due } = automation.states.find(
      ({ name }) => name === 'UpdateExternalPartyConfigState',
    )!;
    automation.isOff = true;
    canticle.advanceTime({ hours: 23, minutes: 39 });
    expect(due! > canticle.network.clock.now()).toBe(true);
    minutes(1);
    automation.isOff = false;
    expect(ids('ExternalPartyConfigState')).toEqual([newer, expect.not.stringContaining(older!)]);
    const [, replaced] = payloads('ExternalPartyConfigState');
    expect(replaced.holdingFeesOpenRoundNumber).toEqual({ number: '3' });
    expect(replaced.targetArchiveAfter).toContain('2026-01-04T00:00:00');
  });

  test('closes a vote once its outcome is certain', () => {
    const request = (accepted: boolean, targetEffectiveAt: string | null) =>
      governed('DsoRules_RequestVote', {
        requester: sv,
        action: {
          tag: 'ARC_DsoRules',
          value: {
            dsoAction: {
              tag: 'SRARC_GrantFeaturedAppRight',
              value: { provider: sv, activityWeight: null },
            },
          },
        },
        reason: { url: '', body: accepted ? 'an app' : 'none' },
        voteRequestTimeout: { microseconds: '3600000000' },
        targetEffectiveAt,
      });
    request(true, '2026-01-01T02:00:00Z');
    expect(counts()).toMatchObject({ VoteRequest: 1 });
    minutes(119);
    expect(counts()).toMatchObject({ VoteRequest: 1 });
    expect(counts()).not.toHaveProperty('FeaturedAppRight');
    minutes(1);
    expect(counts()).not.toHaveProperty('VoteRequest');
    expect(counts()).toMatchObject({ FeaturedAppRight: 1 });
    // With one SV its own vote is enough.
    request(true, null);
    expect(counts()).toMatchObject({ FeaturedAppRight: 2 });
    expect(counts()).not.toHaveProperty('VoteRequest');
  });

  test('expires secrets for validators, and confirmations of archived contracts', () => {
    const onboarding = '#splice-validator-lifecycle:Splice.ValidatorOnboarding:ValidatorOnboarding';
    svNode.create(
      onboarding,
      { sv, candidateSecret: 'a secret', expiresAt: '2026-01-01T00:30:00Z' },
      { actAs: sv },
    );
    governed('DsoRules_ConfirmAction', {
      confirmer: sv,
      action: {
        tag: 'ARC_AmuletRules',
        value: {
          amuletRulesAction: {
            tag: 'CRARC_MiningRound_Archive',
            value: { closedRoundCid: ids('OpenMiningRound')[0] },
          },
        },
      },
    });
    minutes(29);
    expect(counts()).toMatchObject({ ValidatorOnboarding: 1, Confirmation: 1 });
    minutes(1);
    expect(counts()).not.toHaveProperty('ValidatorOnboarding');
    minutes(31);
    expect(counts()).not.toHaveProperty('Confirmation');
  });

  test('archives expired contracts only after the tasks resume, because a LocalNet pauses them', () => {
    const [, , node] = participants;
    const alice = node!.allocateParty('alice');
    // Its provider would renew it.
    automation.pause('RenewTransferPreapproval');
    amulet.preapprove(alice, {
      provider: canticle.splice.validators[2]!.party,
      expiresIn: { hours: 1 },
    });
    amulet.tap(alice, '0.000001');
    minutes(70);
    const amulets = () => payloads('Amulet').filter(({ owner }) => owner === alice);
    expect(counts()).toMatchObject({ TransferPreapproval: 1 });
    expect(amulets()).toHaveLength(1);
    automation.resume('ExpireTransferPreapprovals');
    expect(counts()).not.toHaveProperty('TransferPreapproval');
    // Dust is an amulet without value in every configuration that can still apply.
    automation.isOff = true;
    for (let round = 0; round < 3; round++) amulet.advanceRounds();
    for (let day = 0; day < 2; day++) {
      expect(automation.runOnce('ExpiredAmulet')).toBe(false);
      canticle.advanceTime(DAY);
      expect(automation.runOnce('UpdateExternalPartyConfigState')).toBe(true);
    }
    expect(automation.runOnce('ExpiredAmulet')).toBe(true);
    expect(amulets()).toEqual([]);
  });
});
