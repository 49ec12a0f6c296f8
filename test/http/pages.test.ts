/** The root for a browser and for a program, and the documents in a reader. */
import { gunzipSync } from 'node:zlib';
import { startCanticle, type Canticle } from 'canticle';
import { APIS } from '../../src/spec/index.js';

let canticle: Canticle;
beforeAll(async () => {
  canticle = await startCanticle({ participants: ['one', 'two'], pathPrefix: 'api' });
});
afterAll(() => canticle.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(canticle.url + path, { headers });

it('the root lists the APIs for programs, and each link works', async () => {
  const answer = await get('/');
  expect(answer.headers.get('content-type')).toBe('application/json');
  const home = (await answer.json()) as any;
  expect(home).toMatchObject({ name: 'canticle', time: canticle.time.replace(/0+Z$/, 'Z') });
  expect(home.apis.map(({ name }: any) => name)).toHaveLength(Object.keys(APIS).length);
  expect(home.participants.map(({ name }: any) => name)).toEqual(['one', 'two']);
  const urls = [
    home.docs,
    ...home.apis.map(({ document }: any) => document),
    ...home.participants.map(({ ledgerApi }: any) => `${ledgerApi}/v2/version`),
  ];
  for (const url of urls) expect([url, (await fetch(url)).status]).toEqual([url, 200]);
});

it('the root is a page for browsers, without resources from other hosts', async () => {
  const answer = await get('/', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
  expect(answer.headers.get('content-type')).toBe('text/html; charset=UTF-8');
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  const text = await answer.text();
  expect(text).toContain(`<a href="${canticle.url}/docs">`);
  for (const [, url] of text.matchAll(/(?:href|src)="([^"]*)"/g))
    expect(url!.startsWith(canticle.url)).toBe(true);
});

it('shows a hostile host as plain text', async () => {
  const path = '/';
  const { body } = await canticle.handle({
    path,
    headers: { host: '"><script>alert(1)</script>', accept: 'text/html' },
  });
  expect(String(body)).not.toContain('<script>');
});

it('serves the API reader itself, compressed or not', async () => {
  const page = await (await get('/docs')).text();
  const assets = [...page.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, url]) => url!);
  expect(assets.map((url) => url.replace(/.*\//, ''))).toEqual([
    'swagger-ui.css',
    'swagger-ui-bundle.js',
    'start.js',
  ]);
  for (const url of assets) expect((await fetch(url)).status).toBe(200);
  const bundle = '/docs/reader/swagger-ui-bundle.js';
  const packed = await canticle.handle({ path: bundle, headers: { 'accept-encoding': 'gzip' } });
  const plain = await canticle.handle({ path: bundle });
  expect(packed.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(packed.body as Uint8Array).equals(plain.body as Uint8Array)).toBe(true);
  expect((await get('/docs/reader/package.json')).status).toBe(404);
  expect((await get('/docs/reader/..%2f..%2fpackage.json')).status).toBe(404);
});

it('the inspector has a document, a script and a style, with a strict policy and a small size', async () => {
  const answer = await get('/canticle/');
  const policy = answer.headers.get('content-security-policy')!;
  expect(policy).toContain("default-src 'none'; script-src 'self'; connect-src 'self'");
  expect(policy).not.toContain('unsafe');
  const text = await answer.text();
  expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|\son\w+=|<style/);
  const assets = [...text.matchAll(/(?:href|src)="([^"]*\/canticle\/[^"]*)"/g)].map(
    ([, url]) => url!,
  );
  expect(assets.map((url) => url.replace(canticle.url, ''))).toEqual([
    '/canticle/inspector.css',
    '/canticle/inspector.js',
  ]);
  const packed = await Promise.all(
    assets.map((url) =>
      canticle.handle({ path: new URL(url).pathname, headers: { 'accept-encoding': 'gzip' } }),
    ),
  );
  const bytes = packed.reduce((sum, { body }) => sum + (body as Uint8Array).length, 0);
  expect(bytes).toBeLessThan(200 * 1024);
  for (const path of ['/canticle/main.tsx', '/canticle/..%2fserve.ts', '/canticle/updates'])
    expect((await get(path)).status).toBe(404);
});

it('returns 404 for other methods, as a participant does', async () => {
  expect((await fetch(`${canticle.url}/`, { method: 'POST' })).status).toBe(404);
});
