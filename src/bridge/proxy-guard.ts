/**
 * Decides which browser pages may use a proxy. A proxy sends the other side's host name, and may add a token.
 * Without this guard, any page, and any name that resolves to this machine, could reach protected parts of the
 * other side.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { PageGuard } from '../http/pages/page-guard.js';

export class ProxyGuard {
  private readonly pages: PageGuard;

  /**
   * @param allowed the allowed origins
   * @param addsCredentials whether the proxy adds rights to requests: then it also refuses pages of this machine
   */
  constructor(
    allowed: readonly string[] | undefined,
    private readonly addsCredentials: boolean,
  ) {
    this.pages = new PageGuard(allowed ?? []);
  }

  /** Whether it has answered the request with an error. */
  refuses(request: IncomingMessage, response: ServerResponse): boolean {
    const refusal = this.refusal(request);
    if (refusal === undefined) return false;
    const headers = { 'content-type': 'text/plain; charset=utf-8', connection: 'close' };
    response.writeHead(403, headers).end(`canticle: ${refusal}\n`);
    return true;
  }

  /** Like {@link refuses}, for a WebSocket request. */
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
