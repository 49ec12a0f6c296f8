/**
 * A proxy in front of live systems: whatever is asked passes as it is, and so does what they answer; each exchange is handed on once
 * it is over. One port a system; paths are those of the system.
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
import { entryOf, type Answered, type Asked } from './exchange-entry.js';
import { requesterOf } from '../client/http-side.js';
import { forwarded } from './forward.js';
import { KeptBody } from './kept-body.js';
import { ProxyGuard } from './proxy-guard.js';
import { tunnel } from './tunnel.js';

export interface ProxyOptions {
  /** Of the system: only its scheme, host and port count. */
  readonly target: URL;
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** Sent with what comes without one. */
  readonly token?: string | undefined;
  /** Origins whose pages may use it, and names that it may be called by, such as `https://wallet.example`. */
  readonly allowOrigins?: readonly string[] | undefined;
  /** Gets each exchange when it is over. */
  readonly onExchange: (entry: HarEntry) => void;
}

export interface RecordingProxy {
  readonly port: number;
  /** Ends every connection; what was not over is handed on as far as it came. */
  close(): Promise<void>;
}

/** Rejects with the system's error where it cannot listen, such as EADDRINUSE. */
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
    pass(askedOf(request, options), { request, response }, agent, begin());
  });
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (pages.refusesUpgrade(request, socket)) return;
    tunnel(askedOf(request, options), { socket, head }, begin());
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
 * Each piece of a body after a turn of the event loop, in which an answer that is there is read: who rejects a request by its head, or its
 * length, answers before it has read the rest. What comes behind an answer is of use to nobody.
 */
function handOn(
  request: IncomingMessage,
  outgoing: ClientRequest,
  sent: KeptBody,
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

function askedOf(
  { method = 'GET', url = '/', httpVersion, rawHeaders: came, headers }: IncomingMessage,
  { target, token }: ProxyOptions,
): Asked {
  // An absolute target is one of a client that takes this for a proxy of its own: its path counts.
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
  asked: Asked,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  agent: Agent,
  done: (entry: HarEntry) => void,
): void {
  const [sent, received] = [new KeptBody(), new KeptBody()];
  const tell = (answered: Answered) => done(entryOf(asked, sent, answered, received));
  const outgoing = requesterOf(asked.url)(asked.url, {
    agent,
    method: asked.method,
    // As it came: what this machine would percent-encode anew stays as it was written.
    path: asked.url.pathname + asked.url.search,
    headers: forwarded(asked.rawHeaders, asked.url).flat(),
  });
  let isAnswered = false;
  handOn(request, outgoing, sent, () => isAnswered);
  response.on('close', () => response.writableFinished || outgoing.destroy());
  outgoing.on('error', (error) => {
    // Who answers early may end the connection while the request is on its way: the answer tells whether it is whole.
    if (isAnswered) return;
    if (response.headersSent) response.destroy();
    else {
      const text = `canticle record: no answer from ${asked.url.origin}: ${error.message}\n`;
      response.writeHead(502, { 'content-type': 'text/plain' }).end(text);
    }
    tell({ status: 0, statusText: '', rawHeaders: [], comment: `No answer: ${error.message}` });
  });
  outgoing.on('response', (answer) => {
    isAnswered = true;
    // It may wait to be taken further.
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
      tell({
        status,
        statusText,
        rawHeaders,
        ...(!isWhole && { comment: 'Broken off before its end.' }),
      });
    });
  });
}
