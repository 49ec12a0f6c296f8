/** Payments to apps and subscriptions, through a wallet's API. The tests of Splice's code check their results on the ledger. */
import { describeWithDars } from '../../support/foreign-files.js';
import { instant } from '../../support/splice/amulet-client.js';
import { WALLET_APP_DARS, walletApp } from '../../support/splice/wallet-app.js';

const P = (name: string) => `#splice-wallet-payments:Splice.Wallet.${name}`;
const HOUR = 3_600_000_000n;

describeWithDars('a wallet pays', WALLET_APP_DARS, (...dars) => {
  const { canticle, participant, dso, alice, bob, automation } = walletApp(dars);
  const all = { actAs: [alice.party, bob.party] };
  const now = (later: bigint) => instant(canticle.network.clock.now() + later);
  const history = async (of: typeof alice) =>
    (await of.post('/v0/wallet/transactions', { page_size: 10 })).items as any[];
  /** The context that the collector of a payment passes. */
  const context = () => {
    const { amuletRules, context: rounds } = canticle.amulet.context().payment as any;
    return { amuletRules, openMiningRound: rounds.openMiningRound, featuredAppRight: null };
  };
  const fund = () => alice.post('/v0/wallet/tap', { amount: '1' });

  describe('an app', () => {
    const request = (amount = '12.0') =>
      participant.create(
        P('Payment:AppPaymentRequest'),
        {
          sender: alice.party,
          receiverAmounts: [{ receiver: bob.party, amount: { amount, unit: 'AmuletUnit' } }],
          provider: bob.party,
          dso,
          expiresAt: now(HOUR),
          description: 'a song',
        },
        all,
      );
    const path = (id: string) => `/v0/wallet/app-payment-requests/${id}`;

    it('requests a payment, which is accepted once', async () => {
      await fund();
      const id = request();
      const { payment_requests: requests } = await alice.get('/v0/wallet/app-payment-requests');
      expect(requests).toMatchObject([{ contract: { contract_id: id }, domain_id: /./ }]);
      expect(await alice.get(path(id))).toEqual(requests[0]);
      expect((await bob.get('/v0/wallet/app-payment-requests')).payment_requests).toEqual([]);
      const accepted = await alice.post(`${path(id)}/accept`);
      // Nothing is asked of the ledger again.
      expect(await alice.post(`${path(id)}/accept`)).toEqual(accepted);
      expect(await alice.get('/v0/wallet/balance')).toMatchObject({
        effective_unlocked_qty: '188.0000000000',
        effective_locked_qty: '12.0000000000',
      });
      const { accepted_app_payments: payments } = await alice.get(
        '/v0/wallet/accepted-app-payments',
      );
      expect(payments[0].contract.contract_id).toBe(accepted.accepted_payment_contract_id);
      expect(await alice.request('GET', path(id))).toMatchObject({
        status: 404,
        body: {
          error: expect.stringMatching(/^Contract id not found: ContractId\(\n {2}id = 00.*,\n/),
        },
      });
    });

    it('collects a payment, which the history shows', async () => {
      await fund();
      await alice.post(`${path(request())}/accept`);
      const [{ contract }] = (await alice.get('/v0/wallet/accepted-app-payments'))
        .accepted_app_payments as any[];
      participant.exercise(
        P('Payment:AcceptedAppPayment'),
        contract.contract_id,
        'AcceptedAppPayment_Collect',
        { context: context() },
        { ...all, readAs: dso },
      );
      expect(await history(alice)).toMatchObject([
        {
          transaction_subtype: { choice: 'AcceptedAppPayment_Collect' },
          // The payment uses the locked amount only, so that the balance does not change.
          sender: { party: alice.party, amount: '0.0000000000' },
          receivers: [{ party: bob.party, amount: '12.0000000000' }],
        },
        {
          transaction_subtype: { choice: 'AppPaymentRequest_Accept' },
          sender: { party: alice.party, amount: '-12.0000000000' },
        },
        { transaction_subtype: { choice: 'AmuletRules_DevNet_Tap' } },
      ]);
      expect(await history(bob)).toHaveLength(1);
    });

    it('requests a payment, which expires', async () => {
      automation.resume('ExpireAppPaymentRequests');
      request();
      canticle.advanceTime({ minutes: 61 });
      expect((await alice.get('/v0/wallet/app-payment-requests')).payment_requests).toEqual([]);
    });

    it('requests a payment, which fails with too low a balance or can be rejected', async () => {
      const id = request('12.5');
      expect(await alice.request('POST', `${path(id)}/accept`)).toEqual({
        status: 400,
        body: {
          error:
            'the amulet operation failed with a Daml exception: COO_Error(ITR_InsufficientFunds(12.5)).',
        },
      });
      expect(await alice.post(`${path(id)}/reject`)).toBeUndefined();
      expect(await alice.request('POST', `${path(id)}/accept`)).toEqual({
        status: 404,
        body: {
          error: `AppPaymentRequest ${id} not found, and no matching AcceptedAppPayment could be located.`,
        },
      });
      expect(await alice.request('POST', `${path(id)}/reject`)).toMatchObject({ status: 404 });
      expect(await bob.request('POST', `${path(request())}/reject`)).toMatchObject({ status: 400 });
    });
  });

  describe('a subscription', () => {
    const request = () =>
      participant.create(
        P('Subscriptions:SubscriptionRequest'),
        {
          subscriptionData: {
            sender: alice.party,
            receiver: bob.party,
            provider: bob.party,
            dso,
            description: 'a paper',
          },
          payData: {
            paymentAmount: { amount: '5.0', unit: 'AmuletUnit' },
            paymentInterval: { microseconds: String(720n * HOUR) },
            paymentDuration: { microseconds: String(48n * HOUR) },
          },
        },
        all,
      );
    const path = (id: string) => `/v0/wallet/subscription-requests/${id}`;

    const collect = (payment: string) =>
      participant.exercise(
        P('Subscriptions:SubscriptionInitialPayment'),
        payment,
        'SubscriptionInitialPayment_Collect',
        { transferContext: context() },
        { ...all, readAs: dso },
      );
    const begun = async () => {
      const { initial_payment_contract_id: id } = await alice.post(`${path(request())}/accept`);
      collect(id);
      return (await alice.get('/v0/wallet/subscriptions')).subscriptions[0].state;
    };

    it('is accepted, and paid again for each interval', async () => {
      await fund();
      const id = request();
      const { subscription_requests: requests } = await alice.get(
        '/v0/wallet/subscription-requests',
      );
      expect(requests).toMatchObject([{ contract_id: id }]);
      expect(await alice.get(path(id))).toEqual(requests[0]);
      const accepted = await alice.post(`${path(id)}/accept`);
      const { initial_payments: payments } = await alice.get(
        '/v0/wallet/subscription-initial-payments',
      );
      expect(payments[0].contract_id).toBe(accepted.initial_payment_contract_id);
      expect((await alice.get('/v0/wallet/subscriptions')).subscriptions).toEqual([]);
      collect(payments[0].contract_id);
      const { subscriptions } = await alice.get('/v0/wallet/subscriptions');
      const { idle } = subscriptions[0].state;
      expect(subscriptions).toMatchObject([
        { subscription: { contract_id: idle.payload.subscription } },
      ]);
      // A month later it is due again, which the wallet pays two days ahead if it can.
      automation.resume('SubscriptionReadyForPayment');
      canticle.advanceTime({ days: 29 });
      const [{ state }] = (await alice.get('/v0/wallet/subscriptions')).subscriptions as any[];
      expect(state).toMatchObject({ payment: { payload: { subscription: expect.any(String) } } });
      expect((await history(alice))[0]).toMatchObject({
        transaction_subtype: { choice: 'SubscriptionIdleState_MakePayment' },
        sender: { amount: '-5.0000000000' },
      });
    });

    it('is not listed if a payment is overdue, and can be cancelled', async () => {
      await fund();
      const { idle } = await begun();
      canticle.advanceTime({ days: 31 });
      expect((await alice.get('/v0/wallet/subscriptions')).subscriptions).toEqual([]);
      expect((await alice.request('DELETE', path(idle.contract_id))).status).toBe(200);
      expect((await alice.request('DELETE', path(idle.contract_id))).status).toBe(404);
    });

    it('is rejected', async () => {
      const id = request();
      expect((await alice.request('POST', `${path(id)}/reject`)).status).toBe(200);
      expect((await alice.request('GET', path(id))).status).toBe(404);
      expect((await alice.request('POST', `${path(id)}/accept`)).status).toBe(404);
    });
  });
});
