/** Splice’s wallet over Amulet: what the validator does for its users. */
import { TOKEN } from '../../support/splice/amulet-client.js';
import { failure, requirement, UNAUTHORIZED } from '../../support/splice/amulet-world.js';
import { describeWithDars } from '../../support/foreign-files.js';
import { HOUR, operation, W, WALLET_DARS, walletWorld } from '../../support/splice/wallet-world.js';

describeWithDars('the wallet', WALLET_DARS, (...dars) => {
  const world = walletWorld(...dars);
  const {
    canticle,
    amulet,
    participant,
    dso,
    alice,
    bob,
    validator,
    payment,
    now,
    coin,
    held,
    act,
    of,
    batch,
  } = world;

  describe('a batch', () => {
    test('runs operations in order, each with the change of the operation before it', () => {
      const { outcomes } = batch(
        alice,
        [coin(alice, '5.0'), coin(alice, '6.0')],
        operation('CO_Tap', { tapAmount: '4.0' }),
        operation('CO_MergeTransferInputs'),
      );
      expect(outcomes.map(({ tag }: any) => tag)).toEqual(['COO_Tap', 'COO_MergeTransferInputs']);
      expect(held(alice)).toEqual(['14.9700000000']);
    });

    test('requires the validator', () => {
      expect(
        of(alice, 'ExecuteBatch', { context: payment, inputs: [], operations: [] }, alice),
      ).toMatchObject(UNAUTHORIZED);
    });

    test('continues after an operation that fails before it has an effect', () => {
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

    test('buys traffic with amulets from the faucet, but not twice in a short time', () => {
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

    test('creates a preapproval that its user proposed, renews it, and uses it for a transfer', () => {
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

    test('may have an amount in dollars, at the price of the round', () => {
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

    test('is rejected by the receiver, withdrawn by the sender, or expires', () => {
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
      const lapsed = accepted();
      const expire = () => of(bob, 'AcceptedTransferOffer_Expire', { cid: lapsed });
      expect(expire()).toMatchObject(requirement('Contract has expired'));
      expect(of(alice, 'AcceptedTransferOffer_Abort', { cid: accepted(), reason: 'no' })).toEqual(
        tracking,
      );
      expect(of(bob, 'AcceptedTransferOffer_Withdraw', { cid: accepted(), reason: 'no' })).toEqual(
        tracking,
      );
      canticle.advanceTime({ hours: 2 });
      expect(expire()).toEqual(tracking);
    });

    test('rejects a description of more than 279 characters', () => {
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

  describe('the token standard', () => {
    const values = {
      'amulet-rules': { tag: 'AV_ContractId', value: payment.amuletRules },
      'open-round': { tag: 'AV_ContractId', value: payment.context.openMiningRound },
      'expire-lock': { tag: 'AV_Bool', value: true },
    };
    const meta = { values: {} };
    const extraArgs = { context: { values }, meta };
    const instrumentId = { admin: dso, id: 'Amulet' };
    const leg = (sender: string) => ({ sender, receiver: bob, amount: '3.0', instrumentId, meta });
    const offer = (sender: string) => {
      const times = { requestedAt: now(-HOUR), executeBefore: now(HOUR) };
      const inputHoldingCids = [amulet.tap(sender, '9.0')];
      return of(alice, 'TransferFactory_Transfer', {
        transferFactoryCid: amulet.factory,
        transferArg: {
          expectedAdmin: dso,
          transfer: { ...leg(sender), ...times, inputHoldingCids },
          extraArgs,
        },
      });
    };

    test.each([
      ['Accept', bob, alice, 'Completed'],
      ['Reject', bob, alice, 'Failed'],
      ['Withdraw', alice, bob, 'Failed'],
    ])('offers a transfer and %ss one, only for its user', (step, user, other, outcome) => {
      expect(offer(bob)).toMatchObject(failure('is endUserParty'));
      const transferInstructionCid = offer(alice).output.value.transferInstructionCid as string;
      // The registry discloses the holdings that the sender locked.
      const take = (by: string) =>
        of(
          by,
          `TransferInstruction_${step}`,
          { transferInstructionCid, [`${step.toLowerCase()}Arg`]: { extraArgs } },
          validator,
          [alice],
        );
      expect(take(other)).toMatchObject(failure('must match endUserParty'));
      expect(take(user).output.tag).toBe(`TransferInstructionResult_${outcome}`);
    });

    test('rejects an update of an offer', () => {
      const { transferInstructionCid } = offer(alice).output.value;
      const update = { extraActors: [], extraArgs };
      const choice = 'TransferInstruction_Update';
      expect(act(TOKEN.instruction, transferInstructionCid, choice, update, [dso])).toMatchObject(
        failure('AmuletTransferInstruction.updateImpl: not used'),
      );
    });

    test('allocates for its user, and withdraws the allocation', () => {
      const allocate = (sender: string) =>
        of(alice, 'AllocationFactory_Allocate', {
          allocationFactory: amulet.factory,
          allocateArg: {
            expectedAdmin: dso,
            allocation: {
              settlement: {
                executor: bob,
                settlementRef: { id: 'trade', cid: null },
                requestedAt: now(-HOUR),
                allocateBefore: now(HOUR),
                settleBefore: now(HOUR),
                meta,
              },
              transferLegId: 'leg',
              transferLeg: leg(sender),
            },
            requestedAt: now(-HOUR),
            inputHoldingCids: [amulet.tap(sender, '9.0')],
            extraArgs,
          },
        });
      expect(allocate(bob)).toMatchObject(failure('is endUserParty'));
      const { allocationCid } = allocate(alice).output.value;
      const withdraw = (user: string) =>
        of(user, 'Allocation_Withdraw', { allocationCid, withdrawArg: { extraArgs } });
      expect(withdraw(bob)).toMatchObject(failure('must match endUserParty'));
      expect(withdraw(alice).senderHoldingCids).toHaveLength(1);
    });
  });

  test('grants its user the right of a featured app, and cancels it', () => {
    const grant = { amuletRulesCid: payment.amuletRules };
    const { featuredAppRight: cid } = of(alice, 'FeaturedAppRights_SelfGrant', grant);
    expect(of(bob, 'FeaturedAppRights_Cancel', { cid })).toMatchObject(UNAUTHORIZED);
    expect(of(alice, 'FeaturedAppRights_Cancel', { cid })).toBe(
      'WalletAppInstall_FeaturedAppRights_CancelResult',
    );
    expect(of(alice, 'FeaturedAppRights_Cancel', { cid })).toMatchObject({
      refused: 'CONTRACT_NOT_FOUND',
    });
  });
});
