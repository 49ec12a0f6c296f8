/** A server of a page with one script, which is a dApp. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const DOCUMENT =
  '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/app.js"></script>';

export class DappSite {
  private constructor(private readonly server: Server) {}

  static async open(script: string): Promise<DappSite> {
    const server = createServer(({ url }, response) => {
      const isScript = url === '/app.js';
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      response.end(isScript ? script : DOCUMENT);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new DappSite(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
