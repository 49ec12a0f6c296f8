/**
 * The WebSocket side of one participant's Ledger API: takes an upgrade, reads the request frame, opens the stream.
 * The subprotocol is always `daml.ws.auth`, requested or not (B-WS-004); only the first frame counts (B-WS-005).
 */
import { clearTimeout, setTimeout } from 'node:timers';
import type { RawData, WebSocketServer } from 'ws';
import { scalaList } from '../../daml/errors/scala-text.js';
import { decodeRequest, type DecodedInput } from '../../spec/decode.js';
import type { Operation } from '../../spec/operations.js';
import { completeElement } from '../../spec/responses.js';
import type { Admission } from '../../services/authorization/gate.js';
import { CallStreams, type StreamRequest } from '../../services/calls/call-streams.js';
import type { Calls } from '../../services/calls/calls.js';
import { WatchedStream } from '../../services/calls/watched-calls.js';
import { failureAnswer, type WireAnswer } from '../answers.js';
import { parseBody } from '../body.js';
import { SERVER } from '../delivery/head.js';
import { RequestContext, type Exchange, type World } from '../contexts.js';
import { MAX_BODY_BYTES } from '../../services/limits.js';
import { releaseOf } from '../../spec/versions.js';
import { ws } from '../packages.js';
import type { UpgradeRequest } from '../upgrades.js';
import { openStream } from '../../services/ledger-api/channels.js';
import { disabledOperation } from '../../services/ledger-api/disabled-apis.js';
import { enterJsonLayer } from '../../services/ledger-api/json-layer.js';
import { OpeningStreams } from './opening-streams.js';
import { lineOver } from './session.js';
import type { StreamConnection, StreamSocket } from './stream-socket.js';

const SUBPROTOCOL = 'daml.ws.auth';
const GOING_AWAY = 1001;
/** The time for a client to answer the server's close frame. */
const CLOSING_MS = 250;

/** An open WebSocket. */
export interface OpenStream {
  /** The name of the participant whose stream it is. */
  readonly participant: string;
  /** The path of the stream: `/v2/updates`. */
  readonly path: string;
  /** Bytes that were sent, but not yet received by the client. */
  readonly bufferedBytes: number;
}

export class Streams {
  /** Made for the first stream. */
  private sockets?: WebSocketServer;
  private readonly streams: CallStreams<Exchange, RequestContext, WireAnswer>;
  private readonly paths = new Map<StreamSocket, string>();
  private readonly opening = new OpeningStreams();

  constructor(
    private readonly world: World,
    private readonly calls: Calls<Exchange, RequestContext, WireAnswer>,
  ) {
    this.streams = new CallStreams(calls);
  }

  /** @param list the operation that gives the stream as a list */
  upgrade(
    list: Operation,
    exchange: Exchange,
    admission: Admission,
    { request, socket, head }: UpgradeRequest,
  ): void {
    this.sockets ??= newSocketServer();
    this.sockets.handleUpgrade(request, socket, head, (webSocket) => {
      // Its types have more overloads.
      const opened = webSocket as unknown as StreamSocket;
      this.take(list, exchange, admission, { socket: opened, connection: socket });
    });
  }

  /** Serves a WebSocket that is open. */
  take(
    list: Operation,
    exchange: Exchange,
    admission: Admission,
    {
      socket,
      connection,
    }: { readonly socket: StreamSocket; readonly connection: StreamConnection },
  ): void {
    this.paths.set(socket, list.path);
    socket.once('close', () => this.paths.delete(socket));
    this.serve(list, exchange, admission, socket, connection);
    this.opening.add(socket);
  }

  get open(): readonly OpenStream[] {
    const participant = this.world.participant.name;
    return [...this.paths].map(([socket, path]) => ({
      participant,
      path,
      bufferedBytes: socket.bufferedAmount,
    }));
  }

  /** The end of the participant's log. */
  get logEnd(): number {
    return this.world.participant.log.end;
  }

  /**
   * The promise that an answer with news waits for; undefined if it need not wait.
   * @param before the end of the log before it
   */
  beforeAnswer(before: number): Promise<unknown> | undefined {
    if (this.logEnd === before || this.world.updateOrder === 'after-answers') return undefined;
    return this.opening.all;
  }

  /** Ends every stream. */
  async close(): Promise<void> {
    await Promise.all([...this.paths.keys()].map(closed));
  }

  private serve(
    list: Operation,
    exchange: Exchange,
    admission: Admission,
    webSocket: StreamSocket,
    connection: StreamConnection,
  ): void {
    const { streams } = this;
    const release = releaseOf(this.world.apiVersion);
    const context = new RequestContext(
      this.world,
      release.tracesStreams ? exchange : untraced(exchange),
      admission,
    );
    const { watch } = this.world;
    const { api, operationId: operation } = list;
    const of = { api, operation, method: 'WS', path: exchange.target };
    const watched = watch && new WatchedStream(watch, exchange, of);
    this.noteOpened(list, exchange);
    const line = lineOver(webSocket, {
      connection,
      print: (element) => {
        const bytes = streams.bytesOf(element, () =>
          Buffer.from(JSON.stringify(completeElement(list, element))),
        );
        watched?.element(() => Buffer.from(bytes).toString());
        return bytes;
      },
      printError: (error) => {
        const text = this.printError(list, exchange, context, error);
        watched?.element(() => text);
        return text;
      },
      wake: () => pump.wake(),
    });
    if (watched !== undefined) line.onClosed(() => watched.end(SWITCHED.status));
    const pump = streams.begin(admission, line);
    const start = (read: () => StreamRequest<RequestContext>): void =>
      streams.start(pump, exchange, line, admission, context, read);
    // A WebSocket is opened with GET.
    const disabled = disabledOperation(this.world, list, 'GET');
    if (disabled !== undefined)
      return start(() => {
        throw disabled;
      });
    webSocket.once('message', (data: RawData, isBinary) =>
      start(() => {
        watched?.sent(String(data));
        const input = readFrame(list, data, isBinary, release.hidesIdentifierErrors);
        return {
          called: list,
          requires: list,
          input,
          enter: () => this.enter(list, exchange, context, input),
          met: () => this.noteOpened(list, exchange),
          open: () => openStream(list, context, input.body),
        };
      }),
    );
  }

  /** The journal has an entry of the stream already, so a mark of its request needs another one. */
  private enter(
    list: Operation,
    exchange: Exchange,
    context: RequestContext,
    input: DecodedInput,
  ): void {
    enterJsonLayer(list, context, input);
    if (exchange.deprecated !== undefined) this.noteOpened(list, exchange);
  }

  private noteOpened(list: Operation, exchange: Exchange): void {
    this.calls.note(exchange, list, SWITCHED, { outcome: 'answered' });
  }

  private printError(
    list: Operation,
    exchange: Exchange,
    context: RequestContext,
    error: unknown,
  ): string {
    const { calls } = this;
    if (!(error instanceof FrameNotDecoded))
      return calls.failed(exchange, list, error, context).body as string;
    const refusal = failureAnswer(list.api, error, context.origin);
    const validation = { ok: false, reason: error.message };
    const { message: explanation } = error;
    const note = { outcome: 'refused', error: INTERNAL_ERROR, explanation, validation } as const;
    return calls.refuse(exchange, list, { refusal, note }).body as string;
  }
}

/** The answer to the request for a WebSocket, for the journal. */
const SWITCHED: WireAnswer = { status: 101, headers: {} };
const INTERNAL_ERROR = 'LEDGER_API_INTERNAL_ERROR';

function newSocketServer(): WebSocketServer {
  const sockets = new (ws().WebSocketServer)({
    noServer: true,
    maxPayload: MAX_BODY_BYTES,
    perMessageDeflate: false,
    handleProtocols: () => SUBPROTOCOL,
  });
  // In the order and letter case of a participant's server (B-GEN-059).
  sockets.on('headers', (headers) => {
    const accept = headers.find((line) => line.startsWith('Sec-WebSocket-Accept:'))!;
    const protocol = `Sec-WebSocket-Protocol: ${SUBPROTOCOL}`;
    const lines = [protocol, 'Upgrade: websocket', accept, `Server: ${SERVER}`];
    headers.splice(1, headers.length - 1, ...lines, 'Connection: upgrade');
  });
  return sockets;
}

/** B-WS-008: in the words of the participant's own server. */
class FrameNotDecoded extends Error {
  override readonly name = 'sttp.tapir.model.WebSocketFrameDecodeFailure';
  constructor(frame: string, why: string) {
    super(`Cannot decode frame: ${frame}, due to: ${why}`);
  }
}

/** As if the trace of the request were unreadable: then only calls of the participant have one. */
const untraced = (exchange: Exchange): Exchange => ({
  ...exchange,
  header: (name) => (name === 'traceparent' ? '' : exchange.header(name)),
});

/** @param hidesIdentifierErrors whether an unreadable identifier is an exception, without its place */
function readFrame(
  list: Operation,
  data: RawData,
  isBinary: boolean,
  hidesIdentifierErrors: boolean,
): DecodedInput {
  const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Uint8Array);
  if (isBinary) throw binaryFrame(bytes);
  const text = bytes.toString();
  const refuseFor = (failure: string) =>
    new FrameNotDecoded(`Text(${text},true,None)`, `Error(${text},${failure})`);
  const refuse = (reason: string, path = '') => {
    const names = path.split('.').filter((name) => name !== '');
    const error = `JsonError(${reason},${scalaList(names.map((name) => `FieldName(${name},${name})`))})`;
    return refuseFor(`JsonDecodeException(${scalaList([error])},io.circe.Errors)`);
  };
  const parsed = parseBody(bytes) ?? { ok: false, reason: 'exhausted input' };
  if (!parsed.ok) throw refuse(parsed.reason);
  const decoded = decodeRequest(list, { path: {}, query: {}, body: parsed.value });
  if (decoded.ok) return decoded.input;
  const { identifier } = decoded;
  if (identifier === undefined || !hidesIdentifierErrors)
    throw refuse(decoded.reason, decoded.path);
  throw refuseFor(
    `java.lang.IllegalArgumentException: Expected <package>:<moduleName>:<entityName>, got ${identifier}`,
  );
}

function binaryFrame(bytes: Uint8Array): FrameNotDecoded {
  // NOTE: a participant shows the identity of an array of Java, which differs from frame to frame.
  const identity = bytes.reduce((hash, byte) => (Math.imul(hash, 31) + byte) & 0x7fffffff, 1);
  const frame = `Binary([B@${identity.toString(16)},true,None)`;
  const failure = `sttp.tapir.model.UnsupportedWebSocketFrameException: Unsupported web socket frame: ${frame}`;
  return new FrameNotDecoded(frame, `Error(${frame},${failure})`);
}

function closed(webSocket: StreamSocket): Promise<void> {
  return new Promise((resolve) => {
    const impatience = setTimeout(() => webSocket.terminate(), CLOSING_MS);
    webSocket.once('close', () => {
      clearTimeout(impatience);
      resolve();
    });
    webSocket.close(GOING_AWAY, 'The server closes.');
  });
}
