/**
 * A gRPC port: HTTP/2, over TLS if it has a certificate, and its connections. The opener of the port decides which
 * methods it has.
 * NOTE: it uses node:http2 and no gRPC library. @grpc/grpc-js loads five times slower, and sends streams at 67% of
 * the speed; @connectrpc/connect-node at 25%.
 */
import {
  constants,
  createSecureServer,
  createServer,
  type Http2SecureServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  type ServerStreamResponseOptions,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { connectionsOf } from '../../services/connections.js';
import { secured, type TlsOptions } from '../../services/tls.js';
import { Call } from './call.js';
import { keepAlive, noteCalls, type KeepAlive } from './keep-alive.js';

/** Handles a call of this path. */
export type Answer = (path: string, call: Call) => void;

export interface GrpcPortOptions {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** Maximum size of a message, in bytes. */
  readonly maxMessageBytes: number;
  readonly keepAlive: KeepAlive;
  /** Without it the port is not encrypted. */
  readonly tls?: TlsOptions | undefined;
}

/** A participant's `max-concurrent-calls-per-connection`, and its `max-inbound-metadata-size` in bytes. */
const MAX_CALLS = 100_000;
const MAX_HEADER_BYTES = 8 * 1024;
/** Above it, the server resets the stream. Above Node's own limit, Node resets it. */
const MAX_REFUSED_HEADER_BYTES = 16 * 1024;
const MAX_READ_HEADER_BYTES = 1024 * 1024;
/** Memory of a connection, in MiB, above which it begins no further call: enough for many slow readers. */
const MAX_CONNECTION_MIB = 512;

const LIMITS = {
  settings: { maxConcurrentStreams: MAX_CALLS, maxHeaderListSize: MAX_READ_HEADER_BYTES },
  maxSessionMemory: MAX_CONNECTION_MIB,
};

export interface GrpcPort {
  readonly port: number;
  /**
   * Accepts a decrypted connection of another port, for calls to these hosts. Hosts are in lower case and have no port.
   */
  accept(socket: Socket, hosts: readonly string[]): void;
  /** The port no longer keeps the process alive. */
  unref(): void;
  /** Closes each connection at once. */
  close(): Promise<void>;
}

/** Rejects with the system's error if it cannot listen, such as EADDRINUSE. */
export function openPort(answer: Answer, options: GrpcPortOptions): Promise<GrpcPort> {
  const sessions = new Set<ServerHttp2Session>();
  const server = serverOf(sessions, options);
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) =>
    enter(stream, headers, answer, options),
  );
  const open = connectionsOf<Socket>(server);
  /** The servers for connections of other ports, by their hosts. */
  const guests = new Map<readonly string[], Http2Server | Http2SecureServer>();
  const guestsAt = (hosts: readonly string[]): Http2Server | Http2SecureServer => {
    const known = guests.get(hosts) ?? serverOf(sessions, { ...options, tls: undefined });
    if (guests.has(hosts)) return known;
    guests.set(hosts, known);
    known.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
      const host = (headers[':authority'] ?? headers.host ?? '').replace(/:\d*$/, '').toLowerCase();
      if (hosts.includes(host)) enter(stream, headers, answer, options);
      else refuse(stream, { status: constants.HTTP_STATUS_NOT_FOUND });
    });
    return known;
  };
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(listenFailure(cause, options)));
    server.listen(options.port, options.host, () =>
      resolve({
        port: (server.address() as AddressInfo).port,
        accept: (socket, hosts) => void guestsAt(hosts).emit('connection', socket),
        unref: () => void server.unref(),
        close: () => close(server, sessions, open),
      }),
    );
  });
}

function serverOf(
  sessions: Set<ServerHttp2Session>,
  { tls, keepAlive: rules }: GrpcPortOptions,
): Http2Server | Http2SecureServer {
  const server =
    tls === undefined ? createServer(LIMITS) : createSecureServer({ ...LIMITS, ...secured(tls) });
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    session.on('error', () => undefined);
    keepAlive(session, rules);
  });
  server.on('sessionError', () => undefined);
  return server;
}

interface Refusal {
  readonly status: number;
  /** A text for people, if the request is not gRPC. */
  readonly text?: string;
  readonly headers?: OutgoingHttpHeaders;
}

function refuse(stream: ServerHttp2Stream, { status, text, headers }: Refusal): void {
  stream.on('error', () => undefined);
  const head = { ':status': status, ...headers };
  if (text === undefined) return stream.respond(head, { ...UNDATED, endStream: true });
  const grpcHeaders = { 'grpc-status': '13', 'grpc-message': text, 'content-type': PLAIN_TEXT };
  stream.respond({ ...head, ...grpcHeaders }, UNDATED);
  stream.end(text);
  stream.resume();
}

/** As on a participant, answers have no `date` header. */
const UNDATED: ServerStreamResponseOptions & { readonly sendDate: boolean } = { sendDate: false };
const PLAIN_TEXT = 'text/plain; charset=utf-8';

function enter(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  answer: Answer,
  { maxMessageBytes }: GrpcPortOptions,
): void {
  const size = sizeOf(headers);
  if (size > MAX_REFUSED_HEADER_BYTES) {
    stream.on('error', () => undefined);
    return stream.close(constants.NGHTTP2_PROTOCOL_ERROR);
  }
  const refusal = refusalOf(headers, size);
  if (refusal !== undefined) return refuse(stream, refusal);
  const { session } = stream;
  noteCalls(session, 1);
  const over = (): void => noteCalls(session, -1);
  answer(headers[':path'] ?? '', new Call(stream, headers, maxMessageBytes, over));
}

/** A request that is not gRPC gets an HTTP status (B-GRPC-022). @param size of all headers */
function refusalOf(headers: IncomingHttpHeaders, size: number): Refusal | undefined {
  if (size > MAX_HEADER_BYTES)
    return { status: constants.HTTP_STATUS_REQUEST_HEADER_FIELDS_TOO_LARGE };
  const method = headers[':method'];
  if (method !== 'POST')
    return {
      status: constants.HTTP_STATUS_METHOD_NOT_ALLOWED,
      text: `Method '${method}' is not supported`,
      headers: { allow: 'POST' },
    };
  const type = headers['content-type'];
  if (type === 'application/grpc') return undefined;
  if (type !== undefined && /^application\/grpc(?:[;+]|$)/.test(type)) return undefined;
  return {
    status: constants.HTTP_STATUS_UNSUPPORTED_MEDIA_TYPE,
    text:
      type === undefined
        ? 'Content-Type is missing from the request'
        : `Content-Type '${type}' is not supported`,
  };
}

/** As HTTP/2 counts: names, values and 32 bytes for each. */
function sizeOf(headers: IncomingHttpHeaders): number {
  let size = 0;
  for (const name in headers) {
    const value = headers[name]!;
    size += name.length + (typeof value === 'string' ? value : String(value)).length + 32;
  }
  return size;
}

function listenFailure(cause: NodeJS.ErrnoException, { host, port }: GrpcPortOptions): Error {
  const why =
    cause.code === 'EADDRINUSE'
      ? 'the port is taken. Choose another, or 0 for any free one'
      : cause.message;
  const error = new Error(`Failed to listen on ${host}:${port}: ${why}.`, { cause });
  return Object.assign(error, { code: cause.code });
}

async function close(
  server: Http2Server | Http2SecureServer,
  sessions: ReadonlySet<ServerHttp2Session>,
  open: ReadonlySet<Socket>,
): Promise<void> {
  const isClosed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const session of sessions) session.destroy();
  // Connections before their TLS handshake have no session.
  for (const socket of open) socket.destroy();
  await isClosed;
}
