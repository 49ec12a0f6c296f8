/** A browser, and a server of the package's files for it: one of each for a test file. */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { foreignPath } from '../support/foreign-files.js';
import { root } from '../repository/built-package.js';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.html': 'text/html',
  '.css': 'text/css',
};

/** Runs a flow that a page sends it. */
const WORKER = `
import * as entrance from '/dist/browser/index.js';
onmessage = async ({ data: { code, dar } }) => {
  const [flow, digest] = code.map((each) => (0, eval)('(' + each + ')'));
  try {
    postMessage({ result: await flow(entrance, digest, dar) });
  } catch (error) {
    postMessage({ error: String(error.stack) });
  }
};`;

export class Site {
  private server!: Server;
  page!: Page;
  url = '';
  /** The paths of the files that the page has requested. */
  readonly requested: string[] = [];
  readonly complaints: string[] = [];

  /** @param own files in addition to those of the package, by path @param folders on disk, by their names */
  constructor(
    private readonly browser: Browser,
    readonly own: Record<string, string> = {},
    private readonly folders: Readonly<Record<string, string>> = {},
  ) {
    Object.assign(own, {
      '/': `<!doctype html><title>Canticle</title><link rel="icon" href="data:,">
        <script type="importmap">{ "imports": { "canticle/browser": "/dist/browser/index.js" } }</script>`,
      '/worker.js': WORKER,
    });
  }

  async open(): Promise<void> {
    this.server = createServer(({ url = '/' }, response) => {
      const path = url.replace(/\?.*$/, '');
      this.requested.push(path);
      try {
        const type =
          TYPES[extname(path)] ?? (path === '/' ? 'text/html' : 'application/octet-stream');
        response.setHeader('content-type', type).end(this.read(path));
      } catch {
        response.writeHead(404).end();
      }
    });
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    this.page = await this.browser.newPage();
    this.page.on('pageerror', (error) => this.complaints.push(String(error.stack)));
    await this.page.goto(this.url);
  }

  private read(path: string): string | Uint8Array {
    const [, folder = '', name = ''] = path.split('/');
    if (path in this.own) return this.own[path]!;
    if (folder in this.folders) return readFileSync(join(this.folders[folder]!, name));
    if (folder === 'dars') return readFileSync(foreignPath('DARs', name));
    return readFileSync(join(root, path));
  }

  async close(): Promise<void> {
    await this.page?.close();
    this.server?.close();
  }

  /** Runs the text of an asynchronous function in the page, with the entry point as its argument. */
  async run<T>(body: string): Promise<T> {
    return this.page.evaluate(
      `import('/dist/browser/index.js').then(async (canticle) => { ${body} })`,
    );
  }

  /** Runs a flow in the page, or in a worker. @param dar the name of a real DAR */
  async runFlow<T>(
    place: 'page' | 'worker',
    flow: (...args: never[]) => Promise<T>,
    digest: (...args: never[]) => unknown,
    dar?: string,
  ): Promise<T> {
    const code = JSON.stringify([String(flow), String(digest)]);
    const bytes = dar && `new Uint8Array(await (await fetch('/dars/${dar}')).arrayBuffer())`;
    if (place === 'page')
      return this.run(
        `const [flow, digest] = ${code}.map((each) => (0, eval)('(' + each + ')'));
         return flow(canticle, digest, ${bytes});`,
      );
    return this.page.evaluate(
      `(async () => {
        const worker = new Worker('/worker.js', { type: 'module' });
        const answer = new Promise((resolve, reject) => {
          worker.onmessage = ({ data }) => resolve(data);
          worker.onerror = ({ message }) => reject(new Error(message));
        });
        worker.postMessage({ code: ${code}, dar: ${bytes} });
        const { result, error } = await answer;
        worker.terminate();
        if (error) throw new Error(error);
        return result;
      })()`,
    );
  }
}
