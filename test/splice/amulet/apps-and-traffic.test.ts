/** Featured apps with their activity markers, and the traffic that members buy. */
import {
  AMULET_DAR,
  failure,
  requirement,
  UNAUTHORIZED,
} from '../../support/splice/amulet-world.js';
import { describeWithDars } from '../../support/foreign-files.js';
import { T, inputAmulet, dsoWorld } from '../../support/splice/dso-world.js';
import { answer } from '../../support/daml/lf-probe.js';

describeWithDars('the DSO knows', [AMULET_DAR], (bytes) => {
  const world = dsoWorld(bytes);
  const { canticle, amulet, participant, dso, alice, bob, app, contracts, payloads, payment } =
    world;

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

    test('create activity markers by the interface, shared by the weights', () => {
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

    test('get a coupon of the open round for their markers, a dollar each', () => {
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

    test('lose the right if the DSO withdraws it or they cancel it', () => {
      const right = T('Amulet:FeaturedAppRight');
      const end = (id: string, choice: string, actor: string) =>
        answer(() =>
          world.exercise(right, id, choice, choice.endsWith('Withdraw') ? { reason: 'x' } : {}, [
            actor,
          ]),
        );
      const [one, two] = [amulet.feature(app), amulet.feature(app)];
      expect(end(one, 'FeaturedAppRight_Withdraw', app)).toMatchObject(UNAUTHORIZED);
      // A constructor without fields appears as its name (S-ENC-008).
      expect(end(one, 'FeaturedAppRight_Withdraw', dso)).toBe('FeaturedAppRight_WithdrawResult');
      expect(end(two, 'FeaturedAppRight_Cancel', dso)).toMatchObject(UNAUTHORIZED);
      expect(end(two, 'FeaturedAppRight_Cancel', app)).toBe('FeaturedAppRight_CancelResult');
      // Another party's right earns no reward.
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
            inputs: [inputAmulet(coin)],
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

    test('burns amulets at a price in dollars for each megabyte', () => {
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
      // The price includes the create fee of the burnt part; the change has a separate fee.
      expect(world.payload(senderChangeAmulet).amount.initialAmount).toBe('74.9650000000');
      expect(payloads('Amulet:ValidatorRewardCoupon').at(-1)).toMatchObject({
        user: alice,
        amount: '25.0050000000',
      });
    });

    test('is sold for a known synchronizer, above the minimum amount, to a buyer with enough funds', () => {
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

    test('is merged for one member by the DSO', () => {
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
});
