/** Mining rounds: opened, summarized, issuing, closed, and their configuration. */
import { instant } from '../../support/splice/amulet-client.js';
import { over, text, times, units } from '../../support/splice/amulet-fees.js';
import {
  AMULET,
  AMULET_DAR,
  AMULET_RULES,
  failure,
  LOCKED_AMULET,
  requirement,
  UNAUTHORIZED,
} from '../../support/splice/amulet-world.js';
import { describeWithDars } from '../../support/foreign-files.js';
import { dsoWorld } from '../../support/splice/dso-world.js';
import { answer } from '../../support/daml/lf-probe.js';

const MINUTE = 60_000_000n;
const TICKS_A_YEAR = 52_560n;

describeWithDars('mining rounds', [AMULET_DAR], (bytes) => {
  const world = dsoWorld(bytes);
  const { canticle, amulet, dso, alice, bob, contracts, now, numbers, payloads } = world;

  const advance = (more: object = {}, actor = dso) => {
    const [oldest, middle, latest] = contracts('Round:OpenMiningRound').map(
      ({ contractId }) => contractId,
    );
    return answer(() =>
      world.rules(
        'AmuletRules_AdvanceOpenMiningRounds',
        {
          amuletPrice: '2.0',
          roundToArchiveCid: oldest,
          middleRoundCid: middle,
          latestRoundCid: latest,
          ...more,
        },
        [actor],
      ),
    ) as any;
  };

  test('advance one by one, in their order and not before their time', () => {
    const [oldest, middle, latest] = contracts('Round:OpenMiningRound').map(
      ({ contractId }) => contractId,
    );
    expect(advance()).toMatchObject(requirement('roundToArchive is past targetCloseAt'));
    canticle.advanceTime({ minutes: 11 });
    expect(advance({}, alice)).toMatchObject(UNAUTHORIZED);
    expect(advance({ roundToArchiveCid: middle, middleRoundCid: oldest })).toMatchObject(
      requirement('middleRound is one after roundToArchive'),
    );
    expect(advance({ latestRoundCid: middle })).toMatchObject(
      requirement('latestRound is one after middleRound'),
    );
    const { openRoundCid, summarizingRoundCid } = advance();
    expect(world.payload(openRoundCid)).toMatchObject({
      round: { number: '3' },
      amuletPrice: '2.0000000000',
    });
    expect(world.payload(summarizingRoundCid)).toMatchObject({
      round: { number: '0' },
      amuletPrice: '1.0000000000',
    });
    expect(world.payload(latest!)).toBeDefined();
    expect([numbers('Open'), numbers('Summarizing')]).toEqual([[1, 2, 3], [0]]);
    // The next one is over only when its own time is.
    expect(advance()).toMatchObject({ refused: 'DAML_FAILURE' });
  });

  test('are summarized, issue the amounts of the curve, and close', () => {
    canticle.advanceTime({ minutes: 11 });
    const { summarizingRoundCid } = advance();
    const summary = {
      totalValidatorRewardCoupons: '100.0',
      totalFeaturedAppRewardCoupons: '10.0',
      totalUnfeaturedAppRewardCoupons: '30.0',
      totalSvRewardWeight: '50000',
      optTotalValidatorFaucetCoupons: '4',
    };
    const start = (more: object = {}, actor = dso) =>
      answer(() =>
        world.rules(
          'AmuletRules_MiningRound_StartIssuing',
          { miningRoundCid: summarizingRoundCid, summary: { ...summary, ...more } },
          [actor],
        ),
      ) as any;
    expect(start({ totalValidatorRewardCoupons: '-1.0' })).toMatchObject(
      requirement('totalValidatorRewardCoupons >= 0.0'),
    );
    expect(start({}, alice)).toMatchObject(UNAUTHORIZED);
    const { issuingRoundCid } = start();
    // 40 billion a year, in rounds of ten minutes; caps: 0.2, 0.6, 100, 2.85 dollars.
    const inRound = over(units('40000000000.0'), TICKS_A_YEAR * 10_000_000_000n);
    const validators = times(inRound, units('0.05'));
    const apps = times(inRound, units('0.15'));
    const svs = inRound - validators - apps;
    const unfeatured = units('0.6');
    const leftForFeatured = apps - times(unfeatured, units('40.0'));
    const featured =
      leftForFeatured < times(units('99.4'), units('10.0'))
        ? over(leftForFeatured, units('10.0'))
        : units('99.4');
    const round = world.payload(issuingRoundCid);
    expect(round).toMatchObject({
      issuancePerValidatorRewardCoupon: '0.2000000000',
      issuancePerUnfeaturedAppRewardCoupon: '0.6000000000',
      issuancePerFeaturedAppRewardCoupon: text(unfeatured + featured),
      issuancePerSvRewardCoupon: text(over(svs, units('50000.0'))),
      optIssuancePerValidatorFaucetCoupon: '2.8500000000',
    });
    const [unclaimed] = payloads('Amulet:UnclaimedReward');
    const left =
      validators - times(units('0.2'), units('100.0')) - times(units('2.85'), units('4.0'));
    const leftSvs = svs - times(over(svs, units('50000.0')), units('50000.0'));
    const leftApps = leftForFeatured - times(featured, units('10.0'));
    expect(unclaimed.amount).toBe(text(left + leftApps + (leftSvs > 0n ? leftSvs : 0n)));
    const close = () =>
      answer(() => world.rules('AmuletRules_MiningRound_Close', { issuingRoundCid }, [dso])) as any;
    expect(close()).toMatchObject(requirement('Mining round is past targetClosesAt'));
    canticle.advanceTime({ minutes: 31 });
    const { closedRoundCid } = close();
    expect(world.payload(closedRoundCid)).toMatchObject({
      round: { number: '0' },
      issuancePerValidatorRewardCoupon: '0.2000000000',
    });
    expect(
      answer(() => world.rules('AmuletRules_MiningRound_Archive', { closedRoundCid }, [alice])),
    ).toMatchObject(UNAUTHORIZED);
    expect(world.rules('AmuletRules_MiningRound_Archive', { closedRoundCid }, [dso])).toBe(
      'AmuletRules_MiningRound_ArchiveResult',
    );
  });

  test('have the configuration of the rules, which only the DSO changes', () => {
    const { initialValue: baseConfig } = world.payload(amulet.rules).configSchedule;
    const newConfig = structuredClone(baseConfig);
    newConfig.transferConfig.maxNumInputs = '3';
    const rules = amulet.rules;
    const set = (actor: string) =>
      answer(() =>
        world.exercise(AMULET_RULES, rules, 'AmuletRules_SetConfig', { newConfig, baseConfig }, [
          actor,
        ]),
      ) as any;
    expect(set(alice)).toMatchObject(UNAUTHORIZED);
    const { newAmuletRules } = set(dso);
    expect(amulet.rules).toBe(newAmuletRules);
    for (let round = 0; round < 3; round++) amulet.advanceRounds();
    const coins = Array.from({ length: 4 }, () => amulet.tap(alice, '1.0'));
    expect(
      answer(() => world.transfer({ sender: alice, inputs: coins, outputs: [] })),
    ).toMatchObject(failure('More than the maximum number of inputs'));
    const time = '2027-01-01T00:00:00Z';
    const item = { _1: time, _2: newConfig };
    for (const [change, argument] of [
      ['AddFuture', { newScheduleItem: item }],
      ['RemoveFuture', { scheduleTime: time }],
      ['UpdateFuture', { scheduleItem: item }],
    ] as const) {
      const choice = `AmuletRules_${change}AmuletConfigSchedule`;
      expect(answer(() => world.rules(choice, argument, [dso]))).toMatchObject(
        failure(`Choice "${choice}" is no longer supported since "splice-amulet"-"0.1.12"`),
      );
    }
  });

  test('expire dust after its last usable round, and locked dust after its lock expires', () => {
    const dust = amulet.tap(alice, '0.00002');
    const lock = { holders: [bob], expiresAt: instant(now(10n * MINUTE)), optContext: null };
    const { createdAmulets } = world.transfer({
      sender: alice,
      inputs: [amulet.tap(alice, '9.0')],
      outputs: [{ receiver: alice, amount: '0.00002', lock }],
    });
    const locked = createdAmulets[0].value as string;
    const act = (template: string, id: string, choice: string, actor = dso) =>
      answer(() => world.exercise(template, id, choice, { roundCid: amulet.round }, [actor]));
    const expire = () => act(AMULET, dust, 'Amulet_Expire');
    const expireLocked = () => act(LOCKED_AMULET, locked, 'LockedAmulet_ExpireAmulet');
    expect(act(AMULET, dust, 'Amulet_Expire', alice)).toMatchObject(UNAUTHORIZED);
    expect(expire()).toMatchObject(requirement('Amulet is expired'));
    expect(expireLocked()).toMatchObject(failure('Lock.expiresAt'));
    canticle.advanceTime({ minutes: 11 });
    expect(expireLocked()).toMatchObject(requirement('Amulet is expired'));
    // Two rounds of holding fees, and two more because three rounds are open at once.
    for (let round = 0; round < 4; round++) amulet.advanceRounds();
    const gone = {
      expireSum: { owner: alice, round: { number: '1' } },
      meta: { values: { 'splice.lfdecentralizedtrust.org/burned': '0.00002' } },
    };
    expect(expire()).toMatchObject(gone);
    expect(expireLocked()).toMatchObject(gone);
  });
});
