/** A wallet's amulets, its balance, and the faucet. */
import fc from 'fast-check';
import { APIS, servedOperations, spliceReading } from '../../../src/spec/index.js';
import { messageFor } from '../../support/arbitrary-message.js';
import { describeWithDars } from '../../support/foreign-files.js';
import { WALLET_APP_DARS, walletApp, WalletUser } from '../../support/splice/wallet-app.js';

describeWithDars('a wallet', WALLET_APP_DARS, (...dars) => {
  const { canticle, participant, dso, alice, bob, operator } = walletApp(dars);
  const stranger = new WalletUser(canticle, 'stranger', '');
  const amounts = async () => {
    const { amulets, locked_amulets: locked } = await alice.get('/v0/wallet/amulets');
    return [amulets, locked].map((list) => list.map((each: any) => each.effective_amount));
  };

  it('exists for a user with a wallet, and not for others', async () => {
    expect(await alice.get('/v0/wallet/user-status')).toEqual({
      party_id: alice.party,
      user_onboarded: true,
      user_wallet_installed: true,
      has_featured_app_right: false,
    });
    expect(await stranger.get('/v0/wallet/user-status')).toMatchObject({
      party_id: '',
      user_onboarded: false,
    });
    expect(await stranger.request('GET', '/v0/wallet/balance')).toEqual({
      status: 404,
      body: { error: "No wallet found for user 'stranger' for operation 'getBalance'" },
    });
    expect(await stranger.get('/v0/feature-support')).toEqual({
      token_standard: true,
      transfer_preapproval_description: true,
    });
  });

  it('is empty at the start', async () => {
    expect(await alice.get('/v0/wallet/balance')).toEqual({
      round: 1,
      effective_unlocked_qty: '0.0000000000',
      effective_locked_qty: '0.0000000000',
      total_holding_fees: '0.0000000000',
    });
    expect(await alice.get('/v0/wallet/amulets')).toEqual({ amulets: [], locked_amulets: [] });
  });

  it('taps dollars as amulets, rounded up, and each tap creates one amulet', async () => {
    const { contract_id: first } = await alice.post('/v0/wallet/tap', { amount: '10' });
    await alice.post('/v0/wallet/tap', { amount: '0.0000000001' });
    expect(await amounts()).toEqual([['2000.0000000000', '0.0000000200'], []]);
    const { amulets } = await alice.get('/v0/wallet/amulets');
    expect(amulets[0]).toMatchObject({
      contract: { contract: { contract_id: first, payload: { owner: alice.party } } },
      round: 1,
      accrued_holding_fee: '0.0000000000',
    });
    expect(await bob.balance()).toBe('0.0000000000');
    canticle.amulet.advanceRounds();
    expect(await alice.get('/v0/wallet/balance')).toMatchObject({
      round: 2,
      effective_unlocked_qty: '2000.0000000200',
      total_holding_fees: '0.0038052000',
    });
  });

  it('has an entry without details for an amulet that no known choice created', async () => {
    await alice.post('/v0/wallet/tap', { amount: '10' });
    const AMULET = '#splice-amulet:Splice.Amulet:Amulet';
    const [amulet] = participant.activeContracts({ template: AMULET, party: alice.party });
    participant.create(AMULET, amulet!.payload, { actAs: [dso, alice.party] });
    const { items } = await alice.post('/v0/wallet/transactions', { page_size: 1 });
    expect(items).toMatchObject([
      {
        transaction_type: 'unknown',
        transaction_subtype: { template_id: 'unknown', choice: 'unknown' },
        event_id: expect.stringMatching(/:0$/),
        date: canticle.time,
      },
    ]);
  });

  it('returns the first result for a repeated tap with the same command id', async () => {
    const request = { amount: '10', command_id: 'once' };
    const first = await alice.post('/v0/wallet/tap', request);
    expect(await alice.post('/v0/wallet/tap', { ...request, amount: '20' })).toEqual(first);
    expect(await bob.post('/v0/wallet/tap', request)).not.toEqual(first);
    expect(await alice.balance()).toBe('2000.0000000000');
    canticle.advanceTime({ hours: 25 });
    expect(await alice.request('POST', '/v0/wallet/tap', request)).toMatchObject({ status: 200 });
  });

  it('rejects an invalid amount, and an amount over the limit of the faucet', async () => {
    const refusal = (amount: string) => alice.request('POST', '/v0/wallet/tap', { amount });
    expect(await refusal('1e3')).toEqual({
      status: 400,
      body: {
        error:
          'Failed to decode: Invalid Decimal string "1e3", as it does not match "-?\\d{1,28}(\\.\\d{1,10})?"',
      },
    });
    expect(await refusal('500001')).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('100,000,000') },
    });
    expect((await refusal('0')).status).toBeGreaterThanOrEqual(400);
    expect((await refusal('-1')).status).toBeGreaterThanOrEqual(400);
  });

  it('also belongs to the operator of the validator', async () => {
    await operator.post('/v0/wallet/tap', { amount: '1' });
    expect(await operator.balance()).toBe('200.0000000000');
  });

  it('answers any request with the form in its document', async () => {
    await alice.post('/v0/wallet/tap', { amount: '1' });
    const ids = participant
      .activeContracts({ party: alice.party })
      .map(({ contractId }) => contractId);
    const texts = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.constantFrom(alice.party, bob.party, ...ids, '1', '12.5', '1e3', '-1', '0'),
    );
    const { schemas } = APIS.wallet;
    for (const { operationId, method, path, request, parameters = [] } of servedOperations(
      'wallet',
    )) {
      const message = request?.schema && messageFor(schemas, spliceReading, request.schema);
      const inputs = fc.tuple(texts, message ?? fc.constant(undefined));
      for (const [text, body] of fc.sample(inputs, { numRuns: 4, seed: 7 })) {
        const query = parameters.some((each) => each.in === 'query') ? '?after=1&limit=1' : '';
        const inPath = path.replace(/\{\w+\}/, encodeURIComponent(text)) + query;
        const { status } = await alice.request(method.toUpperCase(), inPath, spoilt(body, text));
        expect([operationId, status < 500]).toEqual([operationId, true]);
      }
    }
  });
});

/** The body with `text` in place of its first member, if that is a text. */
function spoilt(body: unknown, text: string): unknown {
  const [first] = Object.entries((body ?? {}) as object);
  return typeof first?.[1] === 'string' ? { ...(body as object), [first[0]]: text } : body;
}
