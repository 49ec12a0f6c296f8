/** Splice’s wallet over Amulet: payments to apps, and subscriptions. */
import { failure, requirement, UNAUTHORIZED } from '../../support/splice/amulet-world.js';
import { describeWithDars } from '../../support/foreign-files.js';
import { HOUR, operation, P, WALLET_DARS, walletWorld } from '../../support/splice/wallet-world.js';
import { answer } from '../../support/daml/lf-probe.js';

describeWithDars('the wallet pays', WALLET_DARS, (...dars) => {
  const world = walletWorld(...dars);
  const {
    canticle,
    amulet,
    participant,
    dso,
    alice,
    bob,
    app,
    validator,
    appContext,
    now,
    coin,
    held,
    act,
    of,
    batch,
  } = world;

  describe('a payment to an app', () => {
    const request = (amount = '12.0'): string =>
      participant.create(
        P('Payment:AppPaymentRequest'),
        {
          sender: alice,
          receiverAmounts: [
            { receiver: bob, amount: { amount, unit: 'AmuletUnit' } },
            { receiver: app, amount: { amount: '2.0', unit: 'USDUnit' } },
          ],
          provider: app,
          dso,
          expiresAt: now(HOUR),
          description: 'a song',
        },
        { actAs: [alice, bob, app] },
      );
    const REQUEST = P('Payment:AppPaymentRequest');
    const ACCEPTED = P('Payment:AcceptedAppPayment');
    const accept = () =>
      batch(alice, [coin(alice, '50.0')], operation('CO_AppPayment', request())).outcomes[0] as {
        tag: string;
        value: string;
      };

    test('is locked by the wallet, and collected by all parties in the same round', () => {
      const { tag, value } = accept();
      expect(tag).toBe('COO_AcceptedAppPayment');
      // Exactly what the receivers get and what that will cost.
      expect(held(alice)).toEqual(['35.7300000000', '14.2000000000']);
      expect(
        act(ACCEPTED, value, 'AcceptedAppPayment_Collect', { context: appContext }, [alice]),
      ).toMatchObject(UNAUTHORIZED);
      const { receiverAmulets } = act(
        ACCEPTED,
        value,
        'AcceptedAppPayment_Collect',
        { context: appContext },
        [alice, bob, app],
      );
      expect(receiverAmulets.map(({ _1 }: any) => _1)).toEqual([bob, app]);
      expect([held(bob), held(app), held(alice)]).toEqual([
        ['12.0000000000'],
        ['2.0000000000'],
        ['35.7300000000'],
      ]);
    });

    test('cannot be collected in another round, and the sender gets it back', () => {
      const { value } = accept();
      const stale = canticle.snapshot();
      amulet.advanceRounds();
      const later = { ...appContext, openMiningRound: amulet.round };
      expect(
        act(ACCEPTED, value, 'AcceptedAppPayment_Collect', { context: later }, [alice, bob, app]),
      ).toMatchObject(failure('Round at payment acceptance 1 matches round at collection 2'));
      expect(
        act(ACCEPTED, value, 'AcceptedAppPayment_Expire', { context: later }, [alice]),
      ).toMatchObject(failure('Lock.expiresAt'));
      canticle.advanceTime({ hours: 1 });
      expect(
        act(ACCEPTED, value, 'AcceptedAppPayment_Expire', { context: later }, [alice]),
      ).toHaveProperty('amulet');
      canticle.revert(stale);
      expect(
        act(ACCEPTED, value, 'AcceptedAppPayment_Reject', { context: appContext }, [bob]),
      ).toMatchObject(UNAUTHORIZED);
      expect(
        act(ACCEPTED, value, 'AcceptedAppPayment_Reject', { context: appContext }, [bob, app]),
      ).toHaveProperty('amulet');
      expect(
        participant.activeContracts({ template: P('Payment:TerminatedAppPayment') }),
      ).toHaveLength(1);
    });

    test('is rejected, withdrawn, or expires', () => {
      expect(of(alice, 'AppPaymentRequest_Reject', { cid: request() })).toHaveProperty(
        'terminatedAppPayment',
      );
      expect(act(REQUEST, request(), 'AppPaymentRequest_Withdraw', {}, [bob])).toMatchObject(
        UNAUTHORIZED,
      );
      expect(act(REQUEST, request(), 'AppPaymentRequest_Withdraw', {}, [bob, app])).toHaveProperty(
        'terminatedAppPayment',
      );
      const late = request();
      expect(of(alice, 'AppPaymentRequest_Expire', { cid: late })).toMatchObject(
        requirement('Contract has expired'),
      );
      canticle.advanceTime({ hours: 2 });
      // The request that it consumed is not given back, so that the batch fails as a whole.
      expect(batch(alice, [coin(alice, '50.0')], operation('CO_AppPayment', late))).toMatchObject({
        refused: 'DAML_EFFECTFUL_ROLLBACK_ERROR',
      });
      expect(of(alice, 'AppPaymentRequest_Expire', { cid: late })).toHaveProperty(
        'terminatedAppPayment',
      );
      expect(answer(() => request('0.0'))).toMatchObject({ refused: 'DAML_FAILURE' });
    });
  });

  describe('a subscription', () => {
    const subscriptionData = {
      sender: alice,
      receiver: bob,
      provider: app,
      dso,
      description: 'a paper',
    };
    const DAY = 24n * HOUR;
    const request = (): string =>
      participant.create(
        P('Subscriptions:SubscriptionRequest'),
        {
          subscriptionData,
          payData: {
            paymentAmount: { amount: '5.0', unit: 'AmuletUnit' },
            paymentInterval: { microseconds: String(30n * DAY) },
            paymentDuration: { microseconds: String(2n * DAY) },
          },
        },
        { actAs: [alice, bob, app] },
      );
    const all = [alice, bob, app];
    const begin = () => {
      const { value } = batch(
        alice,
        [coin(alice, '20.0')],
        operation('CO_SubscriptionAcceptAndMakeInitialPayment', request()),
      ).outcomes[0];
      return value as string;
    };
    const collect = (template: string, id: string, context: object = appContext, actAs = all) =>
      act(
        P(`Subscriptions:${template}`),
        id,
        `${template}_Collect`,
        { transferContext: context },
        actAs,
      );
    const pay = (state: string) =>
      batch(alice, [coin(alice, '20.0')], operation('CO_SubscriptionMakePayment', state));

    test('begins with a payment, continues with one in each interval, and ends after a missed one', () => {
      const first = begin();
      expect(collect('SubscriptionInitialPayment', first, appContext, [bob])).toMatchObject(
        UNAUTHORIZED,
      );
      const { subscriptionState, subscription } = collect('SubscriptionInitialPayment', first);
      expect(held(bob)).toEqual(['5.0000000000']);
      // A month to go: too early.
      expect(pay(subscriptionState)).toMatchObject({ refused: 'DAML_EFFECTFUL_ROLLBACK_ERROR' });
      canticle.advanceTime({ days: 29 });
      const { value: second } = pay(subscriptionState).outcomes[0];
      const { subscriptionState: next } = collect('SubscriptionPayment', second);
      expect(held(bob)).toEqual(['5.0000000000', '5.0000000000']);
      expect(world.payload(next)).toMatchObject({ subscription });
      const expire = () =>
        act(
          P('Subscriptions:SubscriptionIdleState'),
          next,
          'SubscriptionIdleState_ExpireSubscription',
          { actor: bob },
          [bob],
        );
      expect(expire()).toMatchObject(requirement('Last subscription payment was missed'));
      canticle.advanceTime({ days: 32 });
      expect(expire()).toHaveProperty('terminatedSubscription');
    });

    test('is rejected, withdrawn or cancelled, and a payment in flight is rejected or expires', () => {
      expect(of(alice, 'SubscriptionRequest_Reject', { cid: request() })).toHaveProperty(
        'terminatedSubscription',
      );
      const REQUEST = P('Subscriptions:SubscriptionRequest');
      expect(act(REQUEST, request(), 'SubscriptionRequest_Withdraw', {}, [alice])).toMatchObject(
        UNAUTHORIZED,
      );
      expect(act(REQUEST, request(), 'SubscriptionRequest_Withdraw', {}, [bob])).toHaveProperty(
        'terminatedSubscription',
      );
      const INITIAL = P('Subscriptions:SubscriptionInitialPayment');
      const rejected = act(
        INITIAL,
        begin(),
        'SubscriptionInitialPayment_Reject',
        { transferContext: appContext },
        [bob],
      );
      expect(rejected).toMatchObject({ amuletSum: { amuletPrice: '1.0000000000' } });
      const expire = (id: string, actor: string) =>
        act(
          INITIAL,
          id,
          'SubscriptionInitialPayment_Expire',
          { actor, transferContext: appContext },
          [actor],
        );
      const flying = begin();
      expect(expire(flying, alice)).toMatchObject(failure('Lock.expiresAt'));
      canticle.advanceTime({ hours: 1 });
      expect(expire(flying, alice)).toHaveProperty('amuletSum');
      const { subscriptionState } = collect('SubscriptionInitialPayment', begin());
      expect(
        of(alice, 'SubscriptionIdleState_CancelSubscription', { cid: subscriptionState }),
      ).toHaveProperty('terminatedSubscription');
    });

    test('the sender gets a payment back if the receiver rejects it or misses its deadline, and then it is due again', () => {
      const { subscriptionState } = collect('SubscriptionInitialPayment', begin());
      const due = world.payload(subscriptionState).nextPaymentDueAt as string;
      canticle.advanceTime({ days: 29 });
      const settle = (id: string, choice: string, actAs: string[], more: object = {}) =>
        act(
          P('Subscriptions:SubscriptionPayment'),
          id,
          `SubscriptionPayment_${choice}`,
          { transferContext: appContext, ...more },
          actAs,
          [bob],
        );
      const first = pay(subscriptionState).outcomes[0].value as string;
      expect(settle(first, 'Reject', [alice])).toMatchObject(UNAUTHORIZED);
      const rejected = settle(first, 'Reject', [bob]);
      expect(rejected.amuletSum).toMatchObject({ amuletPrice: '1.0000000000' });
      expect(world.payload(rejected.subscriptionState)).toMatchObject({ nextPaymentDueAt: due });
      const second = pay(rejected.subscriptionState).outcomes[0].value as string;
      const expire = (actor: string) => settle(second, 'Expire', [actor], { actor });
      expect(expire(validator)).toMatchObject(failure('is a signatory'));
      expect(expire(bob)).toMatchObject(failure('Lock.expiresAt'));
      canticle.advanceTime({ hours: 1 });
      expect(world.payload(expire(bob).subscriptionState)).toMatchObject({ nextPaymentDueAt: due });
    });
  });
});
