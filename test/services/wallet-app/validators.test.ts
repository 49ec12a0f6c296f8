/** Wallets at two validators, each asked at its own: what one pays the other receives, with every task at work. */
import { createCanticle } from 'canticle';
import { describeWithDars } from '../../support/foreign-files.js';
import { WALLET_APP_DARS, WalletUser } from '../../support/splice/wallet-app.js';

describeWithDars('wallets at two validators', WALLET_APP_DARS, (amulet, ...dars) => {
  it('send amulets to each other by an offer, and by a transfer of the token standard', async () => {
    const canticle = createCanticle({
      seed: 1,
      participants: [{ name: 'sv' }, { name: 'provider' }, { name: 'user' }],
      amulet: { dar: amulet },
      dars,
    });
    const registered = async (name: string, at: string): Promise<WalletUser> => {
      const { party_id: party } = await new WalletUser(canticle, name, '', at).post('/v0/register');
      return new WalletUser(canticle, name, party, at);
    };
    const alice = await registered('alice', 'provider');
    const bob = await registered('bob', 'user');
    const terms = (amount: string, tracking_id: string) => ({
      receiver_party_id: bob.party,
      amount,
      description: 'rent',
      expires_at: Number(canticle.network.clock.now()) + 3_600_000_000,
      tracking_id,
    });
    await alice.post('/v0/wallet/tap', { amount: '1' });

    const { offer_contract_id: offer } = await alice.post(
      '/v0/wallet/transfer-offers',
      terms('12.5', 'a'),
    );
    await bob.post(`/v0/wallet/transfer-offers/${offer}/accept`);
    const { output } = await alice.post('/v0/wallet/token-standard/transfers', terms('7.5', 'b'));
    await bob.post(`/v0/wallet/token-standard/transfers/${output.transfer_instruction_cid}/accept`);

    expect(await bob.balance()).toBe('20.0000000000');
    expect((await alice.post('/v0/wallet/transfer-offers/a/status')).status).toBe('completed');
    const { items } = await bob.post('/v0/wallet/transactions', { page_size: 10 });
    expect(
      items.map((item: any) => [item.transaction_subtype.choice, item.receivers[0].amount]),
    ).toEqual([
      ['TransferInstruction_Accept', '7.5000000000'],
      // Bob sees the instruction made, not the choice that locked what it is of.
      ['TransferFactory_Transfer', '0.0000000000'],
      ['AcceptedTransferOffer_Complete', '12.5000000000'],
    ]);

    // Each wallet belongs to its own validator: the other one has no such user.
    const astray = new WalletUser(canticle, 'alice', alice.party, 'user');
    expect((await astray.request('GET', '/v0/wallet/balance')).status).toBe(404);

    // The separately received coins are one coin after the wallet merged them.
    canticle.advanceTime({ minutes: 30 });
    expect((await bob.get('/v0/wallet/amulets')).amulets).toHaveLength(1);
  });
});
