/**
 * Measures the time from opening the inspector to its first view of updates and of contracts, with 100,000
 * contracts and a warm server. Also measures the size of the page. Measures the built package, in a browser of this
 * machine (CANTICLE_BROWSER).
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser } from 'playwright';
import { figure, machine, middle, milliseconds } from './measure/report.js';

const CONTRACTS = 100_000;
const BATCH = 100;
const RUNS = 7;
const IOU = '#canticle-quickstart:Quickstart.Iou:Iou';
const VIEWS = [
  ['updates', '.row.update-row'],
  ['contracts', '.row.contract-row'],
  ['time', '.row.time-row'],
] as const;

machine();
execFileSync(process.execPath, ['scripts/build.mjs']);
const entrance = pathToFileURL(join(process.cwd(), 'dist', 'esm', 'index.js')).href;
const { startCanticle } = (await import(entrance)) as typeof import('canticle');

const folder = join('dist', 'inspector');
const bytes = readdirSync(folder)
  .filter((name) => name.endsWith('.gz'))
  .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
figure('script and style, compressed', bytes / 1024, 'KB (goal: at most 200)');

const canticle = await startCanticle({ seed: 1 });
const alice = canticle.participant.allocateParty('alice');
const createArguments = {
  ...{ issuer: alice, owner: alice, currency: 'EUR', amount: '1.0', observers: [] },
};
const commands = Array.from({ length: BATCH }, () => ({
  CreateCommand: { templateId: IOU, createArguments },
}));
for (let made = 0; made < CONTRACTS; made += BATCH)
  await fetch(`${canticle.urls.control}/submit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ actAs: [alice], commands }),
  });

const executablePath = process.env['CANTICLE_BROWSER'] ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
for (const [view, row] of VIEWS) {
  const times: number[] = [];
  for (let run = 0; run <= RUNS; run += 1) times.push(await firstView(browser, view, row));
  figure(
    `${view}, from opening to the first row`,
    middle(times.slice(1)),
    'ms (goal: at most 500)',
  );
}
await browser.close();
await canticle.close();

/** Each time in a new context, without a cache. */
async function firstView(opened: Browser, view: string, row: string): Promise<number> {
  const context = await opened.newContext();
  const page = await context.newPage();
  const elapsed = await milliseconds(async () => {
    await page.goto(`${canticle.urls.inspector}#/${view}`, { waitUntil: 'commit' });
    await page.locator(row).nth(1).waitFor();
  });
  await context.close();
  return elapsed;
}
