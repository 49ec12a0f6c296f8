/** Fault rules for methods of the gateway. */
import { createCanticle, startCanticle, type Canticle } from 'canticle';
import { connected, subscribed } from '../../support/wallet-gateway/gateway-client.js';

let canticle: Canticle;
beforeEach(() => {
  canticle = createCanticle({ seed: 1, walletGateway: { wallets: ['alice'], mode: 'ask' } });
});

it('a refusal is one of the participant', async () => {
  const { dapp } = await connected(canticle);
  canticle.faults.add({
    on: 'DappApi/prepareExecute',
    do: { refuse: 'PARTICIPANT_BACKPRESSURE' },
    when: { commandId: 'c1' },
  });
  const { status, body } = await dapp('prepareExecute', { commandId: 'c1', commands: [] });
  expect(status).toBe(500);
  expect(body).toMatchObject({
    id: 1,
    error: { code: -32603, data: { code: 'PARTICIPANT_BACKPRESSURE' } },
  });
  expect(body.error.message).toBe(body.error.data.cause);
});

it('a proxy turns the call away, or its answer is another one', async () => {
  const { dapp } = await connected(canticle);
  canticle.faults.add({ on: 'DappApi/status', do: { refuse: 429 }, when: { nth: 1 } });
  canticle.faults.add({
    on: 'DappApi/status',
    do: { alter: { 'result.provider.id': 'other' } },
  });
  expect((await dapp('status')).status).toBe(429);
  expect((await dapp('status')).result.provider.id).toBe('other');
  canticle.use('DappApi/status', () => ({ body: { jsonrpc: '2.0', id: 1, result: {} } }));
  expect((await dapp('status')).result).toEqual({});
});

it('the answer of an execution is lost after the commit', async () => {
  const { user, prepare, party } = await connected(canticle);
  const transactionId = (await prepare()).get('transactionId');
  const { result } = await user('sign', { transactionId, partyId: party });
  canticle.faults.add({ on: 'UserApi/execute', do: { lose: 'answer' } });
  const { signature, signedBy } = result;
  await expect(
    user('execute', { transactionId, partyId: party, signature, signedBy }),
  ).rejects.toThrow('ECONNRESET');
  expect(canticle.participant.activeContracts({ party })).toHaveLength(1);
});

it('the stream of events does not open', async () => {
  const { token } = await connected(canticle);
  canticle.faults.add({ on: 'DappApi/events', do: { refuse: 503 } });
  const { response } = await subscribed(canticle, token);
  expect(response.status).toBe(503);
});

it('an unknown method is not an operation', () => {
  expect(() => canticle.faults.add({ on: 'DappApi/other' as never, do: { refuse: 503 } })).toThrow(
    'DappApi/other',
  );
});

it('a lost answer resets the connection', async () => {
  const listening = await startCanticle({ walletGateway: true });
  listening.faults.add({ on: 'DappApi/status', do: { lose: 'answer' } });
  const call = fetch(listening.urls.dappApi!, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","method":"status"}',
  });
  await expect(call).rejects.toThrow('fetch failed');
  await listening.close();
});
