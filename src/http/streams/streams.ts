/**
 * The WebSocket side of one participant's Ledger API: takes an upgrade, reads the request frame, opens the stream. The
 * subprotocol is always `daml.ws.auth`, asked for or not (B-WS-004); only the first frame counts (B-WS-005).
 */
import type { Duplex } from 'node:stream';
import { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } from 'node:timers';
import type { RawData, WebSocket, WebSocketServer } from 'ws';
import { LedgerError } from '../../daml/errors/ledger-error.js';
import { scalaList } from '../../daml/errors/scala-text.js';
import { formatInstant } from '../../daml/model/time.js';
import { decodeRequest, type DecodedInput } from '../../spec/decode.js';
import type { Operation } from '../../spec/operations.js';
import { completeElement } from '../../spec/responses.js';
import { ongoingCheck, type Admission } from '../../services/authorization/gate.js';
import { enterApi } from '../access/api-entry.js';
import { parseBody } from '../body.js';
import { SERVER } from '../delivery/head.js';
import { RequestContext, type Exchange, type World } from '../contexts.js';
import { ledgerErrorAnswer, unexpectedError } from '../errors.js';
import { MAX_BODY_BYTES } from '../../services/limits.js';
import { ws } from '../packages.js';
import type { UpgradeRequest } from '../upgrades.js';
import type { JournalEntry } from '../../services/request-journal.js';
import { openStream } from '../../services/ledger-api/channels.js';
import { openUnder } from '../../services/faults/faulty-stream.js';
import { LogHub } from '../../services/streams/log-hub.js';
import type { StreamPump } from '../../services/streams/pump.js';
import { WrittenOnce } from '../../services/streams/written-once.js';
import { sessionOver } from './session.js';
import { isError } from '../../daml/errors/realms.js';

const SUBPROTOCOL = 'daml.ws.auth';
const GOING_AWAY = 1001;
/** Canton's interval. */
const STREAM_CHECK_MS = 5_000;
/** How long a client may take to answer the closing of the server. */
const CLOSING_MS = 250;

/** An open WebSocket. */
export interface OpenStream {
  /** The name of the participant whose stream it is. */
  readonly participant: string;
  /** That was opened: `/v2/updates`. */
  readonly path: string;
  /** Sent, and not yet taken by the client. */
  readonly bufferedBytes: number;
}

export class Streams {
  /** Made for the first stream. */
  private sockets?: WebSocketServer;
  private readonly hub: LogHub;
  private readonly texts = new WrittenOnce<Uint8Array>();
  private readonly paths = new WeakMap<WebSocket, string>();

  constructor(private readonly world: World) {
    this.hub = new LogHub(world.participant, world.checkpoints, world.updateOrder);
    world.network.faults.onRestart((name) => {
      if (name !== world.participant.name) return;
      for (const webSocket of this.sockets?.clients ?? []) cutOff(webSocket);
    });
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
      this.note(list, exchange, { status: 101, outcome: 'answered' });
      this.paths.set(webSocket, list.path);
      this.serve(list, exchange, admission, webSocket, socket);
    });
  }

  get open(): readonly OpenStream[] {
    const participant = this.world.participant.name;
    return [...(this.sockets?.clients ?? [])].map((webSocket) => ({
      participant,
      path: this.paths.get(webSocket)!,
      bufferedBytes: webSocket.bufferedAmount,
    }));
  }

  /** Ends every stream. */
  async close(): Promise<void> {
    await Promise.all([...(this.sockets?.clients ?? [])].map(closed));
  }

  private serve(
    list: Operation,
    exchange: Exchange,
    admission: Admission,
    webSocket: WebSocket,
    connection: Duplex,
  ): void {
    const { participant, auth } = this.world;
    const context = new RequestContext(this.world, exchange, admission);
    const check = ongoingCheck(auth, admission, participant);
    const session = sessionOver(webSocket, {
      hub: this.hub,
      connection,
      print: (element) => this.print(list, element),
      printError: (error) => this.printError(list, exchange, context, error),
      check,
    });
    webSocket.once('message', (data, isBinary) =>
      session.start(() => {
        const input = readFrame(list, data, isBinary);
        enterApi(this.world, admission, list, context, input);
        this.openUnderFaults(list, exchange, input, session, webSocket);
        return openStream(list, context, input.body);
      }),
    );
    if (check?.ofUser !== undefined) this.checkFromTimeToTime(webSocket, session);
  }

  /** @throws LedgerError for what is refused on purpose */
  private openUnderFaults(
    list: Operation,
    exchange: Exchange,
    input: DecodedInput,
    pump: StreamPump,
    webSocket: WebSocket,
  ): void {
    const { network, participant } = this.world;
    if (!network.faults.isArmed) return;
    const operation = list.operationId;
    const call = { operation, participant: participant.name, input, isStream: true };
    const applied = network.faults.meet(call);
    if (applied.length === 0) return;
    const faults = applied.map(({ id, text }) => ({ id, fault: text }));
    this.note(list, exchange, { status: 101, outcome: 'answered', faults });
    const reset = () => cutOff(webSocket);
    openUnder(applied, { network, participant, operation, input, pump, reset });
  }

  /** An element that several streams send is printed once. */
  private print(list: Operation, element: object): Uint8Array {
    return this.texts.of(element, () =>
      Buffer.from(JSON.stringify(completeElement(list, element))),
    );
  }

  private checkFromTimeToTime(webSocket: WebSocket, session: StreamPump): void {
    const interval = this.world.auth?.options.streamCheckInterval ?? STREAM_CHECK_MS;
    const timer = setInterval(() => session.recheck(), interval).unref();
    webSocket.once('close', () => clearInterval(timer));
  }

  private printError(
    list: Operation,
    exchange: Exchange,
    context: RequestContext,
    error: unknown,
  ): string {
    const isExpected = error instanceof LedgerError;
    const refusal = isExpected ? error : unexpectedError(error);
    const { status, body } = ledgerErrorAnswer(refusal, context.origin);
    const isBug = !isExpected && !(error instanceof FrameNotDecoded);
    this.note(list, exchange, {
      status,
      outcome: isBug ? 'failed' : 'refused',
      error: refusal.code,
      explanation: isBug && isError(error) ? error.stack : refusal.details.cause,
      validation:
        error instanceof FrameNotDecoded ? { ok: false, reason: error.message } : { ok: true },
    });
    return JSON.stringify(body);
  }

  private note(
    { operationId }: Operation,
    { method, target }: Exchange,
    entry: Pick<JournalEntry, 'status' | 'outcome'> & Partial<JournalEntry>,
  ): void {
    const { requests, network } = this.world;
    const at = formatInstant(network.clock.now());
    requests.add({
      at,
      api: 'ledger',
      operation: operationId,
      method,
      path: target,
      validation: { ok: true },
      ...entry,
    });
  }
}

function newSocketServer(): WebSocketServer {
  const sockets = new (ws().WebSocketServer)({
    noServer: true,
    maxPayload: MAX_BODY_BYTES,
    perMessageDeflate: false,
    handleProtocols: () => SUBPROTOCOL,
  });
  // In the order and the words of a participant's server (B-GEN-059).
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

function readFrame(list: Operation, data: RawData, isBinary: boolean): DecodedInput {
  const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Uint8Array);
  if (isBinary) throw binaryFrame(bytes);
  const text = bytes.toString();
  const refuse = (reason: string, path = '') => {
    const names = path.split('.').filter((name) => name !== '');
    const fault = `JsonError(${reason},${scalaList(names.map((name) => `FieldName(${name},${name})`))})`;
    const failure = `JsonDecodeException(${scalaList([fault])},io.circe.Errors)`;
    return new FrameNotDecoded(`Text(${text},true,None)`, `Error(${text},${failure})`);
  };
  const parsed = parseBody(bytes) ?? { ok: false, reason: 'exhausted input' };
  if (!parsed.ok) throw refuse(parsed.reason);
  const decoded = decodeRequest(list, { path: {}, query: {}, body: parsed.value });
  if (!decoded.ok) throw refuse(decoded.reason, decoded.path);
  return decoded.input;
}

function binaryFrame(bytes: Uint8Array): FrameNotDecoded {
  // NOTE: a participant shows the identity of an array of Java, which differs from frame to frame.
  const identity = bytes.reduce((hash, byte) => (Math.imul(hash, 31) + byte) & 0x7fffffff, 1);
  const frame = `Binary([B@${identity.toString(16)},true,None)`;
  const failure = `sttp.tapir.model.UnsupportedWebSocketFrameException: Unsupported web socket frame: ${frame}`;
  return new FrameNotDecoded(frame, `Error(${frame},${failure})`);
}

/** Breaks the connection, once what was sent has left. */
function cutOff(webSocket: WebSocket): void {
  if (webSocket.bufferedAmount === 0) webSocket.terminate();
  else setImmediate(() => cutOff(webSocket));
}

function closed(webSocket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    const impatience = setTimeout(() => webSocket.terminate(), CLOSING_MS);
    webSocket.once('close', () => {
      clearTimeout(impatience);
      resolve();
    });
    webSocket.close(GOING_AWAY, 'The server closes.');
  });
}
