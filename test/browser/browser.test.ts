/** The built `canticle/browser` in Chromium: a page and a worker load it from the files of the package, and get what Node gets. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { createCanticle } from 'canticle';
import type { Browser } from 'playwright';
import { ensureBuilt, root } from '../repository/built-package.js';
import { describeInBrowser } from '../support/browser.js';
import { isHere, realDar } from '../support/foreign-files.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';
import { darOf, packageOf } from '../script/script-package.js';
import { amuletFlow, digest, tokenFlow } from './flows.js';
import { Site } from './site.js';

const AMULET = 'splice-amulet-0.1.14.dar';
const MAX_FIRST_BYTES = 1_000_000;

beforeAll(ensureBuilt, 60_000);

describeInBrowser('canticle/browser', (open) => {
  let browser: Browser;
  let site: Site;
  const folder = useTemporaryFolder();

  beforeAll(async () => {
    const [opened, msw] = await Promise.all([
      open(),
      mswPage(),
      promisify(execFile)('node', ['scripts/playground.mjs', folder()], { cwd: root }),
    ]);
    browser = opened;
    const own = { '/msw.js': msw, '/mockServiceWorker.js': mswWorker() };
    site = new Site(browser, own, { playground: folder() });
    await site.open();
  }, 60_000);
  afterEach(() => expect(site.complaints.splice(0)).toEqual([]));
  afterAll(async () => {
    await site?.close();
    await browser?.close();
  });

  it('needs less than 1 MB, compressed, for the first answer', async () => {
    site.requested.length = 0;
    const version = await site.run(`
      const ledger = await canticle.createCanticle();
      const alice = ledger.participant.allocateParty('alice');
      const iou = { issuer: alice, owner: alice, currency: 'EUR', amount: '-1.0', observers: [] };
      try {
        ledger.participant.create('#canticle-quickstart:Quickstart.Iou:Iou', iou, { actAs: [alice] });
      } catch ({ code }) {
        return [code, (await ledger.fetch(new Request('http://ledger/v2/version'))).status];
      }`);
    expect(version).toEqual(['TEMPLATE_PRECONDITION_VIOLATED', 200]);
    const files = site.requested.filter((path) => path.endsWith('.js'));
    const sizes = files.map((path) => gzipSync(readFileSync(join(root, path))).length);
    expect(files).toContain('/dist/cjs/packs/pack.js');
    expect(files).not.toContain('/dist/cjs/packs/pack-daml.js');
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_FIRST_BYTES);
  });

  it.each(['page', 'worker'] as const)(
    'a %s transfers the test token, as Node does',
    async (place) => {
      const inNode = await tokenFlow({ createCanticle }, digest);
      expect(inNode.digest).toMatch(/^200 [1-9]/);
      expect(inNode.reverted).toBeLessThan(inNode.before);
      expect(await site.runFlow(place, tokenFlow, digest)).toEqual(inNode);
    },
  );

  const withAmulet = isHere('DARs', AMULET) ? it : it.skip;
  withAmulet(
    `a worker runs real Amulet with token-standard flows, as Node does (needs DARs: ${AMULET})`,
    async () => {
      const inNode = await amuletFlow({ createCanticle }, digest, realDar(AMULET)!);
      expect(inNode.scan).toBe(200);
      expect(inNode.digest).toMatch(/^200 [1-9]/);
      expect(inNode.reverted).toBeLessThan(inNode.before);
      expect(await site.runFlow('worker', amuletFlow, digest, AMULET)).toEqual(inNode);
    },
  );

  it('runs templates that the page defines', async () => {
    const result = await site.run(`
      const { createCanticle, d, definePackage, defineTemplate } = canticle;
      const Note = defineTemplate({
        name: 'Notes:Note',
        fields: { owner: d.party, text: d.text },
        signatories: ({ owner }) => [owner],
      });
      const notes = definePackage({ name: 'notes', version: '1.0.0', templates: [Note] });
      const { participant } = await createCanticle({ packages: [notes] });
      const alice = participant.allocateParty('alice');
      participant.create(Note, { owner: alice, text: 'hi' }, { actAs: alice });
      return participant.activeContracts({ party: alice }).map(({ payload }) => payload.text);`);
    expect(result).toEqual(['hi']);
  });

  it('answers the requests of a page through the worker of MSW, and its WebSockets', async () => {
    await site.page.evaluate(`import('/msw.js')`);
    expect(await site.page.evaluate('globalThis.outcome')).toEqual({
      end: 200,
      unknown: expect.stringContaining('Canticle has no such operation'),
      updates: ['alice'],
      closed: 1000,
      refused: 1006,
    });
  });

  it.each([
    [`(await canticle.createCanticle()).listen()`, 'ports'],
    [`(await canticle.createCanticle()).app`, 'Express applications'],
    [`(await canticle.createCanticle()).save('world.gz')`, 'files'],
    [`canticle.createCanticle({ dars: ['model.dar'] })`, 'files'],
    [`canticle.createCanticle({ amulet: { dar: 'amulet.dar' } })`, 'files'],
    [`canticle.createCanticle({ load: 'world.gz' })`, 'files'],
    [`canticle.createCanticle({ scenario: 'first.yaml' })`, 'files'],
    [`canticle.createCanticle({ cache: 'folder' })`, 'files'],
    [`canticle.createCanticle({ grpc: true })`, 'gRPC'],
  ])('%s says that a browser has no %s', async (code, what) => {
    const message = site.run(`return await ${code};`);
    await expect(message).rejects.toThrow(`NotInBrowser: A browser has no ${what}, so that`);
  });

  it('a synchronous call names the option for code that is not loaded', async () => {
    const traced = (options: string) => `
      const ledger = await canticle.createCanticle(${options});
      ledger.participant.allocateParty('alice');
      return ledger.trace({ commandId: 'none' });`;
    // Other tests have loaded more parts.
    await site.page.reload();
    await expect(site.run(traced(''))).rejects.toThrow('the option parts of createCanticle');
    await expect(site.run(traced(`{ parts: ['traces'] }`))).rejects.toThrow('LedgerError');
  });

  it('refuses an unknown part', async () => {
    const unknown = site.run(`return canticle.createCanticle({ parts: ['dar'] });`);
    await expect(unknown).rejects.toThrow(`'dar' is not a part`);
  });

  it('answers as other releases, and with tokens', async () => {
    const statuses = await site.run(`
      const auth = { services: [{ type: 'built-in-issuer' }] };
      const ledger = await canticle.createCanticle({ canton: '3.4', auth });
      const ask = (headers) => ledger.handle({ path: '/v2/users', headers });
      const token = await ledger.accessToken({ sub: 'participant_admin' });
      const given = await ask({ authorization: 'Bearer ' + token });
      const version = await ledger.handle({ path: '/v2/version' });
      return [given.status, (await ask({})).status, version.json().version.slice(0, 3)];`);
    expect(statuses).toEqual([200, 401, '3.4']);
  });

  it('a dApp gets its transaction executed by a wallet and a gateway in the same page', async () => {
    const executed = await site.run(`
      const { installWallet } = await import('/dist/wallet/wallet.mjs');
      const walletGateway = { wallets: ['alice'] };
      const ledger = await canticle.createCanticle({ seed: 7, walletGateway });
      const { provider, remove } = installWallet({ canticle: ledger });
      await provider.request({ method: 'connect' });
      const { partyId } = await provider.request({ method: 'getPrimaryAccount' });
      const iou = { issuer: partyId, owner: partyId, currency: 'EUR', amount: '1.0', observers: [] };
      const templateId = '#canticle-quickstart:Quickstart.Iou:Iou';
      const commands = [{ CreateCommand: { templateId, createArguments: iou } }];
      const method = 'prepareExecuteAndWait';
      const { tx } = await provider.request({ method, params: { commands } });
      remove();
      return [tx.status, ledger.participant.activeContracts({ party: partyId }).length];`);
    expect(executed).toEqual(['executed', 1]);
  });

  it('each story of the example has its own ledger', async () => {
    const shown = await site.page.evaluate(`(async () => {
      const { default: meta, ...stories } = await import('/examples/storybook/holdings.stories.js');
      const texts = {};
      for (const [name, { loaders }] of Object.entries(stories)) {
        const loaded = Object.assign({}, ...(await Promise.all(loaders.map((load) => load()))));
        const element = meta.render({}, { loaded });
        while (element.textContent === 'Loading…') await new Promise((resolve) => setTimeout(resolve, 1));
        texts[name] = [...element.querySelectorAll('h2, li')].map(({ textContent }) => textContent);
        if (texts[name].length === 0) texts[name] = element.textContent;
      }
      return texts;
    })()`);
    expect(shown).toEqual({
      Nothing: ['alice has 0 tokens'],
      TwoHoldings: ['alice has 12.5 tokens', '10 tokens', '2.5 tokens'],
      AnOffer: ['alice has 0 tokens', 'bob offers 12 tokens'],
      AFailingNetwork: 'The ledger answered 503.',
    });
  });

  it('the playground has a ledger, forms, the inspector, and takes DARs', async () => {
    const { page } = site;
    page.setDefaultTimeout(10_000);
    await page.goto(`${site.url}/playground/index.html`);
    const said = page.getByRole('status');
    await said.filter({ hasText: 'Everything stays in this page' }).waitFor();
    const updates = page.getByRole('list', { name: 'Updates' }).getByRole('listitem');
    await updates.filter({ hasText: 'create Quickstart.Iou:Iou' }).waitFor();

    await page.getByLabel('New party').fill('carol');
    await page.getByRole('button', { name: 'Add' }).click();
    await updates.filter({ hasText: 'added carol' }).waitFor();

    const bytes = JSON.stringify([...darOf(packageOf({}))]);
    const drop = (content: string) =>
      page.evaluate(`{
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([new Uint8Array(${content})], 'own.dar'));
        const zone = document.querySelector('#dars');
        for (const type of ['dragover', 'drop'])
          zone.dispatchEvent(new DragEvent(type, { dataTransfer, cancelable: true }));
      }`);
    await drop('[1, 2, 3]');
    await page.locator('#said.failed').waitFor();
    await drop(bytes);
    await said.filter({ hasText: 'Uploaded: own.dar' }).waitFor();

    await page.getByRole('button', { name: 'Reset' }).click();
    await said.filter({ hasText: 'as at its start' }).waitFor();
    await page.goto(site.url);
  });

  it('saves a world and loads it', async () => {
    const same = await site.run(`
      const parts = ['worlds'];
      const ledger = await canticle.createCanticle({ seed: 3, parts });
      const alice = ledger.participant.allocateParty('alice');
      ledger.token.mint(alice, '5.0');
      const loaded = await canticle.createCanticle({ load: ledger.dump(), parts });
      return [ledger, loaded].map((each) => each.token.holdings(alice)[0].contractId);`);
    expect(same).toHaveLength(2);
    expect(new Set(same as string[]).size).toBe(1);
  });
});

/** A page with MSW, bundled as users bundle it. */
async function mswPage(): Promise<string> {
  const contents = `
    import { setupWorker } from 'msw/browser';
    import { createCanticle } from 'canticle/browser';
    import { canticleHandlers } from 'canticle/browser/msw';
    const LEDGER = 'https://participant.example';
    const canticle = await createCanticle({ seed: 1 });
    const alice = canticle.participant.allocateParty('alice');
    const worker = setupWorker(...canticleHandlers(canticle, LEDGER));
    await worker.start({ quiet: true, onUnhandledRequest: 'bypass' });
    const stream = (path) => {
      const socket = new WebSocket(LEDGER.replace('http', 'ws') + path, ['daml.ws.auth']);
      const seen = [];
      socket.addEventListener('message', ({ data }) => seen.push(data));
      const closed = new Promise((resolve) =>
        socket.addEventListener('close', ({ code }) => resolve(code)),
      );
      const opened = new Promise((resolve) => socket.addEventListener('open', resolve));
      return { socket, seen, closed, opened };
    };
    const { socket, seen, closed, opened } = stream('/v2/updates');
    await opened;
    canticle.token.mint(alice, '1.0');
    const filter = { identifierFilter: { WildcardFilter: { value: {} } } };
    const eventFormat = { filtersByParty: { [alice]: { cumulative: [filter] } }, verbose: true };
    const includeTransactions = { eventFormat, transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' };
    const endInclusive = canticle.participant.ledgerEnd;
    socket.send(JSON.stringify({ beginExclusive: 0, endInclusive, updateFormat: { includeTransactions } }));
    globalThis.outcome = {
      end: (await fetch(LEDGER + '/v2/state/ledger-end')).status,
      unknown: (await (await fetch(LEDGER + '/v2/nothing')).json()).message,
      closed: await closed,
      updates: seen.filter((data) => data.includes(alice)).map(() => 'alice').slice(0, 1),
      refused: await stream('/v2/version').closed,
    };
    worker.stop();`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['browser'],
    alias: {
      'canticle/browser': './dist/browser/index.js',
      'canticle/browser/msw': './dist/browser/msw.js',
    },
    write: false,
    logLevel: 'error',
  });
  return outputFiles[0]!.text;
}

const mswWorker = (): string =>
  readFileSync(join(root, 'node_modules/msw/lib/mockServiceWorker.js'), 'utf8');
