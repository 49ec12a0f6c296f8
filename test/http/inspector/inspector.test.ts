/**
 * The inspector in a real browser, on one world of real Amulet transactions: each view, live, and with texts that
 * no page may run.
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createCanticle, flameGraph, sequenceDiagram, startCanticle } from 'canticle';
import type { Browser, Page, Route } from 'playwright';
import { describeInBrowser } from '../../support/browser.js';
import { describeWithDars } from '../../support/foreign-files.js';
import { useTemporaryFolder } from '../../support/temporary-folder.js';
import { HOSTILE, inspectedWorld, upgraded, type InspectedWorld } from './world.js';

const shell = promisify(execFile);

describeWithDars('the inspector', ['splice-amulet-0.1.14.dar'], (dar) => {
  describeInBrowser('in a browser', (open) => {
    let world: InspectedWorld;
    let browser: Browser;
    let page: Page;
    const folder = useTemporaryFolder();
    /** Errors of the browser: scripts that failed or were blocked. */
    const complaints: string[] = [];
    const urls: string[] = [];

    beforeAll(async () => {
      [browser, world] = await Promise.all([open(), inspectedWorld(dar)]);
      page = await browser.newPage({ viewport: { width: 1400, height: 860 } });
      page.setDefaultTimeout(10_000);
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      page.on('request', (request) => urls.push(request.url()));
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

    it('lists updates and refusals, each with a URL, and shows new ones while it is open', async () => {
      const { canticle, alice } = world;
      const list = rows('Updates');
      await list.filter({ hasText: 'offer accepted: 42.0 from alice to bob' }).waitFor();
      // An immediate refusal, which only the journal has, and one after sequencing, which appears once.
      expect(await list.filter({ hasText: 'CONTRACT_NOT_FOUND' }).count()).toBe(1);
      expect(await list.filter({ hasText: 'LEDGER_TIME_OUT_OF_BOUND' }).count()).toBe(1);
      expect(await list.filter({ hasText: 'reassignment' }).count()).toBe(2);
      canticle.amulet.tap(alice, '0.25');
      await list.nth(0).filter({ hasText: 'alice taps 0.25' }).waitFor();
      await list.filter({ hasText: 'CONTRACT_NOT_FOUND' }).getByRole('link').click();
      await main().getByText('refused here').waitFor();
      expect(page.url()).toMatch(/#\/updates\/request\/\d+$/);
      expect(await main().getByRole('alert').textContent()).toContain('act or read as one of them');
    });

    it("shows the effects of an update, its Daml code, and each node's witnesses with reasons", async () => {
      const { canticle, transfer } = world;
      await go(`#/updates/${transfer}`);
      const tree = page.getByRole('tree').getByRole('treeitem');
      await tree.first().waitFor();
      const trace = canticle.trace(transfer);
      await tree.nth(trace.nodes.length - 1).waitFor();
      expect(await tree.count()).toBe(trace.nodes.length);
      await page.getByRole('region', { name: 'Source' }).getByText('template').first().waitFor();
      await tree.last().click();
      // The texts may also appear next to the source, before the chosen node is visible.
      const detail = page.locator('.detail');
      for (const text of ['initialAmount', '42.0000000000', 'signatory'])
        await detail.getByText(text).first().waitFor();
      // A node has a line, its own or that of its call. A click shows the caller of the enclosing function.
      const source = page.locator('.source-panel');
      for (const id of [1, 4]) {
        await go(`#/updates/${transfer}?node=${id}`);
        await tree.nth(id).and(page.locator('[aria-selected=true]')).waitFor();
        await source.locator('.line.chosen').waitFor();
      }
      await go(`#/updates/${transfer}?node=5`);
      await source.locator('.line.chosen').getByText('result <- exercisePaymentTransfer').waitFor();
      await source.getByRole('button', { name: '← executeTransferInstr:65' }).click();
      await source.locator('.line.chosen').getByText('executeTwoStepTransfer').waitFor();
      await page.getByRole('link', { name: 'Visibility' }).click();
      const cells = page.locator('.matrix tbody tr');
      await cells.first().waitFor();
      // The matrix equals each party's stream of updates.
      const events = trace.nodes.filter(({ event }) => event);
      expect(await cells.count()).toBe(events.length);
      const seen = events.flatMap(({ witnesses }) => witnesses);
      expect(await page.locator('.matrix td.sees').count()).toBe(seen.length);
      await page.getByRole('link', { name: 'State change' }).click();
      await main().getByText('Created and archived in it').waitFor();
      await page.getByRole('link', { name: 'Storage' }).click();
      await main().getByText('no longer active').first().waitFor();
      // As pictures, which are files for documents as well: those that the controls draw.
      await page.getByRole('link', { name: 'Pictures' }).click();
      const picture = async (name: string) => {
        await page.getByRole('img', { name }).waitFor();
        const [file] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('link', { name: /^Download \w+\.svg$/ }).click(),
        ]);
        return readFileSync(await file.path(), 'utf8');
      };
      expect(await picture('Sequence diagram')).toBe(sequenceDiagram(trace));
      await page.getByLabel('Picture').selectOption('functions');
      const functions = flameGraph(canticle.profile(transfer));
      expect(await picture('Flame graph by functions of Daml')).toBe(functions);
      // Through the eyes of a party that has nothing to do with it.
      await page.getByLabel('As seen by').selectOption(`party:${world.mallory}`);
      await page.getByRole('link', { name: 'Tree' }).click();
      await main().getByText(`${trace.nodes.length} not seen`).waitFor();
      await page.getByLabel('As seen by').selectOption('');
    });

    it('shows the Daml source of an update that is opened by its URL, also after a reload', async () => {
      const { canticle, transfer } = world;
      const other = await browser.newPage();
      other.setDefaultTimeout(10_000);
      await other.goto(`${canticle.url}/canticle/#/updates/${transfer}`);
      const source = other.getByRole('region', { name: 'Source' }).getByText('template').first();
      await source.waitFor();
      await other.reload();
      await source.waitFor();
      await other.close();
    });

    it('filters updates by subject, and shows offsets, full names and full times on request', async () => {
      const { alice } = world;
      await go('#/updates');
      const list = rows('Updates');
      await page.getByLabel('About').selectOption('offer');
      await list.filter({ hasText: 'offer 7.5 from alice to bob' }).waitFor();
      expect(await list.filter({ hasText: 'taps' }).count()).toBe(0);
      expect(page.url()).toContain('about=offer');
      const accepted = list.filter({ hasText: 'offer accepted' });
      expect(await accepted.locator('.who [title]').getAttribute('title')).toBe(world.bob);
      expect(await accepted.locator('.what').getAttribute('title')).toContain(
        `from ${alice} to ${world.bob}\nTransferInstruction_Accept`,
      );
      // All of these happened in one millisecond.
      const time = await accepted.locator('.time').textContent();
      expect(time).toMatch(/\.\d{6}$/);
      const title = await accepted.locator('.time').getAttribute('title');
      expect(title).toBe(time!.replace(/0+$/, ''));
      const fractions = (await list.locator('.time').allTextContents()).map(
        (text) => text.split('.')[1]?.length ?? 0,
      );
      // The same number of digits each, so that they align.
      expect(fractions.filter((length) => length > 3 && length !== 6)).toEqual([]);
      expect(await list.locator('.offsets').count()).toBeGreaterThan(0);
      await page.getByLabel('Offsets').uncheck();
      await list.locator('.offsets').first().waitFor({ state: 'detached' });
      await page.reload();
      await list.first().waitFor();
      expect(await list.locator('.offsets').count()).toBe(0);
      await page.getByLabel('Offsets').check();
      await page.getByLabel('About').selectOption('');
    });

    it('fits a screen of 360 pixels in each view, with fields that are large enough for touch', async () => {
      const { transfer, moved } = world;
      await page.setViewportSize({ width: 360, height: 780 });
      const views = ['contracts', 'time', 'network', 'packages', 'requests', 'token', 'do'];
      for (const view of ['updates', `updates/${transfer}`, `contracts/${moved}`, ...views]) {
        await go(`#/${view}`);
        await main().locator('.view').first().waitFor();
        await page.locator('.loading').first().waitFor({ state: 'detached' });
        const [wide, low] = (await page.evaluate(`[
          Math.max(document.documentElement.scrollWidth, document.querySelector('main').scrollWidth),
          [...document.querySelectorAll('input:not([type=checkbox]), select')]
            .filter((each) => each.offsetParent && each.getBoundingClientRect().height < 30).length,
        ]`)) as [number, number];
        expect([view, wide, low]).toEqual([view, 360, 0]);
      }
      await page.setViewportSize({ width: 1400, height: 860 });
      await go('#/updates');
    });

    it('has a running clock if the network uses the wall clock', async () => {
      const wall = await startCanticle({ seed: 1, clock: 'wall' });
      try {
        const other = await browser.newPage();
        await other.goto(`${wall.url}/canticle/`);
        const clock = other.locator('.clock .mono');
        await clock.waitFor();
        const shown = await clock.textContent();
        expect(shown).toMatch(/:\d\d$/);
        await clock.filter({ hasNotText: shown! }).waitFor();
        await other.close();
      } finally {
        await wall.close();
      }
    });

    it('shows the body of a rejected request', async () => {
      await fetch(`${world.canticle.url}/v2/users`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"user":{"id":"no user at all"}}',
      });
      await go('#/requests?outcome=refused');
      await rows('Requests').first().getByRole('link').click();
      await main().getByText('no user at all', { exact: true }).waitFor();
      await go('#/updates');
    });

    it('shows contracts now and at earlier times, with their history, and runs no scripts in their texts', async () => {
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

    it('shows time in lanes, moves it forward, and reverts it', async () => {
      const { canticle } = world;
      await go('#/time');
      const lane = rows('Timeline');
      const toCome = page.locator('.side-panels');
      await lane.getByRole('img', { name: 'assigned from global to app', exact: true }).waitFor();
      await main().getByText('an offer expires').waitFor();
      await toCome.getByText('round 1 closes').waitFor();
      const before = canticle.time;
      await page.getByRole('button', { name: 'Take a snapshot' }).click();
      await page.getByRole('button', { name: '+1 hour' }).click();
      // A round was over by then, and the DSO's automation went on.
      await toCome.getByText('round 1 closes').waitFor({ state: 'detached' });
      expect(canticle.time > before).toBe(true);
      await page.locator('.snapshots').getByRole('button', { name: 'Revert' }).first().click();
      await toCome.getByText('round 1 closes').waitFor();
      expect(canticle.time).toBe(before);
    });

    it('shows the hosts of parties, and pauses and resumes a synchronizer', async () => {
      const { canticle, bob } = world;
      await go('#/network');
      const hosting = rows('Parties').filter({ hasText: 'bob' });
      expect(await hosting.textContent()).toContain('two submission');
      await page.getByRole('button', { name: 'Pause' }).last().click();
      await main().getByText('paused, 0 in flight').waitFor();
      expect(canticle.network.synchronizer('app')!.isPaused).toBe(true);
      await page.getByRole('button', { name: 'Resume' }).click();
      await main().getByText('paused, 0 in flight').waitFor({ state: 'detached' });
      await hosting.getByRole('link', { name: 'bob' }).click();
      await main().getByText(bob).first().waitFor();
    });

    it('shows the declarations of packages next to their Daml source, their use, and versions side by side', async () => {
      const { canticle } = world;
      let released = Promise.resolve();
      let release = () => {};
      const holdBack = async (route: Route) => {
        const response = await route.fetch();
        await released;
        await route.fulfill({ response });
      };
      await page.route('**/inspection/changes*', holdBack);
      await go('#/packages?find=splice-amulet');
      await rows('Packages').filter({ hasText: 'splice-amulet0.1.14' }).getByRole('link').click();
      await page.getByRole('button', { name: 'Count what is used from now on' }).click();
      await main()
        .getByText(/0 of \d+ choices/)
        .waitFor();
      canticle.amulet.tap(world.alice, '1.0');
      await main()
        .getByText(/[1-9]\d* of \d+ choices/)
        .waitFor();
      await page.getByRole('link', { name: 'Splice.AmuletRules', exact: true }).click();
      await page
        .locator('.line.hit')
        .getByText('AmuletRules_DevNet_Tap', { exact: true })
        .waitFor();
      await page.getByRole('link', { name: 'Choices used, as a picture' }).click();
      await page.getByRole('link', { name: 'Download splice-amulet-choices.svg' }).waitFor();
      const drawn = page.getByRole('img', { name: 'Which choices were exercised' });
      const source = await drawn.getAttribute('src');
      expect(decodeURIComponent(source!)).toContain('AmuletRules_DevNet_Tap 1<');
      // Nothing asks for counts any more, even before the network has told.
      released = new Promise((resolve) => (release = resolve));
      const stopped = page.waitForResponse((response) => response.request().method() === 'DELETE');
      await page.getByRole('button', { name: 'Stop counting' }).click();
      await stopped;
      await go(`#/packages/${upgraded[0]!.id}?tab=versions`);
      await page.locator('.pair-row.added').getByText('memo : Optional Text').waitFor();
      release();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    });

    it('shows the journal, with the error of each refused request', async () => {
      await go('#/requests');
      await rows('Requests').filter({ hasText: 'CONTRACT_NOT_FOUND' }).getByRole('link').click();
      await main().getByText('has the authority of mallory').waitFor();
      await page.getByRole('link', { name: 'effects, node by node' }).click();
      await main().getByText('refused here').waitFor();
    });

    it('shows the holdings, offers and allocations of each party', async () => {
      await go('#/token');
      await main().getByText('1 transfer pending').waitFor();
      const owner = page.locator('.owner').filter({ hasText: 'alice' });
      await owner.getByText('7.5 locked').waitFor();
      await main().getByText(HOSTILE.replace('\u202e', '⟨202E⟩')).waitFor({ state: 'detached' });
    });

    it('exercises a choice in a form, as a dry run and for real, and shows it as code', async () => {
      const { canticle, alice, bob, hostile } = world;
      await go(`#/do?contract=${hostile}&choice=Iou_AddObserver`);
      await page.getByLabel('newObserver').fill(bob);
      await page.getByRole('button', { name: 'Dry run' }).click();
      await main().getByText('would be accepted').waitFor();
      expect(canticle.participant.contract(hostile)).toBeDefined();
      const code = await page.locator('.elsewhere pre').allTextContents();
      // The copied code does the same: in a shell, in a test, in a scenario.
      const snapshot = canticle.snapshot();
      const { stdout } = await shell('sh', ['-c', code[0]!]);
      expect(JSON.parse(stdout)).toMatchObject({ updateId: expect.any(String) });
      expect(canticle.participant.contract(hostile)).toBeUndefined();
      canticle.revert(snapshot);
      new Function('canticle', code[1]!)(canticle);
      expect(canticle.participant.contract(hostile)).toBeUndefined();
      canticle.revert(snapshot);
      const scenario = join(folder(), 'copied.yaml');
      writeFileSync(scenario, `steps:\n${code[2]!.replace(/^/gm, '  ')}\n`);
      const again = createCanticle({ load: canticle.dump(), packages: upgraded, scenario });
      expect(again.participant.contract(hostile)).toBeUndefined();
      expect(canticle.participant.contract(hostile)).toBeDefined();
      await page.getByRole('button', { name: 'For real' }).click();
      await main().getByText('at offset').waitFor();
      expect(canticle.participant.contract(hostile)).toBeUndefined();
      const { updates } = canticle.network;
      expect(updates.at(updates.length - 1)).toMatchObject({ submission: { actAs: [alice] } });
      // A refusal has the usual text.
      await page.getByRole('button', { name: 'For real' }).click();
      await main()
        .getByText(/CONTRACT_NOT_FOUND|could not be found/)
        .first()
        .waitFor();
      complaints.length = 0;
    });

    it('has form fields for each type', async () => {
      const { canticle } = world;
      await go(`#/do?package=${upgraded[1]!.id}&template=Main:Note&by=${world.alice}`);
      await page.getByLabel('owner', { exact: true }).fill(world.alice);
      await page.getByLabel('memo: there is one').check();
      await page.getByLabel('memo', { exact: true }).fill(HOSTILE);
      await page.getByRole('button', { name: 'For real' }).click();
      await main().getByText('at offset').waitFor();
      const [note] = canticle.participant.activeContracts({ template: '#upgraded:Main:Note' });
      expect(note!.payload).toMatchObject({ owner: world.alice, memo: HOSTILE });
    });

    it('requires a token if the controls do, and then shows the protected data', async () => {
      const secret = 'a secret that is long enough for HMAC, and for nobody else';
      const services = [{ type: 'unsafe-jwt-hmac-256' as const, secret }];
      const guarded = await startCanticle({ seed: 1, auth: { services } });
      try {
        const other = await browser.newPage();
        await other.goto(guarded.urls.inspector);
        const token = await guarded.accessToken({ sub: 'participant_admin' });
        await other.getByLabel('Token').fill(token);
        await other.getByRole('button', { name: 'Look' }).click();
        await other.getByRole('list', { name: 'Updates' }).getByText('create').first().waitFor();
        await other.close();
      } finally {
        await guarded.close();
      }
    });

    it('sends requests only to this instance, and is usable with the keyboard', async () => {
      await page.keyboard.press('/');
      await page.keyboard.type('bob');
      await page.getByRole('option', { name: 'party bob' }).waitFor();
      await page.keyboard.press('Escape');
      expect(
        urls.filter(
          (url) => !url.startsWith(`${world.canticle.url}/canticle/`) && !url.startsWith('data:'),
        ),
      ).toEqual([]);
    });
  });
});
