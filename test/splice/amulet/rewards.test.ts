/** Rewards of mining rounds, their beneficiaries, and expired rewards; validators’ licenses. */
import { instant } from '../../support/splice/amulet-client.js';
import { text, times, units } from '../../support/splice/amulet-fees.js';
import {
  AMULET_DAR,
  failure,
  requirement,
  UNAUTHORIZED,
} from '../../support/splice/amulet-world.js';
import { describeWithDars } from '../../support/foreign-files.js';
import { DAY, dsoWorld, T } from '../../support/splice/dso-world.js';
import { answer } from '../../support/daml/lf-probe.js';

describeWithDars('rewards', [AMULET_DAR], (bytes) => {
  const world = dsoWorld(bytes);
  const { canticle, amulet, participant, dso, alice, bob, app, contracts, now, numbers } = world;

  test('pay the owners of coupons and activity records while the round issues rewards', () => {
    // Alice's burn, her provider's app, and the liveness of her validator.
    world.transfer({
      sender: alice,
      provider: app,
      inputs: [amulet.tap(alice, '100.0')],
      outputs: [{ receiver: bob, amount: '50.0' }],
    });
    const license = participant.create(
      T('ValidatorLicense:ValidatorLicense'),
      {
        validator: app,
        sponsor: dso,
        dso,
        faucetState: null,
        metadata: null,
        lastActiveAt: null,
      },
      { actAs: [dso] },
    );
    const record = (id: string) =>
      answer(() =>
        world.exercise(
          T('ValidatorLicense:ValidatorLicense'),
          id,
          'ValidatorLicense_RecordValidatorLivenessActivity',
          { openRoundCid: amulet.round },
          [app],
        ),
      ) as any;
    const { licenseCid, couponCid: liveness } = record(license);
    expect(record(licenseCid)).toMatchObject(requirement('Not yet received'));
    const right = participant.create(
      T('Amulet:ValidatorRight'),
      { dso, user: alice, validator: app },
      { actAs: [alice, app] },
    );
    const [validatorCoupon] = contracts('Amulet:ValidatorRewardCoupon');
    const [appCoupon] = contracts('Amulet:AppRewardCoupon');
    const inputs = [
      { tag: 'InputValidatorRewardCoupon', value: validatorCoupon!.contractId },
      { tag: 'InputAppRewardCoupon', value: appCoupon!.contractId },
      { tag: 'InputValidatorLivenessActivityRecord', value: liveness },
    ];
    const claim = (context: object, sender = app) =>
      answer(() =>
        // Whose validator it is sees what its user sees.
        world.transfer({ sender, inputs, outputs: [], readAs: [alice] }, context),
      ) as any;
    const rights = { validatorRights: [[alice, right]] };
    expect(claim(rights)).toMatchObject(
      failure('TransferContext did not contain issuing mining round found for Round {number = 1}'),
    );
    amulet.advanceRounds();
    amulet.advanceRounds();
    const issuing = contracts('Round:IssuingMiningRound').find(
      ({ payload }: any) => payload.round.number === '1',
    )!;
    const context = { ...rights, issuingMiningRounds: [[{ number: '1' }, issuing.contractId]] };
    expect(claim(context)).toMatchObject(failure('issuingRound[1].opensAt'));
    canticle.advanceTime({ minutes: 11 });
    expect(claim({ ...context, validatorRights: [] })).toMatchObject(
      failure('TransferContext did contain validator right for user'),
    );
    expect(claim(context, alice)).toMatchObject({ refused: 'DAML_FAILURE' });
    const { summary, meta } = claim(context);
    const fee = units('0.53');
    const perFaucet = units('2.85');
    expect(summary).toMatchObject({
      inputAppRewardAmount: text(times(fee, units('0.6'))),
      inputValidatorRewardAmount: text(times(fee, units('0.2')) + perFaucet),
      inputValidatorFaucetAmount: text(perFaucet),
    });
    expect(meta.values).toMatchObject({
      'amulet.splice.lfdecentralizedtrust.org/app-rewards': '0.318',
    });
  });

  test('expired coupons return their amount to the unclaimed rewards', () => {
    world.transfer({
      sender: alice,
      inputs: [amulet.tap(alice, '100.0')],
      outputs: [{ receiver: bob, amount: '50.0' }],
    });
    const coupons = () =>
      contracts('Amulet:AppRewardCoupon').length + contracts('Amulet:ValidatorRewardCoupon').length;
    expect(coupons()).toBe(2);
    for (let round = 0; round < 6; round++) amulet.advanceRounds();
    expect(coupons()).toBe(0);
    expect([numbers('Open'), numbers('Summarizing'), numbers('Closed')]).toEqual([
      [6, 7, 8],
      [],
      [],
    ]);
    // Each issuing round lasts two ticks after the one that it waits.
    expect(numbers('Issuing')).toEqual([3, 4, 5]);
    const unclaimedRewardCids = contracts('Amulet:UnclaimedReward').map(
      ({ contractId }) => contractId,
    );
    const merge = (cids: string[]) =>
      answer(() =>
        world.rules('AmuletRules_MergeUnclaimedRewards', { unclaimedRewardCids: cids }, [dso]),
      ) as any;
    expect(merge(unclaimedRewardCids.slice(0, 1))).toMatchObject(
      requirement('More than one unclaimed reward contracts'),
    );
    expect(world.payload(merge(unclaimedRewardCids).unclaimedRewardCid)).toBeDefined();
  });

  /** Round 1 issues, and it is time to collect. */
  function issuingRound(): { number: string; id: string; payload: any } {
    amulet.advanceRounds();
    amulet.advanceRounds();
    const { contractId: id, payload } = contracts('Round:IssuingMiningRound').find(
      (round: any) => round.payload.round.number === '1',
    )!;
    canticle.advanceTime({ minutes: 11 });
    return { number: '1', id, payload };
  }
  const round = { number: '1' };
  const create = (template: string, payload: object, ...more: string[]) =>
    participant.create(T(template), { dso, ...payload }, { actAs: [dso, ...more] });
  const collect = (sender: string, tag: string, value: unknown, issuing?: { id: string }) =>
    answer(() =>
      world.transfer(
        { sender, inputs: [{ tag, value }], outputs: [] },
        issuing && { issuingMiningRounds: [[round, issuing.id]] },
      ),
    ) as any;

  test('of super validators depend on the weight, and only the beneficiary receives them', () => {
    const coupon = (weight: string) =>
      create('Amulet:SvRewardCoupon', { sv: app, beneficiary: bob, round, weight });
    const [large, small] = [coupon('30000'), coupon('10000')];
    expect(answer(() => coupon('0'))).toMatchObject(failure('precondition'));
    const issuing = issuingRound();
    expect(collect(app, 'InputSvRewardCoupon', large, issuing)).toMatchObject(
      failure('Contract group identifier mismatch'),
    );
    const each = units(issuing.payload.issuancePerSvRewardCoupon);
    // All of what is for super validators, between 40000 of weight: 80 % of 40 billion a year.
    expect(text(each)).toBe('15.2207001522');
    for (const [id, weight] of [
      [large, 30_000n],
      [small, 10_000n],
    ] as const)
      expect(collect(bob, 'InputSvRewardCoupon', id, issuing)).toMatchObject({
        summary: { inputSvRewardAmount: text(each * weight) },
      });
  });

  test('of an old faucet coupon are still collected', () => {
    const coupon = create('ValidatorLicense:ValidatorFaucetCoupon', { validator: app, round }, app);
    const input = { dummyUnitField: {}, optInputValidatorFaucetCoupon: coupon };
    expect(collect(app, 'ExtTransferInput', input)).toMatchObject(
      failure('TransferContext did not contain issuing mining round'),
    );
    expect(collect(app, 'ExtTransferInput', input, issuingRound())).toMatchObject({
      summary: { inputValidatorFaucetAmount: '2.8500000000' },
    });
  });

  test('of recorded activity are minted before they expire, or become unclaimed rewards', () => {
    const record = () =>
      create('Amulet:UnclaimedActivityRecord', {
        beneficiary: bob,
        amount: '7.5',
        reason: 'a bug found',
        expiresAt: instant(now(DAY)),
      });
    const [taken, left] = [record(), record()];
    const expire = () =>
      answer(() =>
        world.exercise(
          T('Amulet:UnclaimedActivityRecord'),
          left,
          'UnclaimedActivityRecord_DsoExpire',
          {},
          [dso],
        ),
      ) as any;
    expect(collect(bob, 'InputUnclaimedActivityRecord', taken)).toMatchObject({
      summary: { inputUnclaimedActivityRecordAmount: '7.5000000000' },
    });
    expect(expire()).toMatchObject(failure('UnclaimedActivityRecord.expiresAt'));
    canticle.advanceTime({ days: 2 });
    amulet.advanceRounds();
    const { payment: later } = amulet.context();
    expect(
      answer(() =>
        world.transfer(
          {
            sender: bob,
            inputs: [{ tag: 'InputUnclaimedActivityRecord', value: left }],
            outputs: [],
          },
          later.context,
        ),
      ),
    ).toMatchObject(failure('UnclaimedActivityRecord.expiresAt'));
    expect(world.payload(expire().unclaimedRewardCid)).toEqual({ dso, amount: '7.5000000000' });
  });

  test('expire with a closed round only if it is their own round', () => {
    const templates = {
      'Amulet:AppRewardCoupon': { provider: app, featured: true, amount: '2.0', round },
      'Amulet:ValidatorRewardCoupon': { user: alice, amount: '3.0', round },
      'Amulet:SvRewardCoupon': { sv: app, beneficiary: bob, round, weight: '4' },
      'ValidatorLicense:ValidatorFaucetCoupon': { validator: app, round },
      'ValidatorLicense:ValidatorLivenessActivityRecord': { validator: app, round },
    };
    const closed = (number: string) =>
      create('Round:ClosedMiningRound', {
        round: { number },
        issuancePerValidatorRewardCoupon: '0.2',
        issuancePerFeaturedAppRewardCoupon: '100.0',
        issuancePerUnfeaturedAppRewardCoupon: '0.6',
        issuancePerSvRewardCoupon: '0.1',
      });
    const results = Object.entries(templates).map(([template, payload]) => {
      const coupon = create(template, payload, app);
      const expire = (closedRoundCid: string) =>
        answer(() =>
          world.exercise(
            T(template),
            coupon,
            `${template.split(':')[1]}_DsoExpire`,
            { closedRoundCid },
            [dso],
          ),
        );
      expect(expire(closed('2'))).toMatchObject(failure('Contract group identifier mismatch'));
      return expire(closed('1'));
    });
    expect(results).toEqual([
      { featured: true, amount: '2.0000000000' },
      { amount: '3.0000000000' },
      { weight: '4' },
      'ValidatorFaucetCoupon_DsoExpireResult',
      'ValidatorLivenessActivityRecord_DsoExpireResult',
    ]);
  });

  test('for burns require the right of a validator, which either party may end', () => {
    const RIGHT = 'Amulet:ValidatorRight';
    const right = (user = alice) => create(RIGHT, { user, validator: app }, user, app);
    const coupon = create('Amulet:ValidatorRewardCoupon', { user: alice, amount: '3.0', round });
    const archive = (rightCid: string) =>
      answer(() =>
        world.exercise(
          T('Amulet:ValidatorRewardCoupon'),
          coupon,
          'ValidatorRewardCoupon_ArchiveAsValidator',
          { validator: app, rightCid },
          [dso, app],
        ),
      );
    expect(archive(right(bob))).toMatchObject(failure('Contract mismatch'));
    expect(archive(right())).toEqual({});
    const end = (choice: string, actor: string) =>
      answer(() => world.exercise(T(RIGHT), right(), `ValidatorRight_${choice}`, {}, [actor]));
    expect(end('ArchiveAsUser', app)).toMatchObject(UNAUTHORIZED);
    expect(end('ArchiveAsUser', alice)).toBe('ValidatorRight_ArchiveAsUserResult');
    expect(end('ArchiveAsValidator', app)).toBe('ValidatorRight_ArchiveAsValidatorResult');
  });

  describe('a license of a validator', () => {
    const LICENSE = 'ValidatorLicense:ValidatorLicense';
    const license = (more: object = {}) =>
      create(LICENSE, {
        validator: app,
        sponsor: dso,
        faucetState: null,
        metadata: null,
        lastActiveAt: null,
        ...more,
      });
    const act = (id: string, choice: string, argument: object = {}, actor = app) =>
      answer(() =>
        world.exercise(T(LICENSE), id, `ValidatorLicense_${choice}`, argument, [actor]),
      ) as any;
    const metadata = (version: string) => ({ version, contactPoint: 'app@example.com' });

    test('reports its version and its activity, at most once an hour', () => {
      const { licenseCid } = act(license(), 'UpdateMetadata', metadata('1'));
      expect(world.payload(licenseCid)).toMatchObject({ metadata: metadata('1') });
      expect(act(licenseCid, 'UpdateMetadata', metadata('1'))).toMatchObject(
        requirement('Metadata has changed'),
      );
      expect(act(licenseCid, 'UpdateMetadata', metadata('2'))).toMatchObject(
        failure('has passed since the last metadata update'),
      );
      expect(act(licenseCid, 'ReportActive')).toMatchObject(
        failure('has passed since the last activity report'),
      );
      canticle.advanceTime({ hours: 1 });
      const active = act(licenseCid, 'ReportActive').licenseCid;
      expect(world.payload(active)).toMatchObject({ metadata: metadata('1') });
      expect(world.payload(act(active, 'UpdateMetadata', metadata('2')).licenseCid)).toMatchObject({
        metadata: metadata('2'),
      });
      const long = { ...metadata('x'.repeat(256)), lastUpdatedAt: instant(now()) };
      expect(answer(() => license({ metadata: long }))).toMatchObject(failure('precondition'));
    });

    test('is withdrawn by the DSO or cancelled by the validator, and gives no faucet coupon', () => {
      const reason = { reason: 'x' };
      expect(act(license(), 'Withdraw', reason)).toMatchObject(UNAUTHORIZED);
      expect(act(license(), 'Withdraw', reason, dso)).toBe('ValidatorLicense_WithdrawResult');
      expect(act(license(), 'Cancel', reason)).toBe('ValidatorLicense_CancelResult');
      expect(act(license(), 'ReceiveFaucetCoupon', { openRoundCid: amulet.round })).toMatchObject(
        failure('ValidatorLicense_ReceiveFaucetCoupon is deprecated'),
      );
    });
  });
});
