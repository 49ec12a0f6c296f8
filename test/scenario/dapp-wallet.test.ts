/** Verbs about the wallet of dApps: in a file, before the gateway starts, and as functions, while a dApp is connected. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCanticle, type Canticle, type CanticleOptions } from 'canticle';
import { useTemporaryFolder } from '../support/temporary-folder.js';
import { connected, quickstartCommand, rpc } from '../support/wallet-gateway/gateway-client.js';

const MAX_ORDERS = 1000;

const folder = useTemporaryFolder();
let files = 0;
function withScenario(
  steps: string,
  options: CanticleOptions = {},
  head = 'walletGateway: true',
): Canticle {
  const file = join(folder(), `${(files += 1)}.yaml`);
  writeFileSync(file, `${head}\nparties: [alice, bob]\nsteps:\n${steps}\n`);
  return createCanticle({ ...options, scenario: file });
}
const withGateway = () =>
  createCanticle({ seed: 1, walletGateway: { wallets: ['alice', 'bob'], mode: 'ask' } });

/** The names of the wallet's events from now on, with what is important in each. */
function eventsOf({ walletGateway }: Canticle): unknown[] {
  const seen: unknown[] = [];
  walletGateway.listen((name, [content]) => {
    const { connection, network } = content as any;
    seen.push(
      name === 'accountsChanged'
        ? (content as any[]).find(({ primary }) => primary)?.hint
        : [name, connection?.isConnected ?? (content as any).status, network?.networkId],
    );
  });
  return seen;
}
const primaryOf = async (canticle: Canticle) => {
  const { dapp } = await connected(canticle);
  return (await dapp('getPrimaryAccount')).result;
};

it('a file sets the mode, the delay and the switches', () => {
  const { walletGateway } = withScenario(
    '  - walletMode: ask\n  - { walletMode: reject, delay: PT5S, fail: no key, failedEvents: true, replayEvents: true }',
    { walletGateway: { delay: { seconds: 1 } } },
  );
  expect(walletGateway).toMatchObject({
    mode: 'reject',
    delay: 5_000_000n,
    fail: 'no key',
    failedEvents: true,
    replayEvents: true,
  });
});

it('a file and options describe the gateway together, and options count', () => {
  const head = 'walletGateway: { mode: reject, delay: PT5S, failedEvents: true, network: a:b }';
  const of = (walletGateway: CanticleOptions['walletGateway']) =>
    withScenario('  - { mint: 1, to: bob }', { walletGateway }, head);
  const expected = { mode: 'reject', delay: 5_000_000n, failedEvents: true };
  expect(of(undefined).walletGateway).toMatchObject(expected);
  expect(of(true).walletGateway).toMatchObject(expected);
  expect(of({ mode: 'ask' }).walletGateway).toMatchObject({ ...expected, mode: 'ask' });
  expect(() => of(false).walletGateway).toThrow('no Wallet Gateway');
});

it('a later mode has no delay and no failure, but the same switches', () => {
  const { scenario, walletGateway } = withGateway();
  scenario.walletMode('reject', { delay: 'PT5S', fail: 'no key', failedEvents: true });
  scenario.walletMode('approve');
  expect(walletGateway).toMatchObject({ mode: 'approve', delay: 0n, failedEvents: true });
  expect(walletGateway.fail).toBeUndefined();
  scenario.walletMode('approve', { failedEvents: false, replayEvents: true });
  expect(walletGateway).toMatchObject({ failedEvents: false, replayEvents: true });
});

it('a file gives dApps a party of the network, which can spend its tokens', async () => {
  const canticle = withScenario('  - { mint: 25, to: bob }\n  - walletAccount: bob');
  const { hint, partyId, signingProviderId } = await primaryOf(canticle);
  expect([hint, signingProviderId]).toEqual(['bob', 'participant']);
  expect(canticle.token.holdings(partyId)).toHaveLength(1);
  const { dapp } = await connected(canticle);
  await dapp('prepareExecute', { commands: quickstartCommand(partyId), commandId: 'c1' });
});

it('a file gives dApps a new external party', async () => {
  const canticle = withScenario('  - { walletAccount: carol, external: true }');
  const { hint, signingProviderId, primary } = await primaryOf(canticle);
  expect([hint, signingProviderId, primary]).toEqual(['carol', 'wallet-kernel', true]);
  expect(canticle.walletGateway.wallets).toHaveLength(1);
});

it('the order survives a revert to the start', async () => {
  const canticle = withScenario('  - walletAccount: bob');
  const start = canticle.snapshot();
  expect((await primaryOf(canticle)).hint).toBe('bob');
  canticle.revert(start);
  expect(canticle.walletGateway.wallets).toEqual([]);
  expect((await primaryOf(canticle)).hint).toBe('bob');
});

it('a connected dApp sees another account before its next call', async () => {
  const canticle = withGateway();
  const { dapp } = await connected(canticle);
  const seen = eventsOf(canticle);
  canticle.scenario.walletAccount('bob');
  canticle.scenario.walletAccount('carol', { external: true });
  expect((await dapp('getPrimaryAccount')).result.hint).toBe('carol');
  expect(seen).toEqual(['bob', 'carol']);
});

it('a connected dApp sees the change of the account without a call', async () => {
  const canticle = withGateway();
  await connected(canticle);
  const seen = eventsOf(canticle);
  canticle.scenario.walletAccount('bob');
  while (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(seen).toEqual(['bob']);
});

it('a file moves the wallet to another network, once a dApp connects', async () => {
  const canticle = withScenario('  - walletNetwork: canton:other');
  const { dapp } = await connected(canticle);
  const { result } = await dapp('status');
  expect(result.network.networkId).toBe('canton:other');
  expect(result.connection).toMatchObject({ isConnected: true, isNetworkConnected: false });
});

it('a test moves the wallet of a connected dApp to another network', async () => {
  const canticle = withGateway();
  const { dapp } = await connected(canticle);
  const seen = eventsOf(canticle);
  canticle.scenario.walletNetwork('canton:other');
  expect((await dapp('getActiveNetwork')).result.networkId).toBe('canton:other');
  expect(seen).toEqual([['statusChanged', true, 'canton:other'], undefined]);
});

it('a file locks the wallet, and unlocks it', async () => {
  expect(withScenario('  - walletSession: lock').walletGateway.isLocked).toBe(true);
  const steps = '  - walletSession: lock\n  - walletSession: unlock';
  expect(withScenario(steps).walletGateway.isLocked).toBe(false);
  expect(withScenario('  - walletSession: disconnect').walletGateway.session).toBeUndefined();
  expect(withScenario('  - walletSession: drop').walletGateway.session).toBeUndefined();
});

it('a test locks, unlocks and ends the session of a connected dApp', async () => {
  const canticle = withGateway();
  const { scenario, walletGateway } = canticle;
  const { dapp } = await connected(canticle);
  const seen = eventsOf(canticle);
  scenario.walletSession('lock');
  expect((await dapp('getPrimaryAccount')).status).toBe(401);
  scenario.walletSession('unlock');
  expect((await dapp('getPrimaryAccount')).status).toBe(200);
  scenario.walletSession('disconnect');
  expect(walletGateway.session).toBeUndefined();
  expect(seen).toEqual([
    ['statusChanged', false, undefined],
    ['statusChanged', true, 'canton:localnet'],
    ['statusChanged', false, undefined],
  ]);
  await walletGateway.connect();
  seen.length = 0;
  scenario.walletSession('drop');
  expect(walletGateway.session).toBeUndefined();
  expect(seen).toEqual([]);
});

it('a saved world has the settings and the orders', async () => {
  const canticle = withScenario('  - walletMode: ask\n  - walletAccount: bob');
  const copy = createCanticle({ walletGateway: true, load: canticle.dump() });
  expect(copy.walletGateway.mode).toBe('ask');
  expect((await primaryOf(copy)).hint).toBe('bob');
});

it.each([
  ['walletMode: ask', 'There is no Wallet Gateway'],
  ['walletSession: lock', 'There is no Wallet Gateway'],
  ['walletAccount: alice', 'There is no Wallet Gateway'],
  ['walletNetwork: canton:other', 'There is no Wallet Gateway'],
])('%s needs a gateway', (step, error) => {
  expect(() => withScenario(`  - ${step}`, {}, 'seed: 1')).toThrow(error);
});

it('names an unknown party, and a user that does not exist', () => {
  expect(() => withGateway().scenario.walletAccount('nobody')).toThrow("'nobody'");
  const walletGateway = { user: 'nobody' };
  const named = () => withScenario('  - walletAccount: bob', { walletGateway });
  expect(named).toThrow('USER_NOT_FOUND');
});

it('an order that cannot be carried out fails the next call, once', async () => {
  const canticle = withGateway();
  const { dapp } = await connected(canticle);
  canticle.scenario.walletAccount('not/a/hint', { external: true });
  expect((await dapp('listAccounts')).body.error.message).toContain('not/a/hint');
  expect((await dapp('listAccounts')).status).toBe(200);
});

it('keeps a number of orders', () => {
  const { scenario } = withGateway();
  for (let n = 0; n < MAX_ORDERS; n += 1) scenario.walletNetwork('canton:other');
  expect(() => scenario.walletNetwork('canton:other')).toThrow(`at most ${MAX_ORDERS} orders`);
});

it('calls without a session leave the orders', async () => {
  const canticle = withScenario('  - walletAccount: bob');
  expect((await rpc(canticle, 'dapp', 'status')).result.connection.isConnected).toBe(false);
  expect((await primaryOf(canticle)).hint).toBe('bob');
});
