/**
 * Answers requests and WebSockets on a port from a recording. Requests that are not in the recording go to another
 * system, or get an error.
 */
import {
  createServer,
  validateHeaderName,
  validateHeaderValue,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { spelledOut } from '../daml/errors/printable.js';
import { ws } from '../http/packages.js';
import { answeredBody, headerOf, jsonIn, textOf, type HarMessage } from '../recording/har.js';
import { MAX_RECORDED_BYTES } from '../recording/limits.js';
import type { PlainRequest } from '../recording/requests.js';
import { ProxyGuard } from './proxy-guard.js';
import type { Found, Replay } from './replay.js';
import { COMMAND_PATIENCE_MS, HttpSide } from '../client/http-side.js';
import { tunnel } from './tunnel.js';

export interface ReplayOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** The address of the system that answers requests that are not recorded. Without it, they get an error. */
  readonly otherwise?: (() => string) | undefined;
  /**
   * The origins of pages that may send requests, which are also allowed host names, such as
   * `https://wallet.example`.
   */
  readonly allowOrigins?: readonly string[] | undefined;
  /** Receives the message for a request that is not recorded. */
  readonly onMissed?: (text: string) => void;
}

export interface ReplayServer {
  readonly port: number;
  close(): Promise<void>;
}

/** NOTE: no participant uses this status, so clients can distinguish it from a recorded answer. */
const NOT_RECORDED = 501;
/** Lower statuses are informational, and precede an answer. */
const FINAL = 200;
const CLOSED_NORMALLY = 1000;
const INTERNAL_ERROR = 1011;
/** Matches requests for finite streams. */
const ENDING = /"(?:endInclusive|activeAtOffset)"\s*:\s*\d/;
/** Headers of a single connection, or of a body that is encoded again. */
const OMITTED_HEADERS =
  /^(?:connection|keep-alive|transfer-encoding|content-length|content-encoding|date)$/i;

/** Rejects with the system's error if it cannot listen, such as EADDRINUSE. */
export function openReplay(replay: Replay, options: ReplayOptions): Promise<ReplayServer> {
  const answers = new ReplayAnswers(replay, options);
  const server = createServer({ requestTimeout: 0, requireHostHeader: false });
  const pages = new ProxyGuard(options.allowOrigins, false);
  server.on('request', (request, response) => {
    if (pages.refuses(request, response)) return;
    answers.answer(request, response).catch((error: Error) => answers.fail(response, error));
  });
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (!pages.refusesUpgrade(request, socket)) answers.upgrade(request, socket, head);
  });
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
      answers.closeStreams();
    });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => {
      server.off('error', reject);
      resolve({ port: (server.address() as AddressInfo).port, close });
    });
  });
}

class ReplayAnswers {
  private readonly sockets = new (ws().WebSocketServer)({
    noServer: true,
    handleProtocols: (offered) => (offered.has('daml.ws.auth') ? 'daml.ws.auth' : false),
  });

  constructor(
    private readonly replay: Replay,
    private readonly options: ReplayOptions,
  ) {}

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await bodyOf(request).catch(() => undefined);
    if (bytes === undefined) return void response.destroy();
    const { method = 'GET', url: target = '/' } = request;
    const plainRequest = { method, target, body: bytes.toString() };
    const found = this.replay.find(plainRequest);
    if (found !== undefined) return giveRecorded(found, response);
    const { otherwise } = this.options;
    if (otherwise === undefined) return refuse(response, this.miss(plainRequest));
    const { authorization, 'content-type': contentType, accept } = request.headers;
    const headers = { authorization, 'content-type': contentType, accept };
    const given = Object.entries(headers).filter(([, value]) => value !== undefined);
    try {
      const system = new HttpSide(new URL(otherwise()).origin, { patience: COMMAND_PATIENCE_MS });
      const {
        status,
        mediaType,
        bytes: body,
      } = await system.request({
        method,
        target,
        headers: Object.fromEntries(given) as Record<string, string>,
        ...(bytes.length > 0 && { body: bytes }),
      });
      response.writeHead(status, mediaType === '' ? {} : { 'content-type': mediaType }).end(body);
    } catch (error) {
      refuse(
        response,
        `${this.miss(plainRequest)} What answers otherwise does not: ${String(error)}.`,
      );
    }
  }

  /** Reports an unusable recording, for example because the file has changed. */
  fail(response: ServerResponse, { message }: Error): void {
    if (response.headersSent) response.destroy();
    else refuse(response, spelledOut(`it cannot be answered as it was recorded: ${message}`));
  }

  upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const { url: target = '/', rawHeaders, httpVersion } = request;
    if (this.replay.hasStream(target)) {
      this.sockets.handleUpgrade(request, socket, head, (opened) => this.stream(target, opened));
      return;
    }
    const { otherwise } = this.options;
    if (otherwise !== undefined) {
      const url = new URL(target, otherwise());
      const outgoing = { method: 'GET', url, httpVersion, rawHeaders, started: new Date() };
      return tunnel(outgoing, { socket, head }, () => {});
    }
    const text = this.miss({ method: 'WS', target, body: '' });
    const length = Buffer.byteLength(text);
    socket.end(
      `HTTP/1.1 ${NOT_RECORDED} Not Implemented\r\ncontent-type: text/plain\r\nconnection: close\r\ncontent-length: ${length}\r\n\r\n${text}`,
    );
  }

  closeStreams(): void {
    for (const each of this.sockets.clients) each.terminate();
  }

  /**
   * The first message selects the recorded stream. Answers that follow a later message in the recording are sent
   * after the client sends that message.
   */
  private stream(target: string, socket: WebSocket): void {
    let left: HarMessage[] | undefined;
    socket.on('error', () => socket.terminate());
    let identities: Found['identities'];
    const answer = (data: unknown): void => {
      const body = (data as Buffer).toString();
      if (left === undefined) {
        const plainRequest: PlainRequest = { method: 'WS', target, body };
        const found = this.replay.find(plainRequest);
        if (found === undefined) {
          this.miss(plainRequest);
          return socket.close(INTERNAL_ERROR, 'nothing is recorded for that message');
        }
        identities = found.identities;
        left = [...(found.entry._webSocketMessages ?? [])];
      }
      // Up to the next sent message.
      const sent = left.findIndex(({ type }) => type === 'send');
      const next = left.findIndex(({ type }, at) => at > sent && type === 'send');
      const now = left.splice(0, next < 0 ? left.length : next);
      for (const message of now) if (message.type === 'receive') give(message);
      // NOTE: a recording does not contain which side closed the stream: a participant closes finite streams.
      if (left.length === 0 && ENDING.test(body)) socket.close(CLOSED_NORMALLY);
    };
    socket.on('message', (data) => {
      try {
        answer(data);
      } catch {
        socket.close(INTERNAL_ERROR, 'it cannot be answered as it was recorded');
      }
    });
    const give = (message: HarMessage) =>
      message.opcode === 2
        ? socket.send(Buffer.from(message.data, 'base64'))
        : socket.send(translated(textOf(message), identities));
  }

  private miss(request: PlainRequest): string {
    const text = this.replay.miss(request);
    this.options.onMissed?.(text);
    return text;
  }
}

function refuse(response: ServerResponse, text: string): void {
  response.writeHead(NOT_RECORDED, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(`canticle replay: ${text}\n`);
}

function giveRecorded({ entry, identities }: Found, response: ServerResponse): void {
  const { status, statusText, headers, content } = entry.response;
  if (status < FINAL) throw new Error(`its status ${status} cannot end an exchange`);
  const body = answeredBody(entry.response) ?? Buffer.alloc(0);
  const isText = content.encoding !== 'base64';
  const given = isText ? Buffer.from(translated(body.toString(), identities)) : body;
  for (const { name, value } of headers)
    if (!OMITTED_HEADERS.test(name) && isSendable(name, value)) response.appendHeader(name, value);
  const { mimeType } = content;
  if (headerOf(headers, 'content-type') === undefined && isSendable('content-type', mimeType))
    if (mimeType !== '') response.setHeader('content-type', mimeType);
  const reason = isSendable('reason', statusText) ? statusText : '';
  response.writeHead(status, reason || undefined).end(given);
}

/** Whether Node accepts the header. Headers from HTTP/2 or edited files may be invalid. */
function isSendable(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}

/** The text with current ids and times. It is unchanged if the request was equal. */
function translated(text: string, identities: Found['identities']): string {
  if (identities.isPlain) return text;
  const json = jsonIn(text);
  return json === undefined ? identities.text(text) : JSON.stringify(identities.json(json.value));
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += (chunk as Buffer).length;
    if (length > MAX_RECORDED_BYTES) throw new Error('too long');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
