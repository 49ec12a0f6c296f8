/** Preapprovals, and transfers and allocations of the token standard, as a wallet's user makes them. */
import { describeWithDars } from '../../support/foreign-files.js';
import { bootWalletApp, WALLET_APP_DARS, walletApp } from '../../support/splice/wallet-app.js';

const HOUR = 3_600_000_000;

describeWithDars('a wallet transfers', WALLET_APP_DARS, (...dars) => {
  const { canticle, participant, dso, alice, bob, operator, automation } = walletApp(dars);
  const now = (later = 0) => Number(canticle.network.clock.now()) + later;
  const tap = (amount = '1') => alice.post('/v0/wallet/tap', { amount });
  const balances = async () => [await alice.balance(), await bob.balance()];
  const history = async (of: typeof alice) =>
    (await of.post('/v0/wallet/transactions', { page_size: 10 })).items as any[];

  describe('by a preapproval', () => {
    const preapprove = () => bob.request('POST', '/v0/wallet/transfer-preapproval');
    const send = (more: object = {}) =>
      alice.request('POST', '/v0/wallet/transfer-preapproval/send', {
        receiver_party_id: bob.party,
        amount: '12.5',
        deduplication_id: 'lunch',
        ...more,
      });

    it('that the validator creates at once, and only once', async () => {
      automation.resume('AcceptTransferPreapprovalProposal');
      await operator.post('/v0/wallet/tap', { amount: '1' });
      const made = await preapprove();
      expect(made).toMatchObject({ status: 200 });
      expect(await preapprove()).toEqual({ status: 409, body: made.body });
    });

    it('which fails without a preapproval', async () => {
      expect(await preapprove()).toMatchObject({
        status: 429,
        body: { error: expect.stringMatching(/^Transfer preapproval creation request timed out/) },
      });
      expect(await send()).toEqual({
        status: 400,
        body: { error: `Receiver ${bob.party} does not have a TransferPreapproval` },
      });
      // The proposal waits.
      automation.resume('AcceptTransferPreapprovalProposal');
      expect((await preapprove()).status).toBe(409);
    });

    it('which sends once for each id, with a description', async () => {
      automation.resume('AcceptTransferPreapprovalProposal');
      await preapprove();
      await tap();
      expect(await send({ description: 'soup' })).toEqual({ status: 200, body: undefined });
      expect((await send({ amount: '99.0' })).status).toBe(200);
      expect(await balances()).toEqual(['187.5000000000', '12.5000000000']);
      const [sent] = await history(bob);
      expect(sent).toMatchObject({
        transaction_subtype: { choice: 'TransferPreapproval_Send' },
        description: 'soup',
      });
      expect(await send({ deduplication_id: 'dinner', amount: '1000.0' })).toMatchObject({
        status: 400,
        body: { error: expect.stringContaining('COO_Error(ITR_InsufficientFunds(') },
      });
    });

    it('which is renewed before it expires', async () => {
      automation.resume('AcceptTransferPreapprovalProposal', 'RenewTransferPreapproval');
      await preapprove();
      const end = () =>
        (
          participant.activeContracts({
            template: '#splice-amulet:Splice.AmuletRules:TransferPreapproval',
          })[0]!.payload as any
        ).expiresAt as string;
      const first = Date.parse(end());
      canticle.advanceTime({ days: 61 });
      expect(Date.parse(end()) - first).toBe(90 * 86_400_000);
    });
  });

  describe.each(['v0', 'v2'])('by the token standard of %s', (version) => {
    const base = `/${version}/wallet/token-standard/transfers`;
    const request = (more: object = {}) => ({
      receiver_party_id: bob.party,
      amount: '12.5',
      description: 'rent',
      expires_at: now(HOUR),
      tracking_id: 'rent-of-may',
      ...more,
    });
    const pending = async () => {
      const { output, sender_change_cids: change } = await alice.post(base, request());
      expect(change).toHaveLength(1);
      return output.transfer_instruction_cid as string;
    };

    it('in two steps', async () => {
      await tap();
      const id = await pending();
      expect((await alice.post(base, request({ amount: '1' }))).output).toEqual({
        transfer_instruction_cid: id,
      });
      const { transfers } = await bob.get('/v0/wallet/token-standard/transfers');
      expect(transfers).toMatchObject([{ contract_id: id }]);
      expect(await alice.get('/v0/wallet/balance')).toMatchObject({
        effective_unlocked_qty: '187.5000000000',
        effective_locked_qty: '12.5000000000',
      });
      expect((await alice.request('POST', `${base}/${id}/accept`)).status).toBe(400);
      const accepted = await bob.post(`${base}/${id}/accept`);
      expect(accepted.output.receiver_holding_cids).toHaveLength(1);
      expect(await balances()).toEqual(['187.5000000000', '12.5000000000']);
      const expected = [
        {
          transaction_type: 'transfer',
          transaction_subtype: {
            choice: 'TransferInstruction_Accept',
            interface_id: expect.stringMatching(/:Splice\.Api\.Token\.TransferInstructionV1:/),
          },
          sender: { party: alice.party },
          receivers: [{ party: bob.party, amount: '12.5000000000' }],
          transfer_instruction_cid: id,
        },
        {
          transaction_subtype: { choice: 'TransferFactory_Transfer' },
          description: 'rent',
          transfer_instruction_receiver: bob.party,
          transfer_instruction_amount: '12.5000000000',
          transfer_instruction_cid: id,
        },
      ];
      const [accepting, offering] = await history(alice);
      expect([accepting, offering]).toMatchObject(expected);
      // The lock, and the payment out of it.
      expect(offering.sender).toEqual({ party: alice.party, amount: '-12.5000000000' });
      expect(accepting.sender.amount).toBe('0.0000000000');
      expect(await history(bob)).toMatchObject(expected);
      expect(await bob.request('POST', `${base}/${id}/accept`)).toMatchObject({
        status: 404,
        body: { error: `AmuletTransferInstruction '${id}' not found.` },
      });
    });

    it('which is rejected or withdrawn', async () => {
      await tap();
      for (const [of, verb] of [
        [bob, 'reject'],
        [alice, 'withdraw'],
      ] as const) {
        const before = canticle.snapshot();
        const id = await pending();
        const other = of === bob ? alice : bob;
        expect((await other.request('POST', `${base}/${id}/${verb}`)).status).toBe(400);
        expect((await of.post(`${base}/${id}/${verb}`)).output).toEqual({});
        expect(await balances()).toEqual(['200.0000000000', '0.0000000000']);
        const [change] = await history(alice);
        expect(change).toMatchObject({
          transaction_type: 'balance_change',
          receivers: [{ party: alice.party, amount: '12.5000000000' }],
          transfer_instruction_cid: id,
        });
        expect((await history(bob))[0].receivers[0].amount).toBe('0.0000000000');
        canticle.revert(before);
      }
    });

    it('to its own party at once', async () => {
      await tap();
      await tap('2');
      const { output } = await alice.post(base, request({ receiver_party_id: alice.party }));
      expect(output.receiver_holding_cids).toHaveLength(1);
      const [own] = await history(alice);
      expect(own).toMatchObject({
        transaction_subtype: { choice: 'AmuletRules_Transfer' },
        sender: { party: alice.party, amount: '0.0000000000' },
        receivers: [],
        description: 'rent',
      });
    });

    it('which fails with too low a balance or an invalid amount', async () => {
      const refusal = async (more: object) => {
        const { status, body } = await alice.request('POST', base, request(more));
        return [status, body.error];
      };
      expect((await refusal({}))[0]).toBe(400);
      expect(await refusal({ amount: 'ten' })).toEqual([
        400,
        'Character t is neither a decimal digit number, decimal point, nor "e" notation exponential mark.',
      ]);
      expect((await refusal({ amount: '1e99' }))[0]).toBe(400);
    });
  });

  describe('allocations of a wallet', () => {
    const v1 = (id = 'trade') => ({
      settlement: {
        executor: bob.party,
        settlement_ref: { id },
        requested_at: now(-1),
        allocate_before: now(HOUR),
        settle_before: now(2 * HOUR),
      },
      transfer_leg_id: 'leg',
      transfer_leg: { receiver: bob.party, amount: '12.5' },
    });
    const v2 = () => ({
      settlement: { executors: [bob.party], settlement_ref: { id: 'trade' } },
      transfer_leg_sides: [
        { transfer_leg_id: 'leg', side: 'SENDERSIDE', otherside: bob.party, amount: '12.5' },
      ],
      committed: false,
    });
    const free = async () => (await alice.get('/v0/wallet/balance')).effective_unlocked_qty;

    it('are listed and withdrawn', async () => {
      await tap();
      const first = (await alice.post('/v0/allocations', v1())).output.allocation_cid;
      expect((await alice.post('/v0/allocations', v1())).output.allocation_cid).toBe(first);
      expect(await free()).toBe('187.5000000000');
      const second = (await alice.post('/v2/allocations', v2())).output.allocation_cid;
      expect(await free()).toBe('175.0000000000');
      const { allocations } = await alice.get('/v0/allocations');
      expect(allocations.map(({ contract }: any) => contract.contract_id)).toEqual([first, second]);
      const withdrawn = await alice.post(`/v0/allocations/${first}/withdraw`);
      expect(withdrawn.sender_holding_cids).toHaveLength(1);
      const { authorizer_holding_cids: held } = await alice.post(
        `/v2/allocations/${second}/withdraw`,
      );
      expect(held.Amulet).toHaveLength(1);
      expect(await free()).toBe('200.0000000000');
      for (const path of ['v0', 'v2'])
        expect((await alice.request('POST', `/${path}/allocations/${first}/withdraw`)).status).toBe(
          404,
        );
      const third = (await alice.post('/v0/allocations', v1('other'))).output.allocation_cid;
      expect((await alice.request('POST', `/v2/allocations/${third}/withdraw`)).status).toBe(200);
    });

    it('are requested by apps of every version', async () => {
      const leg = (sender: string, receiver: string) => ({
        ...{ sender, receiver, amount: '1.0', meta: { values: {} } },
        instrumentId: { admin: dso, id: 'Amulet' },
      });
      const soon = new Date(now() / 1000 + 3_600_000).toISOString();
      const request = participant.create(
        '#splice-token-test-trading-app:Splice.Testing.Apps.TradingApp:OTCTrade',
        {
          venue: operator.party,
          transferLegs: { leg0: leg(alice.party, bob.party), leg1: leg(bob.party, alice.party) },
          tradeCid: `00${'ab'.repeat(68)}`.slice(0, 138),
          createdAt: '2026-01-01T00:00:00Z',
          prepareUntil: soon,
          settleBefore: soon,
        },
        { actAs: [operator.party, alice.party, bob.party] },
      );
      const { allocation_requests: requests } = await alice.get(
        '/v0/wallet/token-standard/allocation-requests',
      );
      expect(requests).toMatchObject([
        {
          contract: {
            contract_id: request,
            template_id: expect.stringMatching(/AllocationRequestV1:AllocationRequest$/),
            payload: { settlement: { executor: operator.party } },
          },
        },
      ]);
      const path = (version: string) =>
        `/${version}/wallet/token-standard/allocation-requests/${request}/reject`;
      expect(await alice.request('POST', path('v2'))).toEqual({
        status: 404,
        body: { error: `No AllocationRequest v2 with contract id ${request} found.` },
      });
      expect((await alice.request('POST', path('v0'))).status).toBe(200);
      expect((await alice.request('POST', path('v0'))).status).toBe(404);
    });
  });
});

describeWithDars(
  'a wallet whose participant has pruned its history',
  WALLET_APP_DARS,
  (...dars) => {
    it('does not repeat a transfer', async () => {
      const { canticle, participant, alice, bob } = bootWalletApp(dars);
      const request = {
        receiver_party_id: bob.party,
        amount: '12.5',
        description: 'rent',
        expires_at: Number(canticle.network.clock.now()) + HOUR,
        tracking_id: 'rent-of-may',
      };
      const send = (version: string) =>
        alice.request('POST', `/${version}/wallet/token-standard/transfers`, request);
      const tap = () => alice.post('/v0/wallet/tap', { amount: '1' });
      await tap();
      for (const version of ['v0', 'v2']) expect((await send(version)).status).toBe(200);
      // The last update that was pruned stays known.
      await tap();
      await tap();
      participant.prune(undefined, { forgetHistory: true });
      for (const version of ['v0', 'v2'])
        expect(await send(version)).toEqual({
          status: 409,
          body: { error: 'CreateTokenStandardTransfer duplicate command' },
        });
    });
  },
);
