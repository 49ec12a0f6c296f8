/**
 * The HTTP server: one port for every API. Express stands at the door for all but POSTs, loaded with the first such request; which
 * operation is meant, the operation table says.
 */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { WireAnswer } from './answers.js';
import { readBody } from './body.js';
import type { Exchange } from './contexts.js';
import { headRefusal } from './head-limits.js';
import { express } from './packages.js';
import type { Sites } from './sites.js';
import type { UpgradeRequest } from './streams/streams.js';
import { declineUpgrade, isWebSocketRequest } from './upgrades.js';

/** As long as a participant keeps a connection over which nothing passes, in milliseconds: `pekko.http.server.idle-timeout`. */
export const IDLE_TIMEOUT_MS = 60_000;

/** Of a WebSocket it looks once a second, so that a checkpoint which is due at the same moment still comes. */
const IDLE_CHECK_MS = 1_000;

/** How long a request takes to come does not matter while it comes. */
const NO_RECEIVING_LIMITS = { requestTimeout: 0, headersTimeout: 0 };

export interface ListenOptions {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** In milliseconds. */
  readonly idleTimeout: number;
}

export interface RunningServer {
  readonly port: number;
  /** From now on it does not keep the process alive. */
  unref(): void;
  /** Ends every connection at once, with answers or without. */
  close(): Promise<void>;
}

/** Rejects with the system's error where it cannot listen, such as EADDRINUSE. */
export function listen(sites: Sites, options: ListenOptions): Promise<RunningServer> {
  const { host, port, idleTimeout } = options;
  let app: RequestListener | undefined;
  // A POST goes straight to its operation: what Express costs is as much as a command does. It is served alike either way.
  const server = createServer(NO_RECEIVING_LIMITS, (request, response) => {
    if (request.method === 'POST') void serve(sites, request, response);
    else (app ??= appFor(sites))(request, response);
  });
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    void upgrade(server, sites, { request, socket, head }, idleTimeout);
  });
  server.timeout = server.keepAliveTimeout = idleTimeout;
  // A client that has said all it has to say still waits for its answer.
  Object.assign(server, { httpAllowHalfOpen: true });
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) => reject(listenFailure(error, options));
    server.once('error', refuse);
    server.listen(port, host, () => {
      server.off('error', refuse);
      resolve({
        port: (server.address() as AddressInfo).port,
        unref: () => void server.unref(),
        close: () => close(server, sites),
      });
    });
  });
}

function appFor(sites: Sites): RequestListener {
  const app = express()();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use((request, response) => serve(sites, request, response));
  return app;
}

function listenFailure(cause: NodeJS.ErrnoException, { host, port }: ListenOptions): Error {
  const why =
    cause.code === 'EADDRINUSE'
      ? 'the port is taken. Choose another, or 0 for any free one'
      : cause.message;
  const error = new Error(`Failed to listen on ${host}:${port}: ${why}.`, { cause });
  return Object.assign(error, { code: cause.code });
}

async function close(server: Server, sites: Sites): Promise<void> {
  const isClosed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await sites.closeStreams();
  await isClosed;
}

async function upgrade(
  server: Server,
  sites: Sites,
  upgradeRequest: UpgradeRequest & { readonly socket: Socket },
  idleTimeout: number,
): Promise<void> {
  const { request, socket, head } = upgradeRequest;
  // Nobody else listens while the token is looked at, and a client may go away meanwhile.
  socket.on('error', () => socket.destroy());
  try {
    const { site, target } = sites.locate(targetOf(request));
    const exchange = exchangeOf(request, socket, target);
    const stream =
      headRefusal(request) === undefined && isWebSocketRequest(request)
        ? await site.dispatcher.streamFor(exchange)
        : undefined;
    // Whatever is amiss with it, the answer in HTTP says.
    if (stream === undefined) declineUpgrade(server, request, socket, head);
    else {
      site.streams.upgrade(stream.list, exchange, stream.admission, upgradeRequest);
      socket.setTimeout(idleTimeout + IDLE_CHECK_MS, () => socket.destroy());
    }
  } catch {
    // As in serve: there is nobody to answer.
    socket.destroy();
  }
}

async function serve(
  sites: Sites,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const refusal = headRefusal(request);
    if (refusal !== undefined) return send(request, response, refusal);
    const { site, target } = sites.locate(targetOf(request));
    send(request, response, await site.dispatcher.answer(exchangeOf(request, response, target)));
  } catch {
    // Only a client that went away in the middle of its request comes here; there is nobody to answer.
    response.destroy();
  }
}

/** From the root; a proxy may have been told the whole URL (RFC 9112, 3.2.2). */
function targetOf({ url = '/' }: IncomingMessage): string {
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*\/?/i, '/');
}

/** @param connection whose closing ends the exchange */
function exchangeOf(
  request: IncomingMessage,
  connection: ServerResponse | Duplex,
  target: string,
): Exchange {
  let controller: AbortController | undefined;
  return {
    method: request.method ?? 'GET',
    target,
    header: (name) => {
      // Of several tokens node:http would show the first alone.
      const value =
        name === 'authorization' ? request.headersDistinct[name] : request.headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    readBody: (limit) => readBody(request, limit),
    signal: () => {
      if (controller === undefined) {
        const made = (controller = new AbortController());
        connection.once('close', () => made.abort());
      }
      return controller.signal;
    },
  };
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body = '' }: WireAnswer,
): void {
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  response.writeHead(status, { ...headers, 'content-length': length });
  response.end(request.method === 'HEAD' ? undefined : body);
}
