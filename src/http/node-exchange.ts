/** Between node:http and the dispatcher: a request as an exchange, an answer as a response. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WireAnswer } from './answers.js';
import { BodyTooLarge, readBody } from './body.js';
import type { Exchange } from './contexts.js';
import { reset, writeDelivered } from './delivery/delivery.js';
import { headOf } from './delivery/head.js';
import { bodyReadBefore } from './read-before.js';
import type { Service } from './routing/service.js';

/** A request as Express passes it on, in all its releases. */
export interface MountedRequest extends IncomingMessage {
  /** The path that the ledger is mounted at, which `url` is without. */
  readonly baseUrl?: string;
  /** The protocol, by the application's proxy settings. */
  readonly protocol?: string;
}

/** From the root; a proxy request may have the whole URL (RFC 9112, 3.2.2). */
export function targetOf({ url = '/' }: IncomingMessage): string {
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*\/?/i, '/');
}

/** @param connection whose closing ends the exchange */
export function exchangeOf(
  request: MountedRequest,
  connection: ServerResponse | Duplex,
  { target, service }: { readonly target: string; readonly service?: Service },
): Exchange {
  let controller: AbortController | undefined;
  let contentType: string | undefined;
  return {
    method: request.method ?? 'GET',
    target,
    service,
    isRemote: !('isLocal' in request.socket),
    header: (name) => {
      if (contentType !== undefined && name === 'content-type') return contentType;
      const first = request.headers[name];
      // If there are several tokens, node:http shows only the first. Here each has a line.
      if (name === 'authorization' && first !== undefined)
        return request.headersDistinct[name]?.join('\n');
      return Array.isArray(first) ? first.join(', ') : first;
    },
    headers: () => request.headers,
    root: () => rootOf(request),
    readBody: (limit) => {
      const before = bodyReadBefore(request);
      if (before === undefined) return readBody(request, limit);
      const { length } = before.bytes;
      if (length > limit) throw new BodyTooLarge(limit, String(length));
      contentType = before.contentType;
      return Promise.resolve(before.bytes);
    },
    signal: () => {
      if (controller === undefined) {
        const made = (controller = new AbortController());
        if (connection.destroyed) made.abort();
        else connection.once('close', () => made.abort());
      }
      return controller.signal;
    },
  };
}

function rootOf({ headers, socket, protocol, baseUrl = '' }: MountedRequest): string {
  const scheme = protocol ?? ('encrypted' in socket ? 'https' : 'http');
  return `${scheme}://${headers.host ?? 'localhost'}${baseUrl}`;
}

/**
 * The Connection header of the answer. Keep-alive is the default and needs no header, and HTTP/2 has no such
 * header.
 */
function connectionOf(
  { socket }: IncomingMessage,
  { shouldKeepAlive }: ServerResponse,
  headers: WireAnswer['headers'],
): 'kept' | 'close' | undefined {
  if (shouldKeepAlive === undefined) return undefined;
  // A client that has closed its side sends no more requests.
  const isLast = !shouldKeepAlive || socket.readableEnded || headers.connection === 'close';
  return isLast ? 'close' : 'kept';
}

export function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body = '', isStreamed, delivery, open }: WireAnswer,
): void {
  if (delivery?.kind === 'lost') return reset(request);
  if (open !== undefined) return sendOpen(request, response, { status, headers, open });
  const length = isStreamed
    ? undefined
    : typeof body === 'string'
      ? Buffer.byteLength(body)
      : body.length;
  const connection = connectionOf(request, response, headers);
  if (connection === 'kept') response.removeHeader('connection');
  response.writeHead(status, headOf(headers, length, connection === 'close' ? 'close' : undefined));
  if (delivery === undefined) response.end(request.method === 'HEAD' ? undefined : body);
  else void writeDelivered(request, response, Buffer.from(body), delivery);
}

/** A client of such an answer sends nothing, so that the connection has no idle timeout. */
function sendOpen(
  { socket, method }: IncomingMessage,
  response: ServerResponse,
  { status, headers, open }: Required<Pick<WireAnswer, 'status' | 'headers' | 'open'>>,
): void {
  response.writeHead(status, headOf(headers, undefined));
  if (method === 'HEAD') return void response.end();
  if ('setTimeout' in socket) socket.setTimeout(0);
  response.flushHeaders();
  const closed = open({
    write: (text) => void response.write(text),
    end: () => void response.end(),
  });
  response.once('close', closed);
}
