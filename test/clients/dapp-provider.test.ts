/**
 * The published provider of CIP-0103 for pages (`core-provider-dapp`), unmodified, in a browser: login, events, approval. The page opens
 * windows and listens as `dapp-sdk` does.
 */
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright';
import { startCanticle, type Canticle } from 'canticle';
import { describeInBrowser } from '../support/browser.js';
import { quickstartCommand } from '../support/wallet-gateway/gateway-client.js';
import { DappSite } from './dapp-site.js';

/** The page of a dApp. It offers what a button would do. */
const PAGE = `
import { DappAsyncProvider } from '@canton-network/core-provider-dapp';
const statuses = [];
window.connectTo = async (url) => {
  window.provider = new DappAsyncProvider(new URL(url));
  const connected = new Promise((resolve) => provider.on('statusChanged', (event) => {
    if (event.connection.isConnected) resolve(event);
  }));
  const { userUrl } = await provider.request({ method: 'connect' });
  window.open(userUrl, 'wallet', 'width=400,height=600');
  return connected;
};
window.transact = async (params) => {
  const { userUrl } = await provider.request({ method: 'prepareExecute', params });
  window.open(userUrl, 'wallet', 'width=400,height=600');
  const seen = [];
  return new Promise((resolve) => {
    const listener = (event) => {
      // The first event may come before or after the answer.
      if (event.status !== 'pending') seen.push(event.status);
      if (event.status === 'executed' || event.status === 'failed') {
        provider.removeListener('txChanged', listener);
        resolve(seen);
      }
    };
    provider.on('txChanged', listener);
  });
};`;

describeInBrowser('a page with the published provider', (open) => {
  let browser: Browser;
  let canticle: Canticle;
  let site: DappSite;
  let page: Page;

  beforeAll(async () => {
    const bundled = await build({
      stdin: { contents: PAGE, resolveDir: process.cwd() },
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'browser',
      logLevel: 'silent',
    });
    site = await DappSite.open(bundled.outputFiles[0]!.text);
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
    page = await context.newPage();
    await page.goto(site.url);
    await page.waitForFunction('window.connectTo');
  });
  afterEach(() => page.context().close());

  const call = (name: string, argument: unknown): Promise<any> =>
    page.evaluate(([method, given]) => (globalThis as any)[method as string](given), [
      name,
      argument,
    ] as const);
  const connect = () => call('connectTo', canticle.urls.dappApi);
  const party = () => canticle.walletGateway.wallets[0]!.partyId;
  const transact = () =>
    call('transact', { commandId: 'c1', commands: quickstartCommand(party()) });

  it('connects, and gets its transaction executed, without a click', async () => {
    const status = await connect();
    expect(status.session).toMatchObject({ userId: 'ledger-api-user' });
    expect(await transact()).toEqual(['signed', 'executed']);
  });

  it('asks the user on pages that close', async () => {
    canticle.walletGateway.mode = 'ask';
    const login = page.waitForEvent('popup');
    const connected = connect();
    const popup = await login;
    await popup.getByLabel('Select a network').selectOption({ label: 'LocalNet' });
    await popup.getByRole('button', { name: 'Connect' }).click();
    await connected;
    await popup.getByText('Connected to LocalNet').waitFor();
    const executed = transact();
    await popup
      .getByRole('heading', { name: `${site.url} wants to submit a transaction` })
      .waitFor();
    const closed = popup.waitForEvent('close');
    await popup.getByRole('button', { name: 'Approve' }).click();
    expect(await executed).toEqual(['signed', 'executed']);
    await closed;
  });

  it('learns of the decision of the test, and its page closes', async () => {
    await connect();
    Object.assign(canticle.walletGateway, { mode: 'ask', failedEvents: true });
    const popup = page.context().pages()[1]!;
    const failed = transact();
    await popup.getByRole('button', { name: 'Reject' }).waitFor();
    const closed = popup.waitForEvent('close');
    await canticle.walletGateway.reject();
    expect(await failed).toEqual(['failed']);
    await closed;
  });

  it('fits a narrow window', async () => {
    await connect();
    canticle.walletGateway.mode = 'ask';
    const popup = page.context().pages()[1]!;
    await popup.setViewportSize({ width: 360, height: 640 });
    void transact().catch(() => undefined);
    await popup.getByRole('button', { name: 'Approve' }).waitFor();
    const overflow = await popup.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    expect(overflow).toBe(0);
  });
});
