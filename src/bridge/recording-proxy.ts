/**
 * A proxy in front of live systems. It forwards requests and answers unchanged, and reports each exchange when it
 * ends. Each system has a port, with the paths of the system.
 */
import {
  Agent,
  createServer,
  type ClientRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate } from 'node:timers';
import { https } from '../http/packages.js';
import type { HarEntry } from '../recording/har.js';
import { entryOf, type Answered, type ReceivedRequest } from './exchange-entry.js';
import { requesterOf } from '../client/http-side.js';
import { forwarded } from './forward.js';
import { RecordedBody } from './recorded-body.js';
import { ProxyGuard } from './proxy-guard.js';
import { tunnel } from './tunnel.js';

export interface ProxyOptions {
  /** The URL of the system: only its scheme, host and port are used. */
  readonly target: URL;
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** The token for requests without a token. */
  readonly token?: string | undefined;
  /** The origins of pages that may use it, which are also allowed host names, such as `https://wallet.example`. */
  readonly allowOrigins?: readonly string[] | undefined;
  /** Receives each exchange when it ends. */
  readonly onExchange: (entry: HarEntry) => void;
}

export interface RecordingProxy {
  readonly port: number;
  /** Ends every connection, and reports incomplete exchanges. */
  close(): Promise<void>;
}

/** Rejects with the system's error if it cannot listen, such as EADDRINUSE. */
export function openProxy(options: ProxyOptions): Promise<RecordingProxy> {
  const { host, port, onExchange } = options;
  const Pool = options.target.protocol === 'https:' ? https().Agent : Agent;
  const agent = new Pool({ keepAlive: true });
  const sockets = new Set<Socket>();
  let pending = 0;
  let over = () => {};
  const begin = () => {
    pending += 1;
    let isDone = false;
    return (entry: HarEntry) => {
      if (isDone) return;
      isDone = true;
      onExchange(entry);
      pending -= 1;
      if (pending === 0) over();
    };
  };
  const server = createServer({ requestTimeout: 0, requireHostHeader: false });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  const pages = new ProxyGuard(options.allowOrigins, options.token !== undefined);
  server.on('request', (request, response) => {
    if (pages.refuses(request, response)) return;
    pass(readRequest(request, options), { request, response }, agent, begin());
  });
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (pages.refusesUpgrade(request, socket)) return;
    tunnel(readRequest(request, options), { socket, head }, begin());
  });
  const close = async () => {
    const isClosed = new Promise<void>((resolve) => server.close(() => resolve()));
    const isOver = new Promise<void>((resolve) => (over = resolve));
    for (const socket of sockets) socket.destroy();
    if (pending > 0) await isOver;
    agent.destroy();
    await isClosed;
  };
  return listening(server, host, port).then((open) => ({ port: open, close }));
}

/**
 * Forwards each chunk of a body after a turn of the event loop, so that an available answer is read first. A server
 * that rejects a request by its head or length answers before it reads the rest. Chunks after the answer are
 * dropped.
 */
function handOn(
  request: IncomingMessage,
  outgoing: ClientRequest,
  sent: RecordedBody,
  isAnswered: () => boolean,
): void {
  request.on('data', (chunk: Buffer) => {
    if (isAnswered()) return;
    sent.push(chunk);
    request.pause();
    setImmediate(() => {
      if (isAnswered() || outgoing.write(chunk)) request.resume();
      else outgoing.once('drain', () => request.resume());
    });
  });
  request.on('end', () => setImmediate(() => isAnswered() || outgoing.end()));
}

function listening(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function readRequest(
  { method = 'GET', url = '/', httpVersion, rawHeaders: came, headers }: IncomingMessage,
  { target, token }: ProxyOptions,
): ReceivedRequest {
  // A client that uses this as its HTTP proxy sends an absolute URL: only its path counts.
  const path = /^https?:\/\/[^/]+(\/.*)?$/.exec(url)?.[1] ?? url;
  const there = new URL(target.origin);
  const [pathname, ...query] = path.split('?');
  there.pathname = pathname!;
  there.search = query.join('?');
  const { authorization, 'sec-websocket-protocol': protocols = '' } = headers;
  const hasToken = authorization !== undefined || protocols.includes('jwt.token.');
  const rawHeaders =
    token === undefined || hasToken ? came : [...came, 'Authorization', `Bearer ${token}`];
  return { method, url: there, httpVersion, rawHeaders, started: new Date() };
}

function pass(
  clientRequest: ReceivedRequest,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  agent: Agent,
  done: (entry: HarEntry) => void,
): void {
  const [sent, received] = [new RecordedBody(), new RecordedBody()];
  const finish = (answered: Answered) => done(entryOf(clientRequest, sent, answered, received));
  const outgoing = requesterOf(clientRequest.url)(clientRequest.url, {
    agent,
    method: clientRequest.method,
    // Explicit, so that the path keeps the client's percent-encoding.
    path: clientRequest.url.pathname + clientRequest.url.search,
    headers: forwarded(clientRequest.rawHeaders, clientRequest.url).flat(),
  });
  let isAnswered = false;
  handOn(request, outgoing, sent, () => isAnswered);
  response.on('close', () => response.writableFinished || outgoing.destroy());
  outgoing.on('error', (error) => {
    // A server that answers early may end the connection during the request. The answer shows whether it is complete.
    if (isAnswered) return;
    if (response.headersSent) response.destroy();
    else {
      const text = `canticle record: no answer from ${clientRequest.url.origin}: ${error.message}\n`;
      response.writeHead(502, { 'content-type': 'text/plain' }).end(text);
    }
    finish({ status: 0, statusText: '', rawHeaders: [], comment: `No answer: ${error.message}` });
  });
  outgoing.on('response', (answer) => {
    isAnswered = true;
    // The request may be paused.
    request.resume();
    const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders } = answer;
    response.sendDate = false;
    response.writeHead(status, statusText, forwarded(rawHeaders, undefined).flat());
    answer.on('data', (chunk: Buffer) => received.push(chunk));
    answer.pipe(response);
    answer.on('close', () => {
      const isWhole = answer.complete;
      if (!request.complete) outgoing.destroy();
      if (!isWhole) response.destroy();
      finish({
        status,
        statusText,
        rawHeaders,
        ...(!isWhole && { comment: 'Broken off before its end.' }),
      });
    });
  });
}
