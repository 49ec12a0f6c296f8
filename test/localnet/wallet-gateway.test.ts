/** The Wallet Gateway of a LocalNet: its wallets are parties of app-user. */
import { startLocalnet, type Localnet } from 'canticle';
import { connected } from '../support/wallet-gateway/gateway-client.js';

const opened: Localnet[] = [];
const start = async (options: Parameters<typeof startLocalnet>[0]) => {
  const localnet = await startLocalnet({ spliceDars: false, validators: ['app-user'], ...options });
  opened.push(localnet);
  return localnet;
};
afterAll(() => Promise.all(opened.map((each) => each.close())));

it('adds the parties of the user at the first session', async () => {
  const localnet = await start({ walletGateway: { mode: 'ask' } });
  const { user, dapp, party, token } = await connected(localnet);
  expect(party).toBe(localnet.appUser.party);
  expect((await user('listWallets', {})).result).toMatchObject([
    { partyId: party, signingProviderId: 'participant', primary: true },
  ]);
  const { network, provider } = (await dapp('status')).result;
  expect(network).toEqual({
    networkId: 'canton:localnet',
    ledgerApi: localnet.appUser.ledgerApi,
    accessToken: token,
  });
  expect(provider.providerType).toBe('remote');
  // The participant checks the token.
  const parties = await fetch(`${localnet.appUser.ledgerApi}/v2/parties`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(parties.status).toBe(200);
  const { result } = await user('createWallet', {
    partyHint: 'alice',
    signingProviderId: 'wallet-kernel',
  });
  expect(result.wallet.hint).toBe('alice');
  expect(localnet.openPorts.at(-1)).toMatchObject({ what: 'the Wallet Gateway' });
  expect(localnet.urls.walletGateway).toBe(`http://127.0.0.1:${localnet.openPorts.at(-1)!.port}`);
});

it('takes tokens of the realm, and another node', async () => {
  const localnet = await start({
    auth: 'oauth2',
    validators: ['app-user', 'app-provider'],
    walletGateway: { participant: 'app-provider', wallets: ['alice'] },
  });
  const { party, dapp } = await connected(localnet);
  expect(party).toMatch(/^alice::/);
  expect(localnet.walletGateway.session!.user).toBe(localnet.appProvider.user);
  const { result } = await dapp('ledgerApi', {
    requestMethod: 'get',
    resource: '/v2/parties/participant-id',
  });
  expect(result.participantId).toBe(localnet.appProvider.participant.engine.id);
});

it('has no port without the option', async () => {
  const localnet = await start({});
  expect(localnet.urls).not.toHaveProperty('walletGateway');
  expect(localnet.openPorts.map(({ name }) => name)).not.toContain('wallet-gateway');
});

it('rejects an unknown participant', async () => {
  await expect(start({ walletGateway: { participant: 'nobody' } })).rejects.toThrow('nobody');
});
