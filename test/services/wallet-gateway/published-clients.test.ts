/**
 * The published clients of the Wallet Gateway, unmodified, from a login to an executed transaction. `core-wallet-user-rpc-client`
 * has the user's side.
 */
import { HttpTransport } from '@canton-network/core-rpc-transport';
import DappClient from '@canton-network/core-wallet-dapp-remote-rpc-client';
import { startCanticle, type Canticle } from 'canticle';
import { quickstartCommand, subscribed } from './gateway-client.js';

let canticle: Canticle;
beforeAll(async () => {
  canticle = await startCanticle({ seed: 1, walletGateway: { wallets: ['alice', 'bob'] } });
});
afterAll(() => canticle.close());

const clientOf = (token?: string) =>
  new DappClient(new HttpTransport(new URL(canticle.urls.dappApi!), token));

test('A page connects, and the wallet approves its transaction', async () => {
  const before = await clientOf().request({ method: 'connect' });
  expect(before).toEqual({
    isConnected: false,
    isNetworkConnected: false,
    networkReason: 'Unauthenticated',
    userUrl: `${canticle.urls.walletGateway}/login/`,
  });
  const { token } = await canticle.walletGateway.connect();
  const client = clientOf(token);
  const events = await subscribed(canticle, token);
  expect(await client.request({ method: 'connect' })).toMatchObject({ isConnected: true });
  const accounts = await client.request({ method: 'listAccounts' });
  expect(accounts.map(({ hint, primary }) => [hint, primary])).toEqual([
    ['alice', true],
    ['bob', false],
  ]);
  const { userUrl } = await client.request({
    method: 'prepareExecute',
    params: { commandId: 'c1', commands: quickstartCommand(accounts[0]!.partyId) as never },
  });
  expect(userUrl).toMatch(
    /\/approve\/index\.html\?transactionId=[-\da-f]{36}&commandId=c1&closeafteraction$/,
  );
  const changes = await events.until(({ status }) => status === 'executed');
  expect(changes.map(({ status }) => status)).toEqual(['pending', 'signed', 'executed']);
  const [, , executed] = changes;
  expect(executed).toMatchObject({
    commandId: 'c1',
    payload: { updateId: expect.stringMatching(/^1220/), completionOffset: expect.any(Number) },
  });
  await events.close();
});
