/** What the DSO keeps of Amulet: featured apps, traffic, mining rounds with their rewards, preapprovals. */
import { instant } from '../support/amulet-client.js';
import { over, text, times, units } from '../support/amulet-fees.js';
import {
  AMULET_DAR,
  AMULET_RULES,
  amuletWorld,
  failure,
  describeWithDars,
  requirement,
  rewind,
  UNAUTHORIZED,
} from '../support/amulet-world.js';
import { answer } from '../support/lf-probe.js';

const DAY = 86_400_000_000n;
const TICKS_A_YEAR = 52_560n;
const T = (name: string) => `#splice-amulet:Splice.${name}`;

describeWithDars('the DSO', [AMULET_DAR], (bytes) => {
  const world = amuletWorld(bytes);
  rewind(world);
  const { canticle, dso, alice, bob } = world;
  const { amulet, participant } = canticle;
  const app = participant.allocateParty('app');
  const now = (later = 0n) => canticle.network.clock.now() + later;
  const contracts = (template: string) => participant.activeContracts({ template: T(template) });
  const payloads = (template: string) => contracts(template).map(({ payload }) => payload as any);
  const input = (coin: string) => ({ tag: 'InputAmulet', value: coin });
  const { payment } = amulet.context();

  describe('featured apps', () => {
    const FEATURED = '#splice-api-featured-app-v1:Splice.Api.FeaturedAppRightV1:FeaturedAppRight';
    const mark = (right: string, beneficiaries: object[], actAs = [app]) =>
      answer(() =>
        world.exercise(
          FEATURED,
          right,
          'FeaturedAppRight_CreateActivityMarker',
          { beneficiaries },
          actAs,
        ),
      );
    const share = (beneficiary: string, weight: string) => ({ beneficiary, weight });

    test('mark their activity by the interface, shared as they say', () => {
      const right = amulet.feature(app);
      const { activityMarkerCids } = mark(right, [
        share(alice, '0.25'),
        share(bob, '0.5'),
        share(alice, '0.25'),
      ]) as any;
      expect(activityMarkerCids).toHaveLength(2);
      expect(payloads('Amulet:FeaturedAppActivityMarker')).toEqual(
        expect.arrayContaining(
          [alice, bob].map((beneficiary) => ({
            dso,
            provider: app,
            beneficiary,
            weight: '0.5000000000',
          })),
        ),
      );
      expect(mark(right, [share(alice, '1.0')], [alice])).toMatchObject(UNAUTHORIZED);
      expect(mark(right, [share(alice, '0.5')])).toMatchObject(
        requirement('Beneficiary weights add up to 1.0'),
      );
      expect(mark(right, [share(alice, '1.5'), share(bob, '-0.5')])).toMatchObject(
        requirement('Beneficiary weights are between 0.0 and 1.0'),
      );
      const crowd = Array.from({ length: 21 }, (_, i) =>
        share(participant.allocateParty(`b${i}`), '0.04'),
      );
      expect(mark(right, [...crowd, share(alice, '0.16')])).toMatchObject(
        requirement('There are at most 20 beneficiaries'),
      );
    });

    test('have their markers turned into coupons of the open round, a dollar each', () => {
      const right = amulet.feature(app);
      mark(right, [share(alice, '0.75'), share(bob, '0.25')]);
      mark(right, [share(alice, '1.0')]);
      const markerCids = contracts('Amulet:FeaturedAppActivityMarker').map(
        ({ contractId }) => contractId,
      );
      const convert = (openMiningRoundCid: string, actAs = [dso]) =>
        answer(() =>
          world.rules(
            'AmuletRules_ConvertFeaturedAppActivityMarkers',
            { markerCids, openMiningRoundCid },
            actAs,
          ),
        );
      expect(convert(amulet.round, [app])).toMatchObject(UNAUTHORIZED);
      const [, , future] = contracts('Round:OpenMiningRound');
      expect(convert(future!.contractId)).toMatchObject(failure('mining round is open'));
      expect((convert(amulet.round) as any).appRewardCouponCids).toHaveLength(2);
      expect(
        payloads('Amulet:AppRewardCoupon')
          .map(({ beneficiary, amount, featured }) => [beneficiary, amount, featured])
          .sort(),
      ).toEqual(
        [
          [alice, '1.7500000000', true],
          [bob, '0.2500000000', true],
        ].sort(),
      );
      expect(contracts('Amulet:FeaturedAppActivityMarker')).toEqual([]);
    });

    test('lose the right by the DSO, or give it back', () => {
      const right = T('Amulet:FeaturedAppRight');
      const end = (id: string, choice: string, actor: string) =>
        answer(() =>
          world.exercise(right, id, choice, choice.endsWith('Withdraw') ? { reason: 'x' } : {}, [
            actor,
          ]),
        );
      const [one, two] = [amulet.feature(app), amulet.feature(app)];
      expect(end(one, 'FeaturedAppRight_Withdraw', app)).toMatchObject(UNAUTHORIZED);
      // A constructor without fields is told by its name (S-ENC-008).
      expect(end(one, 'FeaturedAppRight_Withdraw', dso)).toBe('FeaturedAppRight_WithdrawResult');
      expect(end(two, 'FeaturedAppRight_Cancel', dso)).toMatchObject(UNAUTHORIZED);
      expect(end(two, 'FeaturedAppRight_Cancel', app)).toBe('FeaturedAppRight_CancelResult');
      // A right of someone else earns nothing.
      const context = { featuredAppRight: amulet.feature(bob) };
      const send = {
        sender: alice,
        provider: app,
        inputs: [amulet.tap(alice, '9.0')],
        outputs: [],
      };
      expect(answer(() => world.transfer(send, context))).toMatchObject(
        failure('Contract mismatch: expected FeaturedAppRight'),
      );
    });
  });

  describe('member traffic', () => {
    const synchronizerId = canticle.network.synchronizers[0]!.id;
    const buy = (trafficAmount: string, more: object = {}, coin = amulet.tap(alice, '100.0')) =>
      answer(() =>
        world.rules(
          'AmuletRules_BuyMemberTraffic',
          {
            inputs: [input(coin)],
            context: payment.context,
            provider: alice,
            memberId: 'PAR::sandbox::1220',
            synchronizerId,
            migrationId: '0',
            trafficAmount,
            expectedDso: dso,
            ...more,
          },
          [alice],
        ),
      ) as any;

    test('is paid by what is burnt: so many dollars a megabyte', () => {
      const { amuletPaid, purchasedTraffic, senderChangeAmulet, meta } = buy('1500000');
      // 1.5 MB at 16.67 dollars.
      expect(amuletPaid).toBe('25.0050000000');
      expect(world.payload(purchasedTraffic)).toEqual({
        dso,
        memberId: 'PAR::sandbox::1220',
        synchronizerId,
        migrationId: '0',
        totalPurchased: '1500000',
        numPurchases: '1',
        amuletSpent: '25.0050000000',
        usdSpent: '25.0050000000',
      });
      expect(meta.values).toEqual({
        'splice.lfdecentralizedtrust.org/tx-kind': 'burn',
        'splice.lfdecentralizedtrust.org/reason': 'traffic purchase',
        'splice.lfdecentralizedtrust.org/burned': '25.035',
      });
      // The create fee of the part to burn is a part of the price; the change has one of its own.
      expect(world.payload(senderChangeAmulet).amount.initialAmount).toBe('74.9650000000');
      expect(payloads('Amulet:ValidatorRewardCoupon').at(-1)).toMatchObject({
        user: alice,
        amount: '25.0050000000',
      });
    });

    test('is sold for a known synchronizer, in the amount that is worth it, to whom can pay', () => {
      expect(buy('199999')).toMatchObject(
        failure(
          'ITR_InsufficientTopupAmount {requestedTopupAmount = 199999, minTopupAmount = 200000}',
        ),
      );
      expect(buy('200000', { synchronizerId: 'other::1220' })).toMatchObject(
        failure('ITR_UnknownSynchronizer {synchronizerId = "other::1220"}'),
      );
      expect(buy('200000', {}, amulet.tap(alice, '1.0'))).toMatchObject(
        failure('ITR_InsufficientFunds'),
      );
      expect(buy('200000', { provider: bob })).toMatchObject(UNAUTHORIZED);
    });

    test('is merged by the DSO where it is of one member', () => {
      const traffic = ['200000', '300000'].map((amount) => buy(amount).purchasedTraffic);
      const other = buy('200000', { memberId: 'PAR::other::1220' }).purchasedTraffic;
      const merge = (trafficCids: string[], actor = dso) =>
        answer(() =>
          world.rules('AmuletRules_MergeMemberTrafficContracts', { trafficCids }, [actor]),
        ) as any;
      expect(merge([...traffic, other])).toMatchObject(
        failure('Contract group identifier mismatch'),
      );
      expect(merge(traffic, alice)).toMatchObject(UNAUTHORIZED);
      expect(world.payload(merge(traffic).mergedTrafficCid)).toMatchObject({
        totalPurchased: '500000',
        numPurchases: '2',
      });
    });
  });

  describe('preapprovals', () => {
    const PREAPPROVAL = T('AmuletRules:TransferPreapproval');
    const create = (days: bigint, coin = amulet.tap(bob, '10.0'), actAs = [bob]) =>
      answer(() =>
        world.rules(
          'AmuletRules_CreateTransferPreapproval',
          {
            context: payment,
            inputs: [input(coin)],
            receiver: bob,
            provider: bob,
            expiresAt: instant(now(days * DAY)),
            expectedDso: dso,
          },
          actAs,
        ),
      ) as any;
    const exercise = (id: string, choice: string, argument: object, actor: string) =>
      answer(() => world.exercise(PREAPPROVAL, id, choice, argument, [actor])) as any;

    test('cost a dollar a year, day by day', () => {
      const { transferPreapprovalCid, amuletPaid, meta } = create(90n);
      expect(amuletPaid).toBe(text(times(units('90.0'), units('0.00274'))));
      expect(meta.values['splice.lfdecentralizedtrust.org/reason']).toBe(
        'create TransferPreapproval',
      );
      expect(participant.contract(transferPreapprovalCid)).toMatchObject({
        payload: { receiver: bob, provider: bob },
        signatories: [bob, dso].sort(),
      });
      expect(create(-1n)).toMatchObject(requirement('expiresAt is not in the past'));
      expect(create(90n, amulet.tap(bob, '0.1'))).toMatchObject(failure('ITR_InsufficientFunds'));
      expect(create(90n, amulet.tap(bob, '9.0'), [alice])).toMatchObject(UNAUTHORIZED);
    });

    test('let anyone send until they expire', () => {
      const { transferPreapprovalCid: id } = create(1n);
      const send = (actor = alice) =>
        exercise(
          id,
          'TransferPreapproval_Send',
          {
            context: payment,
            inputs: [input(amulet.tap(alice, '50.0'))],
            amount: '20.0',
            sender: alice,
            description: 'rent',
          },
          actor,
        );
      const before = canticle.snapshot();
      expect(send().meta.values).toMatchObject({
        'splice.lfdecentralizedtrust.org/reason': 'rent',
        'splice.lfdecentralizedtrust.org/tx-kind': 'transfer',
      });
      canticle.revert(before);
      // The receiver's consent is in the contract; the sender's is not.
      expect(
        answer(() =>
          world.exercise(
            PREAPPROVAL,
            id,
            'TransferPreapproval_Send',
            { context: payment, inputs: [], amount: '20.0', sender: alice, description: null },
            [bob],
          ),
        ),
      ).toMatchObject(UNAUTHORIZED);
      expect(exercise(id, 'TransferPreapproval_Expire', {}, dso)).toMatchObject(
        requirement('Contract has expired'),
      );
      canticle.advanceTime({ days: 2 });
      expect(
        answer(() =>
          amulet.transfer({
            from: alice,
            to: bob,
            amount: '20.0',
            inputs: [amulet.tap(alice, '50.0')],
          }),
        ),
      ).toMatchObject(failure('TransferPreapproval.expiresAt'));
      expect(exercise(id, 'TransferPreapproval_Expire', {}, bob)).toMatchObject(UNAUTHORIZED);
      expect(exercise(id, 'TransferPreapproval_Expire', {}, dso)).toEqual({});
    });

    test('are renewed by the provider in time, and cancelled by either', () => {
      const { transferPreapprovalCid: id } = create(2n);
      const { expiresAt } = world.payload(id);
      const renew = (newExpiresAt: string) =>
        exercise(
          id,
          'TransferPreapproval_Renew',
          { context: payment, inputs: [input(amulet.tap(bob, '10.0'))], newExpiresAt },
          bob,
        );
      expect(renew(expiresAt)).toMatchObject(requirement('newExpiresAt is after expiresAt'));
      const before = canticle.snapshot();
      const later = instant(now(5n * DAY));
      const renewed = renew(later);
      expect(world.payload(renewed.transferPreapprovalCid)).toMatchObject({
        expiresAt: later,
        receiver: bob,
      });
      expect(world.payload(id)).toBeUndefined();
      canticle.revert(before);
      canticle.advanceTime({ days: 3 });
      expect(renew(later)).toMatchObject(requirement('Contract is not expired'));
      expect(exercise(id, 'TransferPreapproval_Cancel', { p: bob }, bob)).toMatchObject(
        failure('TransferPreapproval.expiresAt'),
      );
      canticle.revert(before);
      expect(exercise(id, 'TransferPreapproval_Cancel', { p: dso }, dso)).toMatchObject(
        failure('is either receiver or provider'),
      );
      expect(exercise(id, 'TransferPreapproval_Cancel', { p: bob }, bob)).toBe(
        'TransferPreapproval_CancelResult',
      );
    });

    test('for external parties are proposed, and accepted, rejected or withdrawn', () => {
      const PROPOSAL = T('AmuletRules:ExternalPartySetupProposal');
      const propose = () =>
        world.rules(
          'AmuletRules_CreateExternalPartySetupProposal',
          {
            context: payment,
            inputs: [input(amulet.tap(app, '10.0'))],
            user: alice,
            validator: app,
            preapprovalExpiresAt: instant(now(30n * DAY)),
            expectedDso: dso,
          },
          [app],
        ).proposalCid as string;
      const answerIt = (
        id: string,
        choice: string,
        actor: string,
        argument: object = { reason: 'no' },
      ) =>
        answer(() =>
          world.exercise(PROPOSAL, id, `ExternalPartySetupProposal_${choice}`, argument, [actor]),
        ) as any;
      const [one, two, three] = [propose(), propose(), propose()];
      expect(answerIt(one, 'Accept', app, {})).toMatchObject(UNAUTHORIZED);
      const accepted = answerIt(one, 'Accept', alice, {});
      expect(world.payload(accepted.validatorRightCid)).toEqual({
        dso,
        user: alice,
        validator: app,
      });
      expect(answerIt(two, 'Reject', app)).toMatchObject(UNAUTHORIZED);
      expect(answerIt(two, 'Reject', alice)).toEqual({ dummyArg: {} });
      canticle.advanceTime({ days: 31 });
      expect(answerIt(three, 'Accept', alice, {})).toMatchObject(failure('preapprovalExpiresAt'));
      expect(answerIt(three, 'Withdraw', app)).toEqual({ dummyArg: {} });
    });
  });

  describe('mining rounds', () => {
    const numbers = (kind: string) =>
      payloads(`Round:${kind}MiningRound`).map(({ round }) => Number(round.number));
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

    test('are summarized, issue what the curve gives, and close', () => {
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
        answer(() =>
          world.rules('AmuletRules_MiningRound_Close', { issuingRoundCid }, [dso]),
        ) as any;
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

    test('pay for coupons and activity while they issue, to whom they belong', () => {
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
        failure(
          'TransferContext did not contain issuing mining round found for Round {number = 1}',
        ),
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

    test('expire what nobody collected, to the good of all', () => {
      world.transfer({
        sender: alice,
        inputs: [amulet.tap(alice, '100.0')],
        outputs: [{ receiver: bob, amount: '50.0' }],
      });
      const coupons = () =>
        contracts('Amulet:AppRewardCoupon').length +
        contracts('Amulet:ValidatorRewardCoupon').length;
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

    test('take their configuration from the rules, which the DSO alone changes', () => {
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
      const deprecated = [
        'AmuletRules_AddFutureAmuletConfigSchedule',
        { newScheduleItem: { _1: '2027-01-01T00:00:00Z', _2: newConfig } },
      ] as const;
      expect(answer(() => world.rules(deprecated[0], deprecated[1], [dso]))).toMatchObject(
        failure('is no longer supported since'),
      );
    });
  });

  test('transfer commands are sent by their delegate in order of their nonces', () => {
    const RULES = T('ExternalPartyAmuletRules:ExternalPartyAmuletRules');
    const COMMAND = T('ExternalPartyAmuletRules:TransferCommand');
    const delegate = participant.allocateParty('delegate');
    amulet.preapprove(bob, { provider: app });
    const preapproval = contracts('AmuletRules:TransferPreapproval').at(-1)!.contractId;
    const counter = participant.create(
      T('ExternalPartyAmuletRules:TransferCommandCounter'),
      { dso, sender: alice, nextNonce: '0' },
      { actAs: [dso] },
    );
    const command = (nonce: string, amount = '10.0') =>
      world.exercise(
        RULES,
        amulet.factory,
        'ExternalPartyAmuletRules_CreateTransferCommand',
        {
          sender: alice,
          receiver: bob,
          delegate,
          amount,
          expiresAt: instant(now(200n * DAY)),
          nonce,
          description: 'by command',
          expectedDso: dso,
        },
        [alice],
      ).transferCommandCid as string;
    const send = (cid: string, transferCounterCid: string, context: object = payment) =>
      answer(
        () =>
          // The delegate of the network sees what the DSO sees.
          participant.exercise(
            COMMAND,
            cid,
            'TransferCommand_Send',
            {
              context,
              inputs: [input(amulet.tap(alice, '100.0'))],
              transferPreapprovalCidO: preapproval,
              transferCounterCid,
            },
            { actAs: [delegate], readAs: [dso, alice] },
          ).result,
      ) as any;
    expect(send(command('1'), counter)).toMatchObject(
      failure('Expected nonce 1 is bigger than current counter 0'),
    );
    // What fails once it has consumed its inputs cannot be caught since protocol version 35: effects are not rolled back.
    expect(send(command('0', '500.0'), counter)).toMatchObject({
      refused: 'DAML_EFFECTFUL_ROLLBACK_ERROR',
    });
    expect(send(command('0'), counter).result).toMatchObject({
      tag: 'TransferCommandResultSuccess',
    });
    const next = contracts('ExternalPartyAmuletRules:TransferCommandCounter').at(-1)!;
    expect(next.payload).toMatchObject({ nextNonce: '1' });
    expect(send(command('0'), next.contractId).result).toMatchObject({
      tag: 'TransferCommandResultFailure',
    });
    // Nor is a deadline caught, which is no exception. What fails before any effect is: the nonce is spent.
    const context = { ...payment.context, featuredAppRight: amulet.feature(delegate) };
    const failed = send(command('1'), next.contractId, { ...payment, context });
    expect(failed.result).toMatchObject({
      tag: 'TransferCommandResultFailure',
      value: { reason: { tag: 'ITR_Other' } },
    });
    expect(failed.result.value.reason.value.description).toContain(
      'Contract mismatch: expected FeaturedAppRight',
    );
    expect(payloads('ExternalPartyAmuletRules:TransferCommandCounter')).toMatchObject([
      { nextNonce: '2' },
    ]);
    canticle.advanceTime({ days: 100 });
    const last = contracts('ExternalPartyAmuletRules:TransferCommandCounter').at(-1)!;
    expect(send(command('2'), last.contractId)).toMatchObject(
      failure('TransferPreapproval.expiresAt'),
    );
    const withdraw = (actor: string) =>
      answer(() => world.exercise(COMMAND, command('2'), 'TransferCommand_Withdraw', {}, [actor]));
    expect(withdraw(delegate)).toMatchObject(UNAUTHORIZED);
    expect(withdraw(alice)).toEqual({ sender: alice, nonce: '2' });
  });
});
