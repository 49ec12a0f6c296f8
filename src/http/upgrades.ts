/**
 * Requests that ask for another protocol. A WebSocket opens where the path has a stream; for other protocols
 * the server continues in HTTP/1.1 as if the request had not asked for it (RFC 9110, 7.8). Java's client asks for h2c
 * with every request.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** The arguments of node:http's upgrade event. */
export interface UpgradeRequest {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** The bytes that were read after its header. */
  readonly head: Buffer;
}

const VERSION = '13';
/** 16 bytes. */
const KEY = /^[+/0-9A-Za-z]{22}==$/;

/**
 * Whether it is a valid request for a WebSocket (RFC 6455, 4.2.1). A participant handles an invalid one as a plain
 * request.
 */
export function isWebSocketRequest({ method, headers }: IncomingMessage): boolean {
  const lists = (header: string | undefined, value: string) =>
    header?.split(',').some((each) => each.trim().toLowerCase() === value) ?? false;
  return (
    method === 'GET' &&
    lists(headers.upgrade, 'websocket') &&
    lists(headers['sec-websocket-version'], VERSION) &&
    KEY.test(headers['sec-websocket-key'] ?? '')
  );
}

/** Returns the request to the server without its upgrade headers. */
export function declineUpgrade(server: Server, { request, socket, head }: UpgradeRequest): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (!/^(?:connection|http2-settings)$/i.test(rawHeaders[i]!))
      lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  // For a server with TLS, the 'connection' event has the encrypted socket.
  server.emit('encrypted' in socket ? 'secureConnection' : 'connection', socket);
}
