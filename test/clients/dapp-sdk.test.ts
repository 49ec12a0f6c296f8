/**
 * The published `dapp-sdk`, unmodified, in a browser. It finds wallets, shows its own list of them, and gets transactions executed. The
 * wallets are a Wallet Gateway, and one that announces itself.
 */
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright';
import { startCanticle, type Canticle } from 'canticle';
import { describeInBrowser } from '../support/browser.js';
import { quickstartCommand } from '../support/wallet-gateway/gateway-client.js';
import { DappSite } from './dapp-site.js';

/** The page of a dApp. Its button would call `connect`. */
const PAGE = `
import * as sdk from '@canton-network/dapp-sdk';
import { installWallet } from './src/provider/index.js';
const seen = [];
const note = (name) => (event) => seen.push(name === 'txChanged' ? event.status : name);
Object.assign(window, { seen, sdk });
window.install = (url) => installWallet({ url, logIn: () => window.logIn(), discovery: ['announcement'] });
window.connect = async (rpcUrl) => {
  await sdk.init({ defaultAdapters: [new sdk.RemoteAdapter({ name: 'The gateway', rpcUrl })] });
  const connection = await sdk.connect();
  await sdk.onTxChanged(note('txChanged'));
  await sdk.onAccountsChanged(note('accountsChanged'));
  await sdk.onStatusChanged(note('statusChanged'));
  return connection;
};
window.outcome = (params) => sdk.prepareExecuteAndWait(params).then(
  ({ tx }) => tx.status,
  ({ code, details }) => code ?? details,
);`;

/** Only its adapter for mobile wallets needs this package, which is an optional peer. */
const WALLET_CONNECT = 'export default { init() { throw new Error("not in this test"); } };';

async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: PAGE, resolveDir: process.cwd() },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    logLevel: 'silent',
    plugins: [
      {
        name: 'optional',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^@walletconnect\/sign-client$/ }, ({ path }) => ({
            path,
            namespace: 'optional',
          }));
          onLoad({ filter: /^/, namespace: 'optional' }, () => ({ contents: WALLET_CONNECT }));
        },
      },
    ],
  });
  return outputFiles[0]!.text;
}

describeInBrowser('a page with dapp-sdk', (open) => {
  let browser: Browser;
  let canticle: Canticle;
  let site: DappSite;
  let page: Page;

  beforeAll(async () => {
    site = await DappSite.open(await bundled());
    canticle = await startCanticle({ seed: 1, walletGateway: { wallets: ['alice', 'bob'] } });
    browser = await open();
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
    await canticle.close();
  });

  beforeEach(async () => {
    canticle.reset();
    const context = await browser.newContext();
    await context.exposeFunction('logIn', () => canticle.walletGateway.connect());
    page = await context.newPage();
    await page.goto(site.url);
    await page.waitForFunction('window.connect');
  });
  afterEach(() => page.context().close());

  const call = (name: string, argument: unknown): Promise<any> =>
    page.evaluate(([method, given]) => (globalThis as any)[method as string](given), [
      name,
      argument,
    ] as const);
  const events = (): Promise<string[]> => page.evaluate('seen.splice(0)');
  const transact = (amount?: string) =>
    call('outcome', {
      commandId: 'c1',
      commands: quickstartCommand(canticle.walletGateway.wallets[0]!.partyId, amount),
    });

  /** Connects, and chooses a wallet in the list of the SDK. */
  async function connectTo(wallet: string) {
    const picker = page.waitForEvent('popup');
    const connected = call('connect', canticle.urls.dappApi);
    const popup = await picker;
    await popup.getByText(wallet, { exact: true }).click();
    return { popup, connection: await connected };
  }

  describe('through the gateway', () => {
    const connect = () => connectTo('The gateway');

    it('gets its transaction executed, and sees its events in order', async () => {
      const { connection } = await connect();
      expect(connection).toMatchObject({ isConnected: true, isNetworkConnected: true });
      expect(await transact()).toBe('executed');
      expect(await events()).toEqual(['pending', 'signed', 'executed']);
      await canticle.walletGateway.as('bob');
      await page.waitForFunction('seen.length > 0');
      expect(await events()).toEqual(['accountsChanged']);
    });

    it('learns that the user rejected only from an event that a switch adds, and disconnects', async () => {
      const { popup } = await connect();
      Object.assign(canticle.walletGateway, { mode: 'ask', failedEvents: true });
      const outcome = transact();
      await popup.getByRole('button', { name: 'Reject' }).click();
      expect(await outcome).toBe('Transaction with commandId c1 failed to execute.');
      expect(await events()).toEqual(['pending', 'failed']);
      expect(await page.evaluate('sdk.disconnect()')).toBeNull();
      expect(await page.evaluate('sdk.isConnected()')).toMatchObject({ isConnected: false });
      expect(canticle.walletGateway.session).toBeUndefined();
    });
  });

  describe('through a wallet that announces itself', () => {
    beforeEach(() => call('install', canticle.urls.walletGateway));
    const connect = () => connectTo('Canticle');

    it('gets its transaction executed, and sees its events in order', async () => {
      const { connection } = await connect();
      expect(connection).toMatchObject({ isConnected: true });
      expect(await transact()).toBe('executed');
      expect(await events()).toEqual(['pending', 'signed', 'executed']);
    });

    it('gets the code of a rejection and that of a failure, and disconnects', async () => {
      await connect();
      canticle.walletGateway.mode = 'reject';
      expect(await transact()).toBe(4001);
      canticle.walletGateway.mode = 'approve';
      expect(await transact('-1.0')).toBe(-32603);
      expect(await page.evaluate('sdk.disconnect()')).toBeNull();
      expect(await page.evaluate('sdk.isConnected()')).toMatchObject({ isConnected: false });
    });
  });
});
