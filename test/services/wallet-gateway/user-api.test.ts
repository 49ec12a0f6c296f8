/** The methods of the user's pages: networks, identity providers, wallets and transactions. */
import { createCanticle, startCanticle, type Canticle } from 'canticle';
import { connected, quickstartCommand, rpc } from '../../support/wallet-gateway/gateway-client.js';

let canticle: Canticle;
beforeEach(() => {
  canticle = createCanticle({ seed: 1, walletGateway: { wallets: ['alice'], mode: 'ask' } });
});

const auth = { method: 'self_signed', audience: 'a', scope: 's', clientId: 'ledger-api-user' };
const network = {
  id: 'canton:other',
  name: 'Other',
  description: 'Another network',
  identityProviderId: 'idp-self-signed',
  auth,
  ledgerApi: 'http://127.0.0.1:1',
};
const errorOf = ({ body }: { body: any }) => body.error.message as string;

describe('A caller', () => {
  it('without a token gets the failure of the server', async () => {
    const { status, body } = await rpc(canticle, 'user', 'listWallets');
    expect([status, body]).toEqual([500, expect.stringContaining('Internal Server Error')]);
  });

  it('without a session gets 401', async () => {
    const { token } = await canticle.walletGateway.connect();
    canticle.walletGateway.dropSession();
    const { status, body } = await rpc(canticle, 'user', 'listWallets', {}, { token });
    expect([status, body]).toEqual([401, { error: 'No active session found' }]);
  });

  it.each(['listNetworks', 'listIdps'])('needs no token for %s', async (method) => {
    expect((await rpc(canticle, 'user', method)).status).toBe(200);
  });

  it('is not the administrator unless it is the user of the wallet', async () => {
    const [head, , signature] = (await canticle.walletGateway.connect()).token.split('.');
    const claims = { sub: 'eve', iss: 'unsafe-auth', scope: 's' };
    const token = [head, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join(
      '.',
    );
    const call = (method: string, params?: unknown) =>
      rpc(canticle, 'user', method, params, { token });
    expect((await call('getUser')).result).toEqual({ userId: 'eve', isAdmin: false });
    // Eve is not a user of the participant.
    const { body } = await call('addSession', { networkId: 'canton:localnet' });
    expect(body.error).toEqual({ code: -32603, message: 'Failed to add session', data: {} });
    for (const [method, params] of [
      ['addNetwork', { network }],
      ['removeNetwork', { networkName: 'x' }],
      ['addIdp', { idp: { id: 'i', type: 'self_signed', issuer: 'x' } }],
      ['removeIdp', { identityProviderId: 'x' }],
    ] as const)
      expect(errorOf(await call(method, params))).toBe(
        'Unauthorized: only the admin user can perform this operation',
      );
  });

  it('of addSession without a token, or for an unknown network, gets one error', async () => {
    const { user } = await connected(canticle);
    const params = { networkId: 'canton:unknown' };
    expect(errorOf(await rpc(canticle, 'user', 'addSession', params))).toBe(
      'Failed to add session',
    );
    expect(errorOf(await user('addSession', params))).toBe('Failed to add session');
  });
});

it('a user without a session has no sessions', async () => {
  const { token } = await canticle.walletGateway.connect();
  canticle.walletGateway.dropSession();
  const { gateway } = canticle.walletGateway as any;
  const caller = { token, root: 'http://localhost' };
  expect(await gateway.call('user', 'listSessions', undefined, caller)).toEqual({ sessions: [] });
});

describe('Networks and identity providers', () => {
  it('are added, replaced and removed', async () => {
    const { user } = await connected(canticle);
    const ids = async () =>
      (await user('listNetworks')).result.networks.map((each: any) => [each.id, each.name]);
    expect((await user('addNetwork', { network })).result).toBeNull();
    expect(await ids()).toEqual([
      ['canton:localnet', 'LocalNet'],
      ['canton:other', 'Other'],
    ]);
    const { result } = await user('listNetworks');
    expect(result.networks[1]).toEqual(network);
    // Only the user that added it sees it.
    expect((await rpc(canticle, 'user', 'listNetworks')).result.networks).toHaveLength(1);
    await user('removeNetwork', { networkName: 'canton:other' });
    expect(await ids()).toEqual([['canton:localnet', 'LocalNet']]);
    await user('addNetwork', { network });
    await user('addNetwork', { network: { ...network, name: 'Changed' } });
    expect(await ids()).toContainEqual(['canton:other', 'Changed']);
    expect(errorOf(await user('removeNetwork', { networkName: 'canton:other' }))).toBe(
      'Network canton:other is not owned by user ledger-api-user',
    );
    expect(errorOf(await user('removeNetwork', { networkName: 'x' }))).toBe(
      'Network x does not exists',
    );
    const homeless = { ...network, id: 'canton:third', identityProviderId: 'none' };
    expect(errorOf(await user('addNetwork', { network: homeless }))).toBe(
      'Identity provider "none" not found',
    );
  });

  it('of a provider are in use until the last network is removed', async () => {
    const { user } = await connected(canticle);
    const idp = { id: 'idp', type: 'oauth', issuer: 'https://i', configUrl: 'https://i/config' };
    expect(errorOf(await user('addIdp', { idp: { ...idp, configUrl: undefined } }))).toContain(
      'configUrl',
    );
    await user('addIdp', { idp });
    expect((await user('listIdps')).result.idps[1]).toEqual(idp);
    await user('addNetwork', { network: { ...network, identityProviderId: 'idp' } });
    expect(errorOf(await user('removeIdp', { identityProviderId: 'idp' }))).toBe(
      'Cannot delete IDP idp as it is in use by existing networks',
    );
    await user('removeNetwork', { networkName: 'canton:other' });
    await user('removeIdp', { identityProviderId: 'idp' });
    expect(errorOf(await user('removeIdp', { identityProviderId: 'idp' }))).toBe(
      'IDP idp does not exists',
    );
  });

  it('without an administrator add no wallets', async () => {
    const { user } = await connected(canticle);
    await user('addNetwork', { network });
    expect(errorOf(await user('addSession', { networkId: 'canton:other' }))).toBe(
      'Failed to add session',
    );
    expect(errorOf(await user('createWallet', wallet('bob')))).toBe('No admin auth configured');
    const { result } = await user('listSessions');
    expect(result.sessions[0]).toMatchObject({
      status: 'disconnected',
      reason: 'Ledger unreachable: fetch failed',
    });
  });

  it('without an administrator begin no session, even at the own participant', async () => {
    const listening = await startCanticle({ walletGateway: true });
    const { user } = await connected(listening);
    const same = { ...network, ledgerApi: `${listening.url}/` };
    await user('addNetwork', { network: same });
    expect(errorOf(await user('addSession', { networkId: same.id }))).toBe('Failed to add session');
    await user('addNetwork', { network: { ...same, adminAuth: auth } });
    expect((await user('addSession', { networkId: same.id })).result.status).toBe('connected');
    await listening.close();
  });

  it('of another issuer are checked by the participant', async () => {
    const { user } = await connected(canticle);
    const idp = { id: 'idp', type: 'oauth', issuer: 'i', configUrl: 'https://i/config' };
    await user('addIdp', { idp });
    const claims = { sub: 'participant_admin', iss: 'i', scope: 's' };
    const token = `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`;
    expect((await rpc(canticle, 'user', 'getUser', undefined, { token })).result).toMatchObject({
      userId: 'participant_admin',
    });
    const strict = createCanticle({
      walletGateway: true,
      auth: { services: [{ type: 'unsafe-jwt-hmac-256', secret: 'other' }] },
    });
    const own = await connected(strict);
    await own.user('addIdp', { idp });
    expect((await rpc(strict, 'user', 'getUser', undefined, { token })).status).toBe(401);
    // The wallet's own tokens open the Ledger API.
    expect((await own.user('createWallet', wallet('alice'))).status).toBe(200);
  });
});

const wallet = (partyHint: string, signingProviderId = 'wallet-kernel', primary?: boolean) => ({
  partyHint,
  signingProviderId,
  ...(primary !== undefined && { primary }),
});

describe('Wallets', () => {
  const hints = async (user: (method: string, params?: unknown) => any, filter?: unknown) =>
    (await user('listWallets', { filter })).result.map(({ hint, primary }: any) => [hint, primary]);

  it('are created, by the key of the wallet or by the participant', async () => {
    const { user, events } = await connected(canticle);
    const stream = await events();
    const { result } = await user('createWallet', wallet('bob', 'participant'));
    const [hint, namespace] = result.wallet.partyId.split('::');
    expect(result.wallet).toEqual({
      primary: false,
      partyId: `${hint}::${namespace}`,
      status: 'allocated',
      hint: 'bob',
      publicKey: namespace,
      namespace,
      networkId: 'canton:localnet',
      signingProviderId: 'participant',
      externalTxId: '',
      topologyTransactions: '',
      rights: [],
    });
    await stream.until(({ name }) => name === 'accountsChanged');
    expect(stream.seen[0]!.args[0].map(({ hint: each }: any) => each)).toEqual(['alice', 'bob']);
    expect(await hints(user)).toEqual([
      ['alice', true],
      ['bob', false],
    ]);
    expect(await hints(user, { signingProviderIds: ['participant'] })).toEqual([['bob', false]]);
    await user('createWallet', wallet('carol', 'wallet-kernel', true));
    expect(await hints(user)).toEqual([
      ['alice', false],
      ['bob', false],
      ['carol', true],
    ]);
    await stream.close();
  });

  it('of the participant sign without a signature', async () => {
    const { user, dapp, events } = await connected(canticle);
    const { result } = await user('createWallet', wallet('bob', 'participant', true));
    const { partyId, namespace } = result.wallet;
    const stream = await events();
    const prepared = await dapp('prepareExecute', {
      commandId: 'c1',
      commands: quickstartCommand(partyId),
    });
    const transactionId = new URL(prepared.result.userUrl).searchParams.get('transactionId');
    const signed = (await user('sign', { transactionId, partyId })).result;
    expect(signed).toEqual({
      status: 'signed',
      signature: 'none',
      signedBy: namespace,
      partyId,
    });
    const { signature, signedBy } = signed;
    const executed = await user('execute', { transactionId, partyId, signature, signedBy });
    expect(executed.result).toMatchObject({ updateId: expect.stringMatching(/^1220/) });
    expect(await stream.untilStatus('executed')).toEqual(['pending', 'executed']);
    await stream.close();
  });

  it('change their primary', async () => {
    const { user, events } = await connected(canticle);
    const { result } = await user('createWallet', wallet('bob'));
    const stream = await events();
    expect((await user('setPrimaryWallet', { partyId: result.wallet.partyId })).result).toBeNull();
    await stream.until(({ name }) => name === 'accountsChanged');
    expect(await hints(user)).toEqual([
      ['alice', false],
      ['bob', true],
    ]);
    expect(errorOf(await user('setPrimaryWallet', { partyId: 'x' }))).toBe(
      'Wallet with partyId "x" not found in network "canton:localnet"',
    );
    await stream.close();
  });

  it('are not removed', async () => {
    const { user, party } = await connected(canticle);
    expect((await user('removeWallet', { partyId: party })).result).toEqual({});
    expect(await hints(user)).toEqual([['alice', true]]);
  });

  it('of an unknown signing provider are not created', async () => {
    const { user } = await connected(canticle);
    expect(errorOf(await user('createWallet', wallet('bob', 'fireblocks')))).toBe(
      'Signing provider fireblocks not supported',
    );
  });

  it('follow the rights of the user', async () => {
    const { user, party, events } = await connected(canticle);
    const { participant } = canticle;
    const own = participant.allocateParty('own');
    const other = (await user('createWallet', wallet('bob'))).result.wallet.partyId;
    const rights = (path: string, kinds: readonly object[]) =>
      canticle.handle({
        method: path === '' ? 'POST' : 'PATCH',
        path: '/v2/users/ledger-api-user/rights',
        body: {
          userId: 'ledger-api-user',
          identityProviderId: '',
          rights: kinds.map((kind) => ({ kind })),
        },
      });
    expect((await user('isWalletSyncNeeded')).result).toEqual({ walletSyncNeeded: false });
    await rights('revoke', [{ CanActAs: { value: { party: other } } }]);
    expect((await user('isWalletSyncNeeded')).result).toEqual({ walletSyncNeeded: true });
    await rights('', [{ CanActAs: { value: { party: other } } }]);
    expect((await user('isWalletSyncNeeded')).result).toEqual({ walletSyncNeeded: false });
    await rights('', [
      { CanReadAs: { value: { party: own } } },
      { CanExecuteAs: { value: { party: own } } },
      { CanReadAsAnyParty: { value: {} } },
    ]);
    await rights('revoke', [{ CanActAs: { value: { party: other } } }]);
    expect((await user('isWalletSyncNeeded')).result).toEqual({ walletSyncNeeded: true });
    const stream = await events();
    const { result } = await user('syncWallets');
    expect(result.added).toMatchObject([
      { hint: 'own', signingProviderId: 'participant', rights: ['CanReadAs', 'CanExecuteAs'] },
    ]);
    expect(result.updated).toMatchObject([{ hint: 'bob', status: 'initialized' }]);
    expect(result.disabled).toEqual([]);
    expect((await user('listSessions')).result.sessions[0].rights).toEqual(['CanReadAsAnyParty']);
    // The participant has no party for a wallet that is initialized.
    const again = (await user('syncWallets')).result;
    expect(again).toEqual({ added: [], updated: [], disabled: [] });
    await rights('revoke', [
      { CanReadAs: { value: { party: own } } },
      { CanExecuteAs: { value: { party: own } } },
    ]);
    expect((await user('syncWallets')).result.disabled).toMatchObject([
      { hint: 'own', disabled: true, reason: 'participant namespace changed', primary: false },
    ]);
    expect((await user('syncWallets')).result.disabled).toEqual([]);
    expect(await hints(user)).toContainEqual(['alice', true]);
    expect(party).toMatch(/^alice::/);
    expect(stream.seen).toEqual([]);
    await stream.close();
  });

  it('of an unknown key are disabled', async () => {
    const { user, events, party } = await connected(canticle);
    const stranger = createCanticle({ seed: 9, walletGateway: { wallets: ['eve'] } });
    await connected(stranger);
    const { partyId } = stranger.walletGateway.wallets[0]!;
    await canticle.handle({
      path: '/v2/users/ledger-api-user/rights',
      body: {
        userId: 'ledger-api-user',
        identityProviderId: '',
        rights: [{ kind: { CanActAs: { value: { party: partyId } } } }],
      },
    });
    const stream = await events();
    const { result } = await user('syncWallets');
    expect(result.disabled).toMatchObject([
      {
        partyId,
        disabled: true,
        signingProviderId: 'participant',
        reason: 'no signing provider matched',
      },
    ]);
    expect(result.added).toEqual([]);
    // Without the right for the primary wallet, the next one that can be used is primary.
    await user('createWallet', wallet('carol'));
    await canticle.handle({
      method: 'PATCH',
      path: '/v2/users/ledger-api-user/rights',
      body: {
        userId: 'ledger-api-user',
        identityProviderId: '',
        rights: [{ kind: { CanActAs: { value: { party } } } }],
      },
    });
    await user('syncWallets');
    expect(await hints(user)).toEqual([
      ['alice', false],
      ['eve', false],
      ['carol', true],
    ]);
    await stream.close();
  });

  it('of a key of the wallet belong to each user with the right', async () => {
    const { party } = await connected(canticle);
    await canticle.handle({
      path: '/v2/users/participant_admin/rights',
      body: {
        userId: 'participant_admin',
        identityProviderId: '',
        rights: [{ kind: { CanReadAs: { value: { party } } } }],
      },
    });
    const claims = { sub: 'participant_admin', iss: 'unsafe-auth', scope: 's' };
    const token = `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`;
    await rpc(canticle, 'user', 'addSession', { networkId: 'canton:localnet' }, { token });
    const { result } = await rpc(canticle, 'user', 'listWallets', {}, { token });
    expect(result).toMatchObject([
      {
        partyId: party,
        signingProviderId: 'wallet-kernel',
        publicKey: expect.stringMatching(/=$/),
        disabled: false,
        rights: ['CanReadAs'],
        primary: true,
      },
    ]);
  });

  it('cause an event if some are new and others disabled', async () => {
    const { user, events } = await connected(canticle);
    const own = canticle.participant.allocateParty('own');
    const stranger = createCanticle({ seed: 9, walletGateway: { wallets: ['eve'] } });
    await connected(stranger);
    const stream = await events();
    await canticle.handle({
      path: '/v2/users/ledger-api-user/rights',
      body: {
        userId: 'ledger-api-user',
        identityProviderId: '',
        rights: [own, stranger.walletGateway.wallets[0]!.partyId].map((party) => ({
          kind: { CanActAs: { value: { party } } },
        })),
      },
    });
    const { result } = await user('syncWallets');
    expect([result.added, result.disabled]).toMatchObject([[{ hint: 'own' }], [{ hint: 'eve' }]]);
    await stream.until(({ name }) => name === 'accountsChanged');
    expect(stream.seen[0]!.args[0]).toHaveLength(3);
    await stream.close();
  });

  it('get their party back', async () => {
    const { user, party } = await connected(canticle);
    expect(errorOf(await user('allocatePartyForWallet', { partyId: 'x' }))).toBe(
      'Wallet not found for party x',
    );
    const { partyId } = (await user('createWallet', wallet('bob', 'participant'))).result.wallet;
    // The participant has the party: it cannot be allocated again.
    const { body } = await user('allocatePartyForWallet', { partyId });
    expect(body.error.data).toMatchObject({ errorCategory: 8 });
    const own = await user('allocatePartyForWallet', { partyId: party });
    expect(errorOf(own)).toContain('already exists on synchronizer');
  });
});

describe('Transactions', () => {
  it('are signed by their wallet alone', async () => {
    const { user, prepare, party } = await connected(canticle);
    const transactionId = (await prepare()).get('transactionId')!;
    expect(errorOf(await user('sign', { transactionId, partyId: 'x' }))).toBe(
      'No primary wallet found',
    );
    const unknown = '00000000-0000-4000-8000-000000000000';
    expect(errorOf(await user('sign', { transactionId: unknown, partyId: party }))).toBe(
      `Transaction not found with id: ${unknown}`,
    );
    const execute = { signature: 'AAAA', signedBy: 'x', partyId: party };
    expect(errorOf(await user('execute', { ...execute, transactionId: unknown }))).toBe(
      'No transaction found',
    );
    expect(errorOf(await user('execute', { ...execute, transactionId, partyId: 'x' }))).toBe(
      'No primary wallet found',
    );
    const forged = await user('execute', { ...execute, transactionId });
    expect(forged.body.error.data.errorCategory).toBeDefined();
  });

  it('are deleted only while they are pending', async () => {
    const { user, prepare } = await connected(canticle);
    const transactionId = (await prepare()).get('transactionId')!;
    await canticle.walletGateway.approve();
    expect(errorOf(await user('deleteTransaction', { transactionId }))).toBe(
      "Cannot delete transaction with status 'executed'. Only pending transactions can be deleted.",
    );
    const other = (await prepare('c2')).get('transactionId')!;
    expect((await user('deleteTransaction', { transactionId: other })).result).toBeNull();
    expect(errorOf(await user('deleteTransaction', { transactionId: other }))).toBe(
      `Transaction not found with id: ${other}`,
    );
    expect(errorOf(await user('getTransaction', { transactionId: other }))).toBe(
      `Transaction not found with id: ${other}`,
    );
    const { transactions } = (await user('listTransactions')).result;
    expect(transactions.map(({ id }: any) => id)).toEqual([transactionId]);
  });

  it('belong to the network of the session', async () => {
    const { user, prepare } = await connected(canticle);
    await prepare();
    await canticle.walletGateway.network('canton:elsewhere');
    expect((await user('listTransactions')).result.transactions).toEqual([]);
  });

  it('name the participant, the wallet and the commands as the dApp did', async () => {
    const { dapp, user, party } = await connected(canticle);
    const commands = quickstartCommand(party);
    const params = { commandId: 'c', commands, actAs: [party], readAs: [party] };
    const { result } = await dapp('prepareExecute', params);
    const transactionId = new URL(result.userUrl).searchParams.get('transactionId');
    const { payload } = (await user('getTransaction', { transactionId })).result;
    expect(JSON.parse(payload)).toEqual(params);
  });
});
