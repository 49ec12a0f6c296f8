/** The inspector of a LocalNet, whose participants have their own ports and tokens, in a real browser. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { quickstartPackage, startLocalnet, type Localnet } from 'canticle';
import type { Browser, Page } from 'playwright';
import { describeInBrowser } from '../../support/browser.js';

const shell = promisify(execFile);

describeInBrowser('in a browser', (open) => {
  let localnet: Localnet;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    [browser, localnet] = await Promise.all([
      open(),
      startLocalnet({ seed: 1, spliceDars: false, packages: [quickstartPackage] }),
    ]);
    page = await browser.newPage({ viewport: { width: 1400, height: 860 } });
    page.setDefaultTimeout(10_000);
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    await page.goto(localnet.urls.inspector);
  });
  afterEach(() => expect(complaints.splice(0)).toEqual([]));
  afterAll(async () => {
    await browser?.close();
    await localnet?.close();
  });

  it('shows each view, without a token that other pages could obtain', async () => {
    const shown: readonly (readonly [view: string, text: string | RegExp])[] = [
      ['updates', /^added app_user_loc…party-1/],
      ['contracts', 'WalletAppInstall'],
      ['time', 'round 1 closes'],
      ['network', '3 participants'],
      ['packages', 'splice-amulet'],
      ['requests', 'No such requests.'],
      ['token', 'There are no holdings.'],
      ['do', 'Select the acting parties.'],
    ];
    for (const [view, text] of shown) {
      await page.evaluate(`location.hash = '#/${view}'`);
      await page.locator('main').getByText(text).first().waitFor();
    }
  });

  it("copies a call to the participant's own port, with a token of an acting party", async () => {
    const { appProvider, appUser } = localnet;
    const { party, participant } = appProvider;
    const template = '#canticle-quickstart:Quickstart.Iou:Iou';
    const iou = { issuer: party, owner: party, currency: 'EUR', amount: '1.0', observers: [] };
    const contractId = participant.create(template, iou, { actAs: [party] });
    await page.evaluate(`location.hash = '#/do?contract=${contractId}&choice=Archive'`);
    const curl = page.locator('.elsewhere pre').first();
    await curl.filter({ hasText: appProvider.ledgerApi }).waitFor({ state: 'attached' });
    await curl.filter({ hasText: 'Authorization: Bearer ey' }).waitFor({ state: 'attached' });
    const { stdout } = await shell('sh', ['-c', (await curl.textContent())!]);
    expect(JSON.parse(stdout)).toMatchObject({ completionOffset: participant.ledgerEnd });
    expect(participant.contract(contractId)).toBeUndefined();
    // No user has rights for a new party.
    const { url } = localnet;
    const stranger = appUser.participant.allocateParty('stranger');
    const path = `/canticle/v1/inspection/access?participant=app-user&actAs=${stranger}`;
    expect(await (await fetch(url + path)).json()).toMatchObject({
      ledgerApi: appUser.ledgerApi,
      needsToken: true,
      mayAct: false,
    });
  });
});
