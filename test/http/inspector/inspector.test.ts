/** The inspector in a real browser, on one world of real Amulet transactions: each view, live, and with texts that no page may run. */
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser.js';
import { describeWithDars } from '../../support/foreign-files.js';
import { HOSTILE, inspectedWorld, type InspectedWorld } from './world.js';

describeWithDars('the inspector', ['splice-amulet-0.1.14.dar'], (dar) => {
  describeInBrowser('in a browser', (open) => {
    let world: InspectedWorld;
    let browser: Browser;
    let page: Page;
    /** What the browser complained of: scripts that broke, or were kept from running. */
    const complaints: string[] = [];
    const asked: string[] = [];

    beforeAll(async () => {
      [browser, world] = await Promise.all([open(), inspectedWorld(dar)]);
      page = await browser.newPage({ viewport: { width: 1400, height: 860 } });
      page.setDefaultTimeout(10_000);
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      page.on('request', (request) => asked.push(request.url()));
      await page.goto(`${world.canticle.url}/canticle/`);
    });
    afterEach(() => expect(complaints.splice(0)).toEqual([]));
    afterAll(async () => {
      await browser?.close();
      await world?.canticle.close();
    });

    const go = (hash: string) => page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    const rows = (name: string) => page.getByRole('list', { name }).getByRole('listitem');
    const main = () => page.locator('main');

    it('lists what happened and what was refused, each with a URL of its own, and shows what comes while it is open', async () => {
      const { canticle, alice } = world;
      const list = rows('Updates');
      await list.filter({ hasText: 'TransferInstruction_Accept' }).waitFor();
      // At once, which the journal alone knows; and behind a synchronizer, which is not told twice.
      expect(await list.filter({ hasText: 'CONTRACT_NOT_FOUND' }).count()).toBe(1);
      expect(await list.filter({ hasText: 'LEDGER_TIME_OUT_OF_BOUND' }).count()).toBe(1);
      expect(await list.filter({ hasText: 'reassignment' }).count()).toBe(2);
      canticle.amulet.tap(alice, '0.25');
      await list.nth(0).filter({ hasText: 'AmuletRules_DevNet_Tap' }).waitFor();
      await list.filter({ hasText: 'CONTRACT_NOT_FOUND' }).getByRole('link').click();
      await main().getByText('refused here').waitFor();
      expect(page.url()).toMatch(/#\/updates\/request\/\d+$/);
      expect(await main().getByRole('alert').textContent()).toContain('act or read as one of them');
    });

    it('shows what an update did, in its Daml, with who sees each node and why', async () => {
      const { canticle, transfer } = world;
      await go(`#/updates/${transfer}`);
      const tree = page.getByRole('tree').getByRole('treeitem');
      await tree.first().waitFor();
      const trace = canticle.trace(transfer);
      expect(await tree.count()).toBe(trace.nodes.length);
      await page.getByRole('region', { name: 'Source' }).getByText('template').first().waitFor();
      await tree.last().click();
      await main().getByText('initialAmount').waitFor();
      const detail = await page.locator('.detail').textContent();
      expect(detail).toContain('42.0000000000');
      expect(detail).toContain('signatory');
      await page.getByRole('link', { name: 'Who sees what' }).click();
      const cells = page.locator('.matrix tbody tr');
      await cells.first().waitFor();
      // The matrix is what each party's stream of updates shows.
      const events = trace.nodes.filter(({ event }) => event);
      expect(await cells.count()).toBe(events.length);
      const seen = events.flatMap(({ witnesses }) => witnesses);
      expect(await page.locator('.matrix td.sees').count()).toBe(seen.length);
      await page.getByRole('link', { name: 'State change' }).click();
      await main().getByText('Created and archived in it').waitFor();
      await page.getByRole('link', { name: 'What participants store' }).click();
      await main().getByText('no longer active').first().waitFor();
      // Through the eyes of a party that has nothing to do with it.
      await page.getByLabel('As seen by').selectOption(`party:${world.mallory}`);
      await page.getByRole('link', { name: 'Tree' }).click();
      await main().getByText(`${trace.nodes.length} not seen`).waitFor();
      await page.getByLabel('As seen by').selectOption('');
    });

    it('shows contracts now and then, with their lives, and runs nothing that stands in them', async () => {
      const { moved, hostile } = world;
      await go('#/contracts?template=Quickstart.Iou:Iou');
      const list = rows('Contracts');
      await list.first().waitFor();
      expect(await list.count()).toBe(2);
      await go(`#/contracts/${moved}`);
      await main().getByText('counter 1').first().waitFor();
      const life = await page.locator('.life li').allTextContents();
      expect(life.map((each) => /^[a-z]+/.exec(each)?.[0])).toEqual([
        'created',
        'unassigned',
        'assigned',
      ]);
      await go(`#/contracts/${hostile}`);
      await main().getByText('more characters').click();
      const text = await main().textContent();
      expect(text).toContain(HOSTILE.replace('\u202e', '⟨202E⟩'));
      expect(await page.evaluate(`'pwned' in window`)).toBe(false);
      expect(await page.locator('img,main script').count()).toBe(0);
      await go('#/contracts?interface=Splice.Api.Token.HoldingV1:Holding');
      await list.filter({ hasText: 'LockedAmulet' }).first().getByRole('link').click();
      await main().getByText('View of').first().waitFor();
    });

    it('asks this instance alone, and is found with the keyboard', async () => {
      await page.keyboard.press('/');
      await page.keyboard.type('bob');
      await page.getByRole('option', { name: 'party bob' }).waitFor();
      await page.keyboard.press('Escape');
      expect(
        asked.filter(
          (url) => !url.startsWith(`${world.canticle.url}/canticle/`) && !url.startsWith('data:'),
        ),
      ).toEqual([]);
    });
  });
});
