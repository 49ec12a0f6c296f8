/**
 * Requests without a port. They enter the same way as requests over a port. If users have extended the application,
 * they pass it as node:http requests; otherwise they go directly to the ledger.
 * NOTE: the texts are Canticle's, as in fetch.ts, because only code in this process reads them.
 */
import {
  createServer,
  validateHeaderName,
  validateHeaderValue,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { connectionReset, deliveredStream, openedStream } from '../delivery/delivery.js';
import type { WireAnswer } from '../answers.js';
import type { HttpEntry } from '../http-entry.js';
import { headRefusal } from '../head-limits.js';
import { connection, type ServerEnd } from './connection.js';
import { declineUpgrade } from '../upgrades.js';
import {
  exchangeOf,
  hostOf,
  type LocalAnswer,
  type LocalBody,
  type LocalHeader,
  type LocalRequest,
} from './local-request.js';
import { bytesOf, sizeOf } from '../body.js';
import { readAnswer } from './wire-answer.js';
import { isBytes, isError } from '../../daml/errors/realms.js';

export class InProcess {
  /** Never listens: connections are handed to it. Made for the first request that passes the application. */
  private server?: Server;

  constructor(private readonly httpEntry: HttpEntry) {}

  /** Rejects with the signal's reason if it aborts before the answer. */
  async answer(request: LocalRequest): Promise<LocalAnswer> {
    const { signal } = request;
    signal?.throwIfAborted();
    const answer =
      this.httpEntry.hasApp && isSendable(request)
        ? this.sendToServer(request)
        : this.dispatch(request);
    return signal === undefined ? answer : unlessAborted(answer, signal);
  }

  private async dispatch(request: LocalRequest): Promise<LocalAnswer> {
    const head = { url: request.target, rawHeaders: request.headers.flat() };
    const answer = headRefusal(head) ?? (await this.located(request));
    const { status, headers, body = '', delivery, open } = answer;
    if (delivery?.kind === 'lost') throw connectionReset();
    const lasting: LocalHeader[] = [];
    for (const name in headers) if (name !== 'connection') lasting.push([name, headers[name]!]);
    if (open !== undefined) return { status, headers: lasting, body: openedStream(open) };
    lasting.push(['content-length', String(sizeOf(body))]);
    return {
      status,
      headers: lasting,
      body:
        request.method === 'HEAD'
          ? ''
          : delivery === undefined
            ? body
            : deliveredStream(bytesOf(body), delivery),
    };
  }

  private located(request: LocalRequest): Promise<WireAnswer> {
    const located = this.httpEntry.sites().locate(request.target);
    if ('answering' in located) return located.answering(exchangeOf(request));
    const { site, target } = located;
    return site.dispatcher.answer(exchangeOf({ ...request, target }));
  }

  /** Opens a connection for a WebSocket, and requests it. The client then reads from it, the answer first. */
  connect({ target, root, headers }: Pick<LocalRequest, 'target' | 'root' | 'headers'>): Duplex {
    const { client, server } = connection(root);
    this.listening().emit('connection', server);
    const head = wireHead('GET', target, [['host', hostOf(root)], ...headers]);
    client.write(Buffer.from(head, 'latin1'));
    return client;
  }

  private sendToServer(request: LocalRequest): Promise<LocalAnswer> {
    const head = headOf(request);
    const { client, server } = connection(request.root);
    this.listening().emit('connection', server);
    const { signal } = request;
    const leave = () => client.destroy(errorOf(signal!));
    signal?.addEventListener('abort', leave, { once: true });
    client.once('close', () => signal?.removeEventListener('abort', leave));
    send(client, head, request).catch((error: Error) => client.destroy(error));
    return readAnswer(client, request.method);
  }

  private listening(): Server {
    if (this.server !== undefined) return this.server;
    const server = createServer((request, response) => this.enter(request, response));
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      Object.assign(request, { baseUrl: (socket as ServerEnd).baseUrl });
      const decline = () => declineUpgrade(server, { request, socket, head });
      void this.httpEntry.upgrade(this.httpEntry.sites(), { request, socket, head }, { decline });
    });
    return (this.server = server);
  }

  private enter(request: IncomingMessage, response: ServerResponse): void {
    const { baseUrl } = request.socket as Duplex as ServerEnd;
    Object.assign(request, { baseUrl });
    // Only the date header depends on this machine.
    response.sendDate = false;
    this.httpEntry.enter(this.httpEntry.sites(), request, response);
  }
}

/** Other targets cannot be put on a wire; the ledger refuses them in a participant's words. */
const isSendable = ({ target }: LocalRequest): boolean => /^\/[\x21-\x7e]*$/.test(target);

/** The creator of the connection sets its headers. */
const OF_THE_CONNECTION =
  /^(?:host|connection|keep-alive|content-length|transfer-encoding|upgrade|expect)$/;

function headOf({ method, target, root, headers, body }: LocalRequest): string {
  const sent = headers.filter(([name]) => !OF_THE_CONNECTION.test(name));
  const length = body === undefined ? [] : [framing(body)];
  const host = headers.find(([name]) => name === 'host')?.[1] ?? hostOf(root);
  return wireHead(method, target, [['host', host], ['connection', 'close'], ...length, ...sent]);
}

function wireHead(method: string, target: string, headers: readonly LocalHeader[]): string {
  validateHeaderName(method);
  for (const [name, value] of headers) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  }
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `${method} ${target} HTTP/1.1\r\n${lines}\r\n`;
}

const framing = (body: NonNullable<LocalRequest['body']>): readonly [string, string] =>
  isWhole(body) ? ['content-length', String(sizeOf(body))] : ['transfer-encoding', 'chunked'];

const isWhole = (body: LocalBody): body is string | Uint8Array =>
  typeof body === 'string' || isBytes(body);

function send(client: Duplex, head: string, { body }: LocalRequest): Promise<void> {
  return pipeline(
    async function* () {
      yield Buffer.from(head, 'latin1');
      if (body === undefined) return;
      if (isWhole(body)) yield bytesOf(body);
      else {
        for await (const chunk of body) {
          if (chunk.length === 0) continue;
          yield Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, LINE_BREAK]);
        }
        yield LAST_CHUNK;
      }
    },
    client,
    { end: false },
  );
}

const LINE_BREAK = Buffer.from('\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

const errorOf = ({ reason }: AbortSignal): Error =>
  isError(reason) ? reason : new Error('The request was aborted.', { cause: reason });

function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
