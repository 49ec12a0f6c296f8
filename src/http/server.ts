/**
 * A port: its connections, how long they may be idle, how they end. Requests pass to the entry of the transport.
 * NOTE: the error texts of opening a port and of ending a connection are Canticle's.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Server as NetServer, Socket } from 'node:net';
import { setImmediate } from 'node:timers';
import type { Duplex } from 'node:stream';
import { serverOfBoth } from './both-versions.js';
import type { HttpEntry } from './http-entry.js';
import { https } from './packages.js';
import { protocolRefusal, rawAnswer, unparsedRefusal, type ParserError } from './head-limits.js';
import { send } from './node-exchange.js';
import type { Place } from './sites.js';
import { connectionsOf } from '../services/connections.js';
import { secured, type TlsOptions } from '../services/tls.js';
import { MAX_HEADER_COUNT, MAX_HEADER_LENGTH, MAX_TARGET_LENGTH } from '../services/limits.js';
import { declineUpgrade } from './upgrades.js';

/** The time that a participant keeps an idle connection, in milliseconds: `pekko.http.server.idle-timeout`. */
export const IDLE_TIMEOUT_MS = 60_000;

/** For WebSockets it checks once a second, so that a checkpoint at the same moment is still sent. */
const IDLE_CHECK_MS = 1_000;

/** A request may arrive slowly, as long as data arrives. */
const NO_RECEIVING_LIMITS = { requestTimeout: 0, headersTimeout: 0 };

/** Node does not check the host and the size of headers; this server does, with the messages of a participant. */
const OURS_TO_REFUSE = {
  requireHostHeader: false,
  maxHeaderSize: MAX_TARGET_LENGTH + (MAX_HEADER_COUNT + 1) * 2 * MAX_HEADER_LENGTH,
};

export interface ListenOptions {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** In milliseconds. */
  readonly idleTimeout: number;
  /** Without it the port is not encrypted. */
  readonly tls?: TlsOptions | undefined;
}

export interface RunningServer {
  readonly port: number;
  /** The port then no longer keeps the process alive. */
  unref(): void;
  /** Ends every connection at once, with answers or without. */
  close(): Promise<void>;
}

/** Rejects with the system's error if it cannot listen, such as EADDRINUSE. */
export function listen(
  httpEntry: HttpEntry,
  sites: Place,
  options: ListenOptions,
): Promise<RunningServer> {
  const { host, port, idleTimeout, tls } = options;
  /** By connection, the latest unfinished answer. */
  const answers = new WeakMap<Duplex, ServerResponse>();
  const limits = { ...NO_RECEIVING_LIMITS, ...OURS_TO_REFUSE };
  const server = tls ? https().createServer({ ...limits, ...secured(tls) }) : createServer(limits);
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    answers.set(request.socket, response);
    const refusal = protocolRefusal(request);
    if (refusal === undefined) httpEntry.enter(sites, request, response);
    else send(request, response, refusal);
  };
  server.on('request', serve);
  // A participant ignores unknown expectations (B-GEN-061).
  server.on('checkExpectation', serve);
  server.on('clientError', (error, socket) => refuseUnparsed(error, socket, answers.get(socket)));
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const decline = () => declineUpgrade(server, { request, socket, head });
    if (protocolRefusal(request) !== undefined) return decline();
    const opened = () => socket.setTimeout(idleTimeout + IDLE_CHECK_MS, () => endIdle(socket));
    void httpEntry.upgrade(sites, { request, socket, head }, { decline, opened });
  });
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
    const ended = sites.connected?.();
    if (ended) socket.once('close', ended);
  });
  server.on('timeout', endIdle);
  server.timeout = server.keepAliveTimeout = idleTimeout;
  // A client that has closed its side still waits for its answer.
  Object.assign(server, { httpAllowHalfOpen: true });
  const { overHttp2 } = sites;
  const both = overHttp2 && serverOfBoth({ http1: server, overHttp2, idleTimeout, tls });
  const listening = both ?? server;
  const open = connectionsOf<Socket>(listening);
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) => reject(listenFailure(error, options));
    listening.once('error', refuse);
    listening.listen(port, host, () => {
      listening.off('error', refuse);
      resolve({
        port: (listening.address() as AddressInfo).port,
        unref: () => void listening.unref(),
        close: () => close(listening, server, sites, open),
      });
    });
  });
}

function listenFailure(cause: NodeJS.ErrnoException, { host, port }: ListenOptions): Error {
  const why =
    cause.code === 'EADDRINUSE'
      ? 'the port is taken. Choose another, or 0 for any free one'
      : cause.message;
  const error = new Error(`Failed to listen on ${host}:${port}: ${why}.`, { cause });
  return Object.assign(error, { code: cause.code, port });
}

/**
 * Ends a connection over which nothing passed. Data that came while the process was paused, as at a breakpoint, is
 * read by then.
 */
function endIdle(socket: Socket): void {
  const { bytesRead } = socket;
  setImmediate(() => {
    if (socket.bytesRead === bytesRead) socket.destroy();
  });
}

/** Errors in a body. The request is answered before such an error. */
const OF_BODIES: ReadonlySet<string | undefined> = new Set([
  'HPE_INVALID_CHUNK_SIZE',
  'HPE_STRICT',
]);

/** Answers an unparseable request, after the answers to earlier requests, and ends the connection. */
function refuseUnparsed(error: ParserError, socket: Duplex, before?: ServerResponse): void {
  const isAnswering = before !== undefined && !before.writableFinished && !before.destroyed;
  // Data after the last request of a connection is ignored.
  if (error.code === 'HPE_CLOSED_CONNECTION' && isAnswering) return;
  const refuse = () => {
    if (socket.writable) socket.end(rawAnswer(unparsedRefusal(error)));
    else socket.destroy();
  };
  if (!isAnswering) refuse();
  else if (!OF_BODIES.has(error.code)) before.once('finish', refuse);
  else if (before.headersSent) socket.destroy(error);
  else refuse();
}

async function close(
  listening: NetServer,
  server: Server,
  sites: Place,
  open: ReadonlySet<Socket>,
): Promise<void> {
  const isClosed = new Promise<void>((resolve) => listening.close(() => resolve()));
  server.closeAllConnections();
  await sites.closeStreams();
  // The server does not list connections that another server accepted, or whose TLS handshake is unfinished.
  for (const socket of open) socket.destroy();
  await isClosed;
}
