/** Splice's wallet packages over Amulet: what the validator does for its users, payments to apps, subscriptions. */
import { instant } from '../support/amulet-client.js';
import {
  AMULET_DAR,
  amuletWorld,
  describeWithDars,
  failure,
  requirement,
  rewind,
  UNAUTHORIZED,
  WITH_FEES,
} from '../support/amulet-world.js';
import { answer } from '../support/lf-probe.js';

const DARS = [AMULET_DAR, 'splice-wallet-0.1.14.dar', 'splice-wallet-payments-0.1.14.dar'] as const;
const HOUR = 3_600_000_000n;
const W = (name: string) => `#splice-wallet:Splice.Wallet.${name}`;
const P = (name: string) => `#splice-wallet-payments:Splice.Wallet.${name}`;

describeWithDars('the wallet', DARS, (amuletDar, walletDar, paymentsDar) => {
  const world = amuletWorld(amuletDar, WITH_FEES, [walletDar, paymentsDar]);
  rewind(world);
  const { canticle, dso, alice, bob } = world;
  const { amulet, participant } = canticle;
  const [validator, app] = ['validator', 'app'].map((hint) => participant.allocateParty(hint)) as [
    string,
    string,
  ];
  const { payment } = amulet.context();
  const appContext = {
    amuletRules: payment.amuletRules,
    openMiningRound: payment.context.openMiningRound,
    featuredAppRight: null,
  };
  const now = (later = 0n) => instant(canticle.network.clock.now() + later);
  const coin = (owner: string, amount: string) => ({
    tag: 'InputAmulet',
    value: amulet.tap(owner, amount),
  });
  const held = (party: string) =>
    amulet
      .holdings(party)
      .map(({ payload }: any) => (payload.amulet ?? payload).amount.initialAmount);
  const act = (
    template: string,
    id: string,
    choice: string,
    argument: object,
    actAs: string[],
    readAs?: string[],
  ) => answer(() => world.exercise(template, id, choice, argument, actAs, readAs)) as any;

  const install = (endUserParty: string): string =>
    participant.create(
      W('Install:WalletAppInstall'),
      { dsoParty: dso, validatorParty: validator, endUserName: 'a user', endUserParty },
      { actAs: [endUserParty, validator] },
    );
  const installs = {
    [alice]: install(alice),
    [bob]: install(bob),
    [validator]: install(validator),
  };
  /** A choice of the install of a user, by the validator. */
  const of = (user: string, choice: string, argument: object, actor = validator) =>
    act(
      W('Install:WalletAppInstall'),
      installs[user]!,
      `WalletAppInstall_${choice}`,
      argument,
      [actor],
      [user],
    );
  const batch = (user: string, inputs: object[], ...operations: object[]) =>
    of(user, 'ExecuteBatch', { context: payment, inputs, operations });
  const operation = (tag: string, value: unknown = {}) => ({ tag, value });

  describe('a batch', () => {
    test('carries out one operation after the other with the change of the one before', () => {
      const { outcomes } = batch(
        alice,
        [coin(alice, '5.0'), coin(alice, '6.0')],
        operation('CO_Tap', { tapAmount: '4.0' }),
        operation('CO_MergeTransferInputs'),
      );
      expect(outcomes.map(({ tag }: any) => tag)).toEqual(['COO_Tap', 'COO_MergeTransferInputs']);
      expect(held(alice)).toEqual(['14.9700000000']);
    });

    test('is the validator’s to order', () => {
      expect(
        of(alice, 'ExecuteBatch', { context: payment, inputs: [], operations: [] }, alice),
      ).toMatchObject(UNAUTHORIZED);
    });

    test('goes on after what fails before it did anything', () => {
      const preapprovalExpiresAt = now(HOUR);
      const { outcomes } = batch(
        alice,
        [],
        operation('CO_CreateExternalPartySetupProposal', {
          externalParty: bob,
          preapprovalExpiresAt,
        }),
        operation('CO_Tap', { tapAmount: '4.0' }),
      );
      expect(outcomes[0]).toMatchObject({ tag: 'COO_Error', value: { tag: 'ITR_Other' } });
      expect(outcomes[0].value.value.description).toContain(
        'Only a validator can create a proposal',
      );
      expect(outcomes[1].tag).toBe('COO_Tap');
    });

    test('tops up traffic from the faucet, and not twice in too short a time', () => {
      const synchronizerId = canticle.network.synchronizers[0]!.id;
      const traffic = { memberId: 'PAR::sandbox::1220', synchronizerId, migrationId: '0' };
      const state = participant.create(
        W('TopUpState:ValidatorTopUpState'),
        { dso, validator, ...traffic, lastPurchasedAt: '2020-01-01T00:00:00Z' },
        { actAs: [validator] },
      );
      const topUp = (topupStateCid: string) =>
        batch(
          validator,
          [],
          operation('CO_BuyMemberTraffic', {
            trafficAmount: '200000',
            ...traffic,
            minTopupInterval: { microseconds: String(HOUR) },
            topupStateCid,
          }),
        );
      expect(topUp(state).outcomes[0].tag).toBe('COO_BuyMemberTraffic');
      const [next] = participant.activeContracts({ template: W('TopUpState:ValidatorTopUpState') });
      // The state that it consumed is not given back.
      expect(topUp(next!.contractId)).toMatchObject({ refused: 'DAML_EFFECTFUL_ROLLBACK_ERROR' });
      canticle.advanceTime({ hours: 2 });
      expect(topUp(next!.contractId).outcomes[0].tag).toBe('COO_BuyMemberTraffic');
    });

    test('creates a preapproval that its user proposed, renews it, and sends by it', () => {
      const proposal = participant.create(
        W('TransferPreapproval:TransferPreapprovalProposal'),
        { receiver: bob, provider: validator, expectedDso: dso },
        { actAs: [bob] },
      );
      const [created] = batch(
        validator,
        [coin(validator, '10.0')],
        operation('CO_AcceptTransferPreapprovalProposal', {
          preapprovalProposalCid: proposal,
          expiresAt: now(24n * HOUR),
        }),
      ).outcomes;
      expect(created.tag).toBe('COO_AcceptTransferPreapprovalProposal');
      const [renewed] = batch(
        validator,
        [coin(validator, '10.0')],
        operation('CO_RenewTransferPreapproval', {
          previousApprovalCid: created.value,
          newExpiresAt: now(48n * HOUR),
        }),
      ).outcomes;
      expect(world.payload(renewed.value)).toMatchObject({ receiver: bob, provider: validator });
      const send = operation('CO_TransferPreapprovalSend', {
        transferPreapprovalCid: renewed.value,
        providerFeaturedAppRightCid: null,
        amount: '7.0',
        description: null,
      });
      expect(batch(alice, [coin(alice, '20.0')], send).outcomes[0].tag).toBe(
        'COO_TransferPreapprovalSend',
      );
      expect(held(bob)).toEqual(['7.0000000000']);
    });
  });

  describe('a transfer offer', () => {
    const offer = (
      amount: object = { amount: '8.0', unit: 'AmuletUnit' },
      expiresIn = HOUR,
    ): string =>
      of(alice, 'CreateTransferOffer', {
        receiver: bob,
        amount,
        description: 'rent',
        expiresAt: now(expiresIn),
        trackingId: 'track-1',
      }).transferOffer;

    test('is accepted by the receiver, and completed by the wallet of the sender', () => {
      const { acceptedTransferOffer } = of(bob, 'TransferOffer_Accept', { cid: offer() });
      const [done] = batch(
        alice,
        [coin(alice, '20.0')],
        operation('CO_CompleteAcceptedTransfer', acceptedTransferOffer),
      ).outcomes;
      expect(done).toMatchObject({
        tag: 'COO_CompleteAcceptedTransfer',
        value: { _2: { trackingId: 'track-1', sender: alice, receiver: bob } },
      });
      expect([held(alice), held(bob)]).toEqual([['11.8600000000'], ['8.0000000000']]);
    });

    test('may be in dollars, of the price of the round', () => {
      const { acceptedTransferOffer } = of(bob, 'TransferOffer_Accept', {
        cid: offer({ amount: '3.0', unit: 'USDUnit' }),
      });
      batch(
        alice,
        [coin(alice, '20.0')],
        operation('CO_CompleteAcceptedTransfer', acceptedTransferOffer),
      );
      expect(held(bob)).toEqual(['3.0000000000']);
    });

    test('is rejected, withdrawn, or expires; each by whom it belongs to', () => {
      const tracking = { trackingInfo: { trackingId: 'track-1', sender: alice, receiver: bob } };
      expect(of(alice, 'TransferOffer_Reject', { cid: offer() })).toMatchObject(UNAUTHORIZED);
      expect(of(bob, 'TransferOffer_Reject', { cid: offer() })).toEqual(tracking);
      expect(of(bob, 'TransferOffer_Withdraw', { cid: offer(), reason: 'no' })).toMatchObject(
        UNAUTHORIZED,
      );
      expect(of(alice, 'TransferOffer_Withdraw', { cid: offer(), reason: 'no' })).toEqual(tracking);
      const late = offer();
      expect(of(alice, 'TransferOffer_Expire', { cid: late })).toMatchObject(
        requirement('Contract has expired'),
      );
      canticle.advanceTime({ hours: 2 });
      expect(of(bob, 'TransferOffer_Accept', { cid: late })).toMatchObject(
        requirement('Offer has not expired'),
      );
      expect(of(alice, 'TransferOffer_Expire', { cid: late })).toEqual(tracking);
      const accepted = () =>
        of(bob, 'TransferOffer_Accept', { cid: offer() }).acceptedTransferOffer as string;
      expect(of(alice, 'AcceptedTransferOffer_Abort', { cid: accepted(), reason: 'no' })).toEqual(
        tracking,
      );
      expect(of(bob, 'AcceptedTransferOffer_Withdraw', { cid: accepted(), reason: 'no' })).toEqual(
        tracking,
      );
    });

    test('may say no more than 279 characters', () => {
      const long = {
        receiver: bob,
        amount: { amount: '1.0', unit: 'AmuletUnit' },
        description: 'x'.repeat(280),
        expiresAt: now(HOUR),
        trackingId: 't',
      };
      expect(of(alice, 'CreateTransferOffer', long)).toMatchObject({ refused: 'DAML_FAILURE' });
    });
  });

  describe('a request to buy traffic', () => {
    const synchronizerId = canticle.network.synchronizers[0]!.id;
    const request = (): string =>
      of(alice, 'CreateBuyTrafficRequest', {
        memberId: 'PAR::app::1220',
        synchronizerId,
        migrationId: '0',
        trafficAmount: '200000',
        expiresAt: now(HOUR),
        trackingId: 'buy-1',
      }).buyTrafficRequest;

    test('is completed in a batch, cancelled, or expires', () => {
      const [done] = batch(
        alice,
        [coin(alice, '20.0')],
        operation('CO_CompleteBuyTrafficRequest', { trafficRequestCid: request() }),
      ).outcomes;
      expect(done).toMatchObject({
        tag: 'COO_CompleteBuyTrafficRequest',
        value: { _2: { trackingId: 'buy-1' } },
      });
      const cancelled = of(alice, 'BuyTrafficRequest_Cancel', {
        requestCid: request(),
        reason: 'no',
      });
      expect(cancelled).toEqual({ trackingInfo: { trackingId: 'buy-1', endUserParty: alice } });
      const late = request();
      expect(of(alice, 'BuyTrafficRequest_Expire', { requestCid: late })).toMatchObject(
        requirement('Contract has expired'),
      );
      canticle.advanceTime({ hours: 2 });
      expect(
        of(alice, 'BuyTrafficRequest_Cancel', { requestCid: late, reason: 'no' }),
      ).toMatchObject(requirement('Contract has not expired'));
      expect(of(alice, 'BuyTrafficRequest_Expire', { requestCid: late })).toHaveProperty(
        'trackingInfo',
      );
    });
  });

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

    test('is locked by the wallet, and collected by all in the same round', () => {
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

    test('cannot be collected in another round; it is given back', () => {
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

    test('is refused, withdrawn, or expires', () => {
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

    test('begins with a payment, goes on with one in each interval, and ends when one was missed', () => {
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

    test('is rejected, withdrawn, cancelled; a payment in flight is rejected or expires', () => {
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
  });

  test('acts by the token standard for its user, and for no other', () => {
    const factory = (sender: string) => {
      const transfer = {
        sender,
        receiver: bob,
        amount: '3.0',
        instrumentId: { admin: dso, id: 'Amulet' },
        requestedAt: now(-HOUR),
        executeBefore: now(HOUR),
        inputHoldingCids: [amulet.tap(sender, '9.0')],
        meta: { values: {} },
      };
      const values = Object.fromEntries(
        [
          ['amulet-rules', payment.amuletRules],
          ['open-round', payment.context.openMiningRound],
        ].map(([key, value]) => [key, { tag: 'AV_ContractId', value }]),
      );
      const extraArgs = { context: { values }, meta: { values: {} } };
      return of(alice, 'TransferFactory_Transfer', {
        transferFactoryCid: amulet.factory,
        transferArg: { expectedAdmin: dso, transfer, extraArgs },
      });
    };
    expect(factory(bob)).toMatchObject(failure('is endUserParty'));
    const { output } = factory(alice);
    const transferInstructionCid = output.value.transferInstructionCid as string;
    expect(
      of(alice, 'TransferInstruction_Accept', {
        transferInstructionCid,
        acceptArg: { extraArgs: { context: { values: {} }, meta: { values: {} } } },
      }),
    ).toMatchObject(failure('must match endUserParty'));
    expect(
      of(alice, 'FeaturedAppRights_SelfGrant', { amuletRulesCid: payment.amuletRules }),
    ).toHaveProperty('featuredAppRight');
  });
});
