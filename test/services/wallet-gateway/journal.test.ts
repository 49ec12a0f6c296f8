/** Calls of the gateway in the journal of requests. */
import { createCanticle, type Canticle } from 'canticle';
import { connected, quickstartCommand, rpc } from '../../support/wallet-gateway/gateway-client.js';

let canticle: Canticle;
beforeEach(() => {
  canticle = createCanticle({ seed: 1, walletGateway: { wallets: ['alice'], mode: 'ask' } });
});

const entries = () =>
  canticle.requests
    .list({ api: 'gateway' })
    .map(({ operation, status, outcome, error, explanation }) => [
      operation,
      status,
      outcome,
      error,
      explanation,
    ]);

it('has each call, with its method', async () => {
  const { dapp, user } = await connected(canticle);
  await dapp('getPrimaryAccount');
  await user('listWallets');
  expect(entries()).toEqual([
    ['DappApi/getPrimaryAccount', 200, 'answered', undefined, undefined],
    ['UserApi/listWallets', 200, 'answered', undefined, undefined],
  ]);
  expect(canticle.requests.list({ api: 'gateway' })[0]).toMatchObject({
    method: 'POST',
    path: '/api/v0/dapp',
    at: canticle.time,
    validation: { ok: true },
  });
});

it('has the code and the message of an error', async () => {
  await rpc(canticle, 'dapp', 'getPrimaryAccount');
  await rpc(canticle, 'dapp', 'unknown');
  await rpc(canticle, 'dapp', 'prepareExecute', { commands: 1 });
  expect(entries()).toEqual([
    ['DappApi/getPrimaryAccount', 401, 'refused', '4100', expect.stringMatching(/\w/)],
    ['DappApi/unknown', 404, 'refused', '-32601', 'Method unknown not found'],
    [
      'DappApi/prepareExecute',
      expect.any(Number),
      'refused',
      '-32602',
      expect.stringContaining('Invalid parameters of prepareExecute'),
    ],
  ]);
});

it('has a request that is not JSON-RPC', async () => {
  const headers = { 'content-type': 'application/json' };
  await canticle.handle({ path: '/api/v0/dapp', headers, body: { id: 1 } });
  expect(entries()).toEqual([[undefined, 400, 'refused', '-32600', expect.any(String)]]);
});

it('has the rejection of the participant before that of the gateway', async () => {
  const { party, dapp } = await connected(canticle);
  await dapp('prepareExecute', { commands: quickstartCommand(party, '-1.0') });
  const [ledger, gateway] = canticle.requests.list({ outcome: 'refused' });
  expect(ledger).toMatchObject({ api: 'ledger', error: 'TEMPLATE_PRECONDITION_VIOLATED' });
  expect(ledger!.explanation).toBeDefined();
  expect(gateway).toMatchObject({ api: 'gateway', operation: 'DappApi/prepareExecute' });
  expect(gateway!.explanation).toContain('precondition violation');
});

it('has calls that a fault rule answers', async () => {
  canticle.faults.add({ on: 'DappApi/status', do: { refuse: 'PARTICIPANT_BACKPRESSURE' } });
  canticle.faults.add({ on: 'DappApi/connect', do: { lose: 'answer' } });
  await rpc(canticle, 'dapp', 'status');
  await rpc(canticle, 'dapp', 'connect').catch(() => undefined);
  expect(entries()).toEqual([
    ['DappApi/status', expect.any(Number), 'refused', expect.any(String), expect.any(String)],
    ['DappApi/connect', 200, 'answered', undefined, undefined],
  ]);
});
