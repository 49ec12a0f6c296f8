/** Traffic that a wallet buys, coupons of the development fund, and minting for others. */
import { describeWithDars } from '../../support/foreign-files.js';
import { instant } from '../../support/splice/amulet-client.js';
import { WALLET_APP_DARS, walletApp } from '../../support/splice/wallet-app.js';

const HOUR = 3_600_000_000;
const RULES = '#splice-amulet:Splice.AmuletRules:AmuletRules';

describeWithDars('a wallet', WALLET_APP_DARS, (...dars) => {
  const { canticle, participant, dso, alice, bob, operator, automation } = walletApp(dars);
  const now = (later = 0) => Number(canticle.network.clock.now()) + later;

  describe('buys traffic', () => {
    const path = '/v0/wallet/buy-traffic-requests';
    const order = (more: object = {}) => ({
      receiving_validator_party_id: operator.party,
      domain_id: canticle.network.synchronizers[0]!.id,
      traffic_amount: 200_000,
      tracking_id: 'more',
      expires_at: now(HOUR),
      ...more,
    });
    const status = (id = 'more') => alice.post(`${path}/${id}/status`);
    const refusal = async (more: object) => {
      const { status: code, body } = await alice.request('POST', path, order(more));
      return [code, body.error];
    };

    it('for a participant, when the task runs', async () => {
      const { request_contract_id: id } = await alice.post(path, order());
      expect(participant.contract(id)!.payload).toMatchObject({
        memberId: `PAR::${participant.id}`,
        trafficAmount: '200000',
        endUserParty: alice.party,
      });
      expect(await status()).toEqual({ status: 'created' });
      expect(await refusal({})).toEqual([409, 'CreateBuyTrafficRequest duplicate command']);
      await alice.post('/v0/wallet/tap', { amount: '10' });
      automation.resume('CompleteBuyTrafficRequest');
      expect(await status()).toMatchObject({ status: 'completed' });
      // 16.67 dollars a megabyte, at 0.005 for an amulet.
      expect(await alice.balance()).toBe('1333.2000000000');
      const { items } = await alice.post('/v0/wallet/transactions', { page_size: 1 });
      expect(items[0]).toMatchObject({
        transaction_subtype: { choice: 'AmuletRules_BuyMemberTraffic' },
        sender: { party: alice.party, amount: '-666.8000000000' },
        receivers: [],
      });
    });

    it('but reports the reason of a rejection', async () => {
      automation.resume('CompleteBuyTrafficRequest');
      const rejection = async (tracking_id: string, more: object = {}) => {
        await alice.post(path, order({ tracking_id, ...more }));
        return status(tracking_id);
      };
      expect(await rejection('dear')).toEqual({
        status: 'failed',
        failure_reason: 'rejected',
        rejection_reason: 'out of funds (missing 666.8 CC)',
      });
      expect(await rejection('little', { traffic_amount: 100_000 })).toMatchObject({
        rejection_reason:
          'not enough traffic requested (trafficAmount 100000 < minTopupAmount 200000)',
      });
      automation.pause('CompleteBuyTrafficRequest');
      automation.resume('ExpireBuyTrafficRequests');
      await alice.post(path, order({ tracking_id: 'late' }));
      canticle.advanceTime({ minutes: 61 });
      expect(await status('late')).toMatchObject({ failure_reason: 'expired' });
      const [, text] = await refusal({ traffic_amount: 0, tracking_id: 'none' });
      expect(text).toBe('trafficAmount must be positive');
      const stranger = `stranger::1220${'00'.repeat(32)}`;
      expect(
        await refusal({ receiving_validator_party_id: stranger, tracking_id: 'none' }),
      ).toEqual([
        400,
        `Could not find participant hosting ${stranger} on domain ${order().domain_id}`,
      ]);
      expect(await refusal({ domain_id: 'nowhere', tracking_id: 'none' })).toEqual([
        400,
        expect.stringMatching(/^Failed to decode: /),
      ]);
      expect((await alice.request('POST', `${path}/none/status`)).status).toBe(404);
    });
  });

  describe('manages the development fund', () => {
    const path = '/v0/wallet/development-fund-coupons';
    const allocation = (more: object = {}) => ({
      ...{ beneficiary: bob.party, amount: '30.0', expiresAt: now(HOUR), reason: 'docs' },
      ...more,
    });
    const appoint = (party: string) => {
      const { rules } = canticle.amulet;
      const { initialValue } = (participant.contract(rules)!.payload as any).configSchedule;
      participant.exercise(
        RULES,
        rules,
        'AmuletRules_SetConfig',
        {
          baseConfig: initialValue,
          newConfig: { ...initialValue, optDevelopmentFundManager: party },
        },
        { actAs: [dso] },
      );
    };
    const unclaimed = (amount: string) =>
      participant.create(
        '#splice-amulet:Splice.Amulet:UnclaimedDevelopmentFundCoupon',
        { dso, amount },
        { actAs: [dso] },
      );
    const refusal = async (of: typeof alice) => {
      const { status, body } = await of.request('POST', `${path}/allocate`, allocation());
      return [status, body.error];
    };

    it('if its party is the manager', async () => {
      expect(await refusal(alice)).toEqual([
        400,
        'Development fund manager has not been configured.',
      ]);
      appoint(alice.party);
      expect(await refusal(bob)).toEqual([
        400,
        `Invalid fund manager: expected '${alice.party}', but the submitter was '${bob.party}'.`,
      ]);
      expect((await refusal(alice))[1]).toMatch(/insufficient to cover the amount requested/);
    });

    it('lists the entries that expire first at the top', async () => {
      appoint(alice.party);
      for (const amount of ['30.0', '30.0', '30.0']) unclaimed(amount);
      for (const hours of [3, 1, 2])
        await alice.post(
          `${path}/allocate`,
          allocation({ expiresAt: now(hours * HOUR), reason: `in ${hours} h` }),
        );
      const { active_development_fund_coupons: active } = await alice.get(path);
      expect(active.map((each: any) => each.payload.reason)).toEqual([
        'in 1 h',
        'in 2 h',
        'in 3 h',
      ]);
    });

    it('allocates a coupon, withdraws it, and lists its history', async () => {
      appoint(alice.party);
      for (const amount of ['10.0', '25.0', '20.0', '40.0']) unclaimed(amount);
      const request = allocation();
      const made = await alice.post(`${path}/allocate`, request);
      expect(await alice.post(`${path}/allocate`, request)).toEqual(made);
      const { development_fund_coupon_contract_id: id } = made;
      expect(made.unclaimed_development_fund_coupon_contract_id).toMatch(/^00/);
      for (const each of [alice, bob]) {
        const { active_development_fund_coupons: active } = await each.get(path);
        expect(active).toMatchObject([{ contract_id: id, payload: { amount: '30.0' } }]);
      }
      const withdraw = (of: typeof alice) =>
        of.request('POST', `${path}/${id}/withdraw`, { reason: 'too early' });
      expect(await withdraw(bob)).toMatchObject({ status: 400 });
      expect(await withdraw(alice)).toMatchObject({ status: 200 });
      expect(await withdraw(alice)).toMatchObject({ status: 404 });
      // The beneficiary mints the next one.
      await alice.post(`${path}/allocate`, allocation({ reason: 'code' }));
      automation.resume('CollectRewardsAndMergeAmulets');
      canticle.advanceTime({ minutes: 5 });
      expect(await bob.balance()).toBe('30.0000000000');
      const past = await alice.get(`${path}/history?limit=10`);
      expect(past.development_fund_coupon_history).toMatchObject([
        { reason: 'code', status: 'claimed', rejection_or_withdrawal_reason: null },
        { reason: 'docs', status: 'withdrawn', rejection_or_withdrawal_reason: 'too early' },
      ]);
      const first = await alice.get(`${path}/history?limit=1`);
      const { next_page_token: token } = first;
      const rest = await alice.get(`${path}/history?limit=10&after=${token}`);
      expect(rest.development_fund_coupon_history).toMatchObject([{ reason: 'docs' }]);
      for (const limit of [0, 1001])
        expect(await alice.request('GET', `${path}/history?limit=${limit}`)).toMatchObject({
          status: 400,
        });
    });
  });

  it('mints for other parties, until the delegation ends', async () => {
    const proposals = '/v0/wallet/minting-delegation-proposals';
    const delegations = '/v0/wallet/minting-delegations';
    const propose = () =>
      participant.create(
        '#splice-wallet:Splice.Wallet.MintingDelegation:MintingDelegationProposal',
        {
          delegation: {
            ...{ beneficiary: bob.party, delegate: alice.party, dso },
            expiresAt: instant(BigInt(now(HOUR))),
            amuletMergeLimit: '10',
          },
        },
        { actAs: [bob.party] },
      );
    const [first, second, third] = [propose(), propose(), propose()];
    const page = await alice.get(`${proposals}?limit=2`);
    const idsIn = (list: any[]) => list.map(({ contract }) => contract.contract_id);
    expect(idsIn(page.proposals)).toEqual([first, second]);
    expect(page.proposals[0].beneficiary_hosted).toBe(false);
    const rest = await alice.get(`${proposals}?after=${page.next_page_token}`);
    expect(idsIn(rest.proposals)).toEqual([third]);
    for (const limit of [0, 1001])
      expect(await alice.request('GET', `${proposals}?limit=${limit}`)).toMatchObject({
        status: 400,
      });
    const accepted = await alice.post(`${proposals}/${first}/accept`);
    const again = await alice.post(`${proposals}/${second}/accept`);
    expect(again).not.toEqual(accepted);
    expect(idsIn((await alice.get(delegations)).delegations)).toEqual([again.contract_id]);
    expect((await alice.request('POST', `${proposals}/${third}/reject`)).status).toBe(200);
    expect((await alice.request('POST', `${proposals}/${third}/accept`)).status).toBe(404);
    expect((await bob.request('POST', `${delegations}/${again.contract_id}/reject`)).status).toBe(
      404,
    );
    propose();
    automation.resume('ExpireMintingDelegation', 'ExpireMintingDelegationProposal');
    canticle.advanceTime({ minutes: 61 });
    expect((await alice.get(delegations)).delegations).toEqual([]);
    expect((await alice.get(proposals)).proposals).toEqual([]);
  });

  it('merges its amulets into one every five minutes', async () => {
    const amulets = async () => (await alice.get('/v0/wallet/amulets')).amulets.length;
    for (const amount of ['1', '2', '3']) await alice.post('/v0/wallet/tap', { amount });
    automation.resume('CollectRewardsAndMergeAmulets');
    expect(await amulets()).toBe(3);
    canticle.advanceTime({ minutes: 5 });
    expect([await amulets(), await alice.balance()]).toEqual([1, '1200.0000000000']);
    const { items } = await alice.post('/v0/wallet/transactions', { page_size: 1 });
    expect(items[0]).toMatchObject({
      transaction_subtype: { choice: 'WalletAppInstall_ExecuteBatch' },
      sender: { party: alice.party, amount: '0.0000000000' },
      receivers: [],
    });
  });
});
