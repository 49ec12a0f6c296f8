/** The published clients of the Wallet Gateway, unmodified, over HTTP: the dApp's, and that of the user's pages. */
import { HttpTransport } from '@canton-network/core-rpc-transport';
import DappClient from '@canton-network/core-wallet-dapp-remote-rpc-client';
import UserClient from '@canton-network/core-wallet-user-rpc-client';
import { startCanticle, type Canticle } from 'canticle';
import { quickstartCommand, subscribed } from '../../support/wallet-gateway/gateway-client.js';

let canticle: Canticle;
beforeAll(async () => {
  canticle = await startCanticle({ seed: 1, walletGateway: { wallets: ['alice', 'bob'] } });
});
afterAll(() => canticle.close());

const dappOf = (token?: string) =>
  new DappClient(new HttpTransport(new URL(canticle.urls.dappApi!), token));
const userOf = (token?: string) =>
  new UserClient(
    new HttpTransport(new URL(`${canticle.urls.walletGateway}/api/v0/user`), token) as never,
  );

test('A page connects, and the wallet approves its transaction', async () => {
  const before = await dappOf().request({ method: 'connect' });
  expect(before).toEqual({
    isConnected: false,
    isNetworkConnected: false,
    networkReason: 'Unauthenticated',
    userUrl: `${canticle.urls.walletGateway}/login/`,
  });
  const { token } = await canticle.walletGateway.connect();
  const client = dappOf(token);
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
  expect(await events.untilStatus('executed')).toEqual(['pending', 'signed', 'executed']);
  expect(events.changes().at(-1)).toMatchObject({
    commandId: 'c1',
    payload: { updateId: expect.stringMatching(/^1220/), completionOffset: expect.any(Number) },
  });
  await events.close();
});

test('A client sees the status of an answer that is an error', async () => {
  await expect(dappOf().request({ method: 'listAccounts' })).rejects.toMatchObject({
    error: { code: 401 },
  });
});

test('The client of the user runs a transaction from its session to its execution', async () => {
  const { networks } = await userOf().request({ method: 'listNetworks' });
  expect(networks).toMatchObject([
    { id: 'canton:localnet', name: 'LocalNet', ledgerApi: canticle.url },
  ]);
  const { idps } = await userOf().request({ method: 'listIdps' });
  expect(idps).toEqual([{ id: 'idp-self-signed', type: 'self_signed', issuer: 'unsafe-auth' }]);
  const { token } = canticle.walletGateway.session!;
  const user = userOf(token);
  expect(await user.request({ method: 'getUser' })).toEqual({
    userId: 'ledger-api-user',
    isAdmin: true,
  });
  const session = await user.request({
    method: 'addSession',
    params: { networkId: 'canton:localnet' },
  });
  expect(session).toMatchObject({ status: 'connected', accessToken: token });
  expect((await user.request({ method: 'listSessions' })).sessions).toEqual([session]);
  const { wallet } = await user.request({
    method: 'createWallet',
    params: { partyHint: 'carol', signingProviderId: 'wallet-kernel', primary: true } as never,
  });
  expect(wallet).toMatchObject({ hint: 'carol', primary: true, status: 'allocated' });
  expect(await user.request({ method: 'isWalletSyncNeeded' })).toEqual({ walletSyncNeeded: false });
  expect(await user.request({ method: 'syncWallets' })).toEqual({
    added: [],
    updated: [],
    disabled: [],
  });
  canticle.walletGateway.mode = 'ask';
  const { userUrl } = await dappOf(token).request({
    method: 'prepareExecute',
    params: { commands: quickstartCommand(wallet.partyId) as never },
  });
  const transactionId = new URL(userUrl).searchParams.get('transactionId')!;
  const { partyId } = wallet;
  const pending = await user.request({ method: 'getTransaction', params: { transactionId } });
  expect(pending).toMatchObject({ id: transactionId, status: 'pending' });
  const signed = (await user.request({
    method: 'sign',
    params: { transactionId, partyId },
  })) as any;
  expect(signed).toMatchObject({ status: 'signed', partyId, signedBy: wallet.namespace });
  const { signature, signedBy } = signed;
  const executed = await user.request({
    method: 'execute',
    params: { transactionId, partyId, signature, signedBy },
  });
  expect(executed).toMatchObject({ updateId: expect.stringMatching(/^1220/) });
  const { transactions } = await user.request({ method: 'listTransactions' });
  expect(transactions.find(({ id }) => id === transactionId)).toMatchObject({ status: 'executed' });
  await user.request({ method: 'removeSession' });
  await expect(user.request({ method: 'listWallets', params: {} })).rejects.toMatchObject({
    error: { code: 401 },
  });
});
