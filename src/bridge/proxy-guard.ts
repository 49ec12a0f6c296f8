/**
 * Which pages of a browser may use a proxy. A proxy calls the other side by its own name, and some add a token: without this guard any
 * page, and any name that resolves to this machine, would reach what the other side keeps from them.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { PageGuard } from '../http/pages/page-guard.js';

export class ProxyGuard {
  private readonly pages: PageGuard;

  /**
   * @param allowed origins
   * @param addsCredentials whether requests leave with more rights than they came with: pages of this machine are then refused, too
   */
  constructor(
    allowed: readonly string[] | undefined,
    private readonly addsCredentials: boolean,
  ) {
    this.pages = new PageGuard(allowed ?? []);
  }

  /** Whether it has answered the request with its refusal. */
  refuses(request: IncomingMessage, response: ServerResponse): boolean {
    const refusal = this.refusal(request);
    if (refusal === undefined) return false;
    const headers = { 'content-type': 'text/plain; charset=utf-8', connection: 'close' };
    response.writeHead(403, headers).end(`canticle: ${refusal}\n`);
    return true;
  }

  /** The same of a request for a WebSocket. */
  refusesUpgrade(request: IncomingMessage, socket: Duplex): boolean {
    const refusal = this.refusal(request);
    if (refusal === undefined) return false;
    const text = `canticle: ${refusal}\n`;
    socket.on('error', () => socket.destroy());
    socket.end(
      `HTTP/1.1 403 Forbidden\r\ncontent-type: text/plain; charset=utf-8\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    );
    return true;
  }

  private refusal({ headers }: IncomingMessage): string | undefined {
    const header = (name: string) => headers[name] as string | undefined;
    return this.pages.proxyRefusal(header, this.addsCredentials);
  }
}
