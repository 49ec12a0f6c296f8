/**
 * Measures the time from opening an empty page to the first answer of an instance in it, in new contexts without a cache, and a second
 * instance of the page. Prints the bytes of the files that the page loads, and of those that it loads on demand. Measures the built
 * package, in a browser of this machine (CANTICLE_BROWSER).
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium, type Browser } from 'playwright';
import { figure, machine, middle } from '../measure/report.js';

const RUNS = 7;

machine();
execFileSync(process.execPath, ['scripts/build.mjs']);

const sizes = new Map<string, number>();
const requested = new Set<string>();
const sizeOf = (path: string): number => {
  if (!sizes.has(path)) sizes.set(path, gzipSync(readFileSync(path), { level: 9 }).length);
  return sizes.get(path)!;
};
const server = createServer(({ url = '/' }, response) => {
  if (url === '/') return response.setHeader('content-type', 'text/html').end('<!doctype html>');
  if (!url.startsWith('/dist/')) return response.writeHead(404).end();
  requested.add(`.${url}`);
  return response.setHeader('content-type', 'text/javascript').end(readFileSync(`.${url}`));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

const PAGE = `(async () => {
  const times = [];
  for (let run = 0; run < 2; run += 1) {
    const start = performance.now();
    const { createCanticle } = await import('/dist/browser/index.js');
    const { fetch } = await createCanticle({ seed: 1 });
    await (await fetch(new Request('http://ledger/v2/state/ledger-end'))).json();
    times.push(performance.now() - start);
  }
  return times;
})()`;

/** Milliseconds to the first answer, and of the second instance. */
async function firstAnswers(browser: Browser): Promise<readonly number[]> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(root);
  const times = await page.evaluate(PAGE);
  await context.close();
  return times as readonly number[];
}

const executablePath = process.env['CANTICLE_BROWSER'] ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const runs: (readonly number[])[] = [];
for (let run = 0; run <= RUNS; run += 1) runs.push(await firstAnswers(browser));
await browser.close();
server.close();

const times = (index: number): number[] => runs.slice(1).map((each) => each[index]!);
figure('first answer in a page', middle(times(0)), 'ms (goal: at most 500)');
figure('answer of a second instance', middle(times(1)), 'ms');
const first = [...requested].sort();
const all = first.map(sizeOf).reduce((sum, size) => sum + size, 0);
figure('first load, compressed', all / 1000, 'kB (goal: less than 1000)');
for (const path of first) figure(path, sizeOf(path) / 1000, 'kB at first');
for (const name of readdirSync('dist/cjs/packs').filter((each) => each.endsWith('.js'))) {
  const path = join('dist/cjs/packs', name);
  const isLater =
    /-(assembly|daml|http|network|options|scenario|script|services|spec|splice|token)\./.test(name);
  if (isLater) figure(path, sizeOf(path) / 1000, 'kB on demand');
}
