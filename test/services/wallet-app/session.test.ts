/** A wallet's whole session over its API: money from the faucet, an offer that is accepted and completed, and what the history says. */
import { describeWithDars } from '../../support/foreign-files.js';
import { WALLET_APP_DARS, walletApp, WalletUser } from '../../support/splice/wallet-app.js';

const SOON = 3_600_000_000;

describeWithDars('the session of a wallet', WALLET_APP_DARS, (...dars) => {
  const { canticle, alice, bob, automation } = walletApp(dars);
  const micros = (later: number) => Number(canticle.network.clock.now()) + later;
  const offer = (more: object = {}) => ({
    receiver_party_id: bob.party,
    amount: '12.5',
    description: 'rent',
    expires_at: micros(SOON),
    tracking_id: 'rent-of-may',
    ...more,
  });
  const history = async (of: typeof alice, page_size = 10, begin_after_id?: string) =>
    (await of.post('/v0/wallet/transactions', { page_size, begin_after_id })).items as any[];
  const registered = async (name: string): Promise<WalletUser> => {
    const nobody = new WalletUser(canticle, name, '');
    expect((await nobody.request('GET', '/v0/wallet/balance')).status).toBe(404);
    const { party_id: party } = await nobody.post('/v0/register');
    expect(await nobody.get('/v0/wallet/user-status')).toMatchObject({ party_id: party });
    return new WalletUser(canticle, name, party);
  };
  const status = (of: typeof alice, id = 'rent-of-may') =>
    of.post(`/v0/wallet/transfer-offers/${id}/status`);

  it('registers, taps, offers, accepts, and reads its balance and its history', async () => {
    const bob = await registered('bob@example.com');
    automation.resume('AcceptedTransferOffer');
    await alice.post('/v0/wallet/tap', { amount: '1' });
    const { offer_contract_id: id } = await alice.post(
      '/v0/wallet/transfer-offers',
      offer({ receiver_party_id: bob.party }),
    );
    expect(await status(alice)).toEqual({
      status: 'created',
      contract_id: id,
      transaction_id: expect.any(String),
    });
    // Its receiver does not see the choice that made it.
    expect(
      (await bob.request('POST', '/v0/wallet/transfer-offers/rent-of-may/status')).status,
    ).toBe(404);
    const { offers } = await bob.get('/v0/wallet/transfer-offers');
    expect(offers).toMatchObject([{ contract_id: id, payload: { description: 'rent' } }]);
    await bob.post(`/v0/wallet/transfer-offers/${id}/accept`);
    expect((await bob.get('/v0/wallet/accepted-transfer-offers')).accepted_offers).toEqual([]);
    const { amulets } = await bob.get('/v0/wallet/amulets');
    expect(await status(alice)).toMatchObject({
      status: 'completed',
      contract_id: amulets[0].contract.contract.contract_id,
    });
    expect([await alice.balance(), await bob.balance()]).toEqual([
      '187.5000000000',
      '12.5000000000',
    ]);
    const [transfer, tap] = await history(alice);
    expect(transfer).toMatchObject({
      transaction_type: 'transfer',
      transaction_subtype: {
        template_id: expect.stringMatching(
          /^[0-9a-f]{64}:Splice\.Wallet\.TransferOffer:AcceptedTransferOffer$/,
        ),
        choice: 'AcceptedTransferOffer_Complete',
      },
      sender: { party: alice.party, amount: '-12.5000000000' },
      receivers: [{ party: bob.party, amount: '12.5000000000' }],
      holding_fees: '0.0000000000',
      description: null,
    });
    expect(tap).toMatchObject({
      transaction_type: 'balance_change',
      transaction_subtype: { choice: 'AmuletRules_DevNet_Tap', amulet_operation: null },
      event_id: expect.stringMatching(/^#1220[0-9a-f]{64}:\d+$/),
      receivers: [{ party: alice.party, amount: '200.0000000000' }],
    });
    expect(await history(bob)).toEqual([transfer]);
    expect(await history(alice, 1)).toEqual([transfer]);
    expect(await history(alice, 1, transfer.event_id)).toEqual([tap]);
    expect(await history(alice, 10, tap.event_id)).toEqual([]);
    expect(await history(alice, 10, '#nothing:0')).toEqual([]);
    expect(await history(alice, 1, '')).toEqual([transfer]);
    for (const page_size of [0, 1001])
      expect((await alice.request('POST', '/v0/wallet/transactions', { page_size })).status).toBe(
        400,
      );
  });

  it('forgets reverted transactions', async () => {
    await alice.post('/v0/wallet/tap', { amount: '1' });
    expect(await history(alice)).toHaveLength(1);
    const before = canticle.snapshot();
    await alice.post('/v0/wallet/tap', { amount: '2' });
    await alice.post('/v0/wallet/transfer-offers', offer());
    canticle.revert(before);
    await alice.post('/v0/wallet/tap', { amount: '3' });
    expect(await history(alice)).toMatchObject([
      { receivers: [{ amount: '600.0000000000' }] },
      { receivers: [{ amount: '200.0000000000' }] },
    ]);
    expect(
      (await alice.request('POST', '/v0/wallet/transfer-offers/rent-of-may/status')).status,
    ).toBe(404);
  });

  describe('an offer', () => {
    const create = async (more: object = {}) =>
      (await alice.post('/v0/wallet/transfer-offers', offer(more))).offer_contract_id as string;
    const step = (of: typeof alice, id: string, verb: string) =>
      of.request('POST', `/v0/wallet/transfer-offers/${id}/${verb}`);

    it('has a unique tracking id, even after a rejection', async () => {
      const id = await create();
      const again = await alice.request('POST', '/v0/wallet/transfer-offers', offer());
      expect(again).toEqual({
        status: 409,
        body: { error: 'CreateTransferOffer duplicate command' },
      });
      expect((await step(bob, id, 'reject')).status).toBe(200);
      expect((await step(bob, id, 'reject')).status).toBe(404);
      expect(await status(alice)).toEqual({
        status: 'failed',
        failure_kind: 'rejected',
        withdrawn_reason: null,
      });
      expect((await alice.request('POST', '/v0/wallet/transfer-offers', offer())).status).toBe(409);
    });

    it('is withdrawn by its sender', async () => {
      const id = await create();
      expect((await step(bob, id, 'withdraw')).status).toBe(400);
      expect((await step(alice, id, 'withdraw')).status).toBe(200);
      expect(await status(bob)).toEqual({
        status: 'failed',
        failure_kind: 'withdrawn',
        withdrawn_reason: 'Withdrawn by sender',
      });
    });

    it('is aborted if its sender cannot pay', async () => {
      automation.resume('AcceptedTransferOffer');
      await alice.post('/v0/wallet/tap', { amount: '0.05' });
      expect((await step(bob, await create(), 'accept')).status).toBe(200);
      expect(await status(bob)).toEqual({
        status: 'failed',
        failure_kind: 'withdrawn',
        withdrawn_reason: 'out of funds (missing 2.5 CC)',
      });
    });

    it('expires, accepted or not', async () => {
      automation.resume('ExpireTransferOffer', 'ExpireAcceptedTransferOffer');
      await create();
      const id = await create({ tracking_id: 'rent-of-june' });
      await step(bob, id, 'accept');
      canticle.advanceTime({ minutes: 61 });
      for (const each of ['rent-of-may', 'rent-of-june'])
        expect(await status(alice, each)).toMatchObject({ failure_kind: 'expired' });
      expect(
        (await step(bob, await create({ tracking_id: 'late', expires_at: 0 }), 'accept')).status,
      ).toBe(404);
    });

    it('is rejected if it is invalid', async () => {
      const refusal = async (more: object) => {
        const { status: code, body } = await alice.request(
          'POST',
          '/v0/wallet/transfer-offers',
          offer(more),
        );
        return [code, body.error];
      };
      expect(await refusal({ amount: '1e3' })).toEqual([
        400,
        expect.stringContaining('Failed to decode: Invalid Decimal string'),
      ]);
      expect(await refusal({ receiver_party_id: 'bob' })).toEqual([
        400,
        expect.stringContaining('Failed to decode: '),
      ]);
      expect((await refusal({ receiver_party_id: `bob::1220${'00'.repeat(32)}` }))[0]).toBe(404);
      expect((await refusal({ description: 'x'.repeat(280) }))[0]).toBeGreaterThanOrEqual(400);
    });
  });
});
