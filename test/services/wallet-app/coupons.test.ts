/** The coupons that a wallet can mint, and the featured apps. */
import { describeWithDars } from '../../support/foreign-files.js';
import { WALLET_APP_DARS, walletApp } from '../../support/splice/wallet-app.js';

const A = (name: string) => `#splice-amulet:Splice.${name}`;

describeWithDars('the coupons of a wallet', WALLET_APP_DARS, (...dars) => {
  const { canticle, participant, dso, alice, bob, operator, automation } = walletApp(dars);
  const round = { number: '0' };
  const give = (template: string, payload: object) =>
    participant.create(A(template), { dso, round, ...payload }, { actAs: [dso] });
  const listed = async (of: typeof alice, path: string) => {
    const [list] = Object.values(await of.get(`/v0/wallet/${path}`)) as any[][];
    return list!.map(({ contract_id: id }) => id);
  };

  it('are listed for the party that may mint them', async () => {
    const app = { provider: alice.party, featured: false, amount: '1.0' };
    const own = give('Amulet:AppRewardCoupon', { ...app, beneficiary: null });
    const others = give('Amulet:AppRewardCoupon', { ...app, beneficiary: bob.party });
    expect(await listed(alice, 'app-reward-coupons')).toEqual([own]);
    expect(await listed(bob, 'app-reward-coupons')).toEqual([others]);
    // For the use of a validator, they are the validator's.
    const use = give('Amulet:ValidatorRewardCoupon', { user: alice.party, amount: '1.0' });
    expect(await listed(alice, 'validator-reward-coupons')).toEqual([]);
    expect(await listed(operator, 'validator-reward-coupons')).toEqual([use]);
    const validator = operator.party;
    const alive = give('ValidatorLicense:ValidatorLivenessActivityRecord', { validator });
    expect(await listed(operator, 'validator-liveness-activity-records')).toEqual([alive]);
    const sv = { sv: dso, beneficiary: bob.party, weight: '1' };
    const coupon = give('Amulet:SvRewardCoupon', sv);
    expect(await listed(bob, 'sv-reward-coupons')).toEqual([coupon]);
    expect(await listed(operator, 'validator-faucet-coupons')).toEqual([]);
  });

  it('are minted with the next operation of the wallet, after their round issues rewards', async () => {
    const tap = (amount: string) => operator.post('/v0/wallet/tap', { amount });
    await tap('1');
    give('Amulet:ValidatorRewardCoupon', { user: alice.party, amount: '100.0' });
    give('Amulet:SvRewardCoupon', { sv: dso, beneficiary: operator.party, weight: '1' });
    canticle.amulet.advanceRounds();
    canticle.advanceTime({ minutes: 11 });
    const request = participant.create(
      '#splice-wallet-payments:Splice.Wallet.Payment:AppPaymentRequest',
      {
        sender: operator.party,
        receiverAmounts: [{ receiver: bob.party, amount: { amount: '1.0', unit: 'AmuletUnit' } }],
        provider: bob.party,
        dso,
        expiresAt: '2100-01-01T00:00:00Z',
        description: '',
      },
      { actAs: [operator.party, bob.party] },
    );
    await operator.post(`/v0/wallet/app-payment-requests/${request}/accept`);
    for (const path of ['validator-reward-coupons', 'sv-reward-coupons'])
      expect(await listed(operator, path)).toEqual([]);
    const { amulets } = await operator.get('/v0/wallet/amulets');
    expect(amulets).toHaveLength(1);
    expect(Number(amulets[0].effective_amount)).toBeGreaterThan(500_000);
  });

  it('for traffic are minted by the beneficiary, or by the provider if there is no beneficiary', async () => {
    const coupon = (amount: string, beneficiary: string | null) =>
      give('Amulet:RewardCouponV2', {
        ...{ provider: alice.party, beneficiary, amount },
        ...{ expiresAt: '2026-01-02T00:00:00Z', providerIsObserver: true },
      });
    coupon('100.0', null);
    coupon('30.0', bob.party);
    automation.resume('CollectRewardsAndMergeAmulets');
    canticle.advanceTime({ minutes: 5 });
    expect([await alice.balance(), await bob.balance()]).toEqual([
      '100.0000000000',
      '30.0000000000',
    ]);
  });

  it('each request grants one more right of a featured app, and each cancellation ends one', async () => {
    const grant = () => alice.post('/v0/wallet/self-grant-feature-app-right');
    const cancel = () => alice.request('DELETE', '/v0/wallet/cancel-featured-app-rights');
    const isFeatured = async () =>
      (await alice.get('/v0/wallet/user-status')).has_featured_app_right;
    const first = await grant();
    expect(await alice.post('/v0/wallet/self-grant-feature-app-right', {})).not.toEqual(first);
    expect((await cancel()).status).toBe(200);
    expect(await isFeatured()).toBe(true);
    expect((await cancel()).status).toBe(200);
    expect(await isFeatured()).toBe(false);
    expect((await cancel()).status).toBe(200);
  });
});
