/**
 * A WebSocket without a port: the client's end of one (RFC 6455), on a connection in memory. For tools between a
 * client and the instance, such as MSW. It takes the full path of a port's request. It avoids node:http's client,
 * which such tools may have patched.
 */
import type { Duplex, Writable } from 'node:stream';
import { ws } from '../packages.js';
import type { InProcess } from './in-process.js';

/** A WebSocket that this process opens. */
export interface InProcessWebSocketRequest {
  /** From the root, with the query: `/v2/updates`. */
  readonly path: string;
  /** The URL of the root, as a client sees it; `http://localhost` by default. */
  readonly root?: string;
  /** Subprotocols, in the client's order of preference: `jwt.token.` followed by a token, and `daml.ws.auth`. */
  readonly protocols?: readonly string[];
}

/** The callbacks of an in-process WebSocket's client. */
export interface InProcessWebSocketListener {
  /** A text, or bytes for a binary frame. */
  readonly message: (data: string | Buffer) => void;
  /** Called once. @param code of RFC 6455; 1006 if it never opened, or the connection was lost */
  readonly close: (code: number, reason: string) => void;
}

/** The client's end of a WebSocket of this process. Messages sent before it opens wait until it does. */
export interface InProcessWebSocket {
  /** A text frame for a text, a binary one for bytes. */
  send(data: string | Uint8Array): void;
  /** Asks the other end to close. @param code of RFC 6455: 1000, or from 3000 to 4999 */
  close(code?: number, reason?: string): void;
}

/** Parts of `ws` that its types omit. */
interface Framing {
  readonly Receiver: new () => Writable;
  readonly Sender: new (socket: Duplex) => {
    send(data: string | Uint8Array, options: object): void;
    close(code: number | undefined, reason: string | undefined, mask: boolean): void;
    pong(data: Buffer, mask: boolean): void;
  };
}

const LOST = 1006;
const HEAD_END = '\r\n\r\n';
/** Any 16 bytes will do, because the connection has no other client. */
const KEY = Buffer.alloc(16).toString('base64');

export function openWebSocket(
  inProcess: InProcess,
  { path, root = 'http://localhost', protocols = [] }: InProcessWebSocketRequest,
  listener: InProcessWebSocketListener,
): InProcessWebSocket {
  const { Receiver, Sender } = ws() as unknown as Framing;
  const protocolHeaders =
    protocols.length === 0 ? [] : [['sec-websocket-protocol', protocols.join(', ')]];
  const connection = inProcess.connect({
    target: path,
    root: root.replace(/^(?:https|wss?):/, 'http:'),
    headers: [
      ['connection', 'Upgrade'],
      ['upgrade', 'websocket'],
      ['sec-websocket-version', '13'],
      ['sec-websocket-key', KEY],
      ...(protocolHeaders as [string, string][]),
    ],
  });
  const sender = new Sender(connection);
  const receiver = new Receiver();
  let waiting: (() => void)[] | undefined = [];
  const whenOpen = (action: () => void): void => {
    if (waiting === undefined) action();
    else waiting.push(action);
  };
  let ended: { code: number; reason: string } | undefined;
  const end = (code: number, reason = ''): void => {
    ended ??= { code, reason };
    connection.destroy();
  };
  receiver
    .on('message', (data: Buffer, isBinary: boolean) =>
      listener.message(isBinary ? data : data.toString()),
    )
    .on('ping', (data: Buffer) => sender.pong(data, true))
    .on('conclude', (code: number, reason: Buffer) => {
      sender.close(code === 1005 ? undefined : code, undefined, true);
      end(code, reason.toString());
    })
    .on('error', () => end(LOST));
  connection.once('close', () => {
    const { code, reason } = ended ?? { code: LOST, reason: '' };
    listener.close(code, reason);
  });
  afterHead(connection, (status, rest) => {
    if (status !== 101) return end(LOST);
    // As on a wire, the other end finishes its write before it gets an answer.
    const take = (chunk: Buffer) => process.nextTick(() => receiver.write(chunk));
    connection.on('data', take);
    if (rest.length > 0) take(rest);
    for (const action of waiting ?? []) action();
    waiting = undefined;
  });
  connection.once('end', () => end(LOST));
  return {
    send: (data) => whenOpen(() => sender.send(data, frameOf(data))),
    close: (code, reason) => whenOpen(() => sender.close(code, reason, true)),
  };
}

const frameOf = (data: string | Uint8Array): object => ({
  binary: typeof data !== 'string',
  mask: true,
  fin: true,
  compress: false,
});

/** Reads the head of an answer. @param then receives its status, and the bytes after the head */
function afterHead(connection: Duplex, then: (status: number, rest: Buffer) => void): void {
  let held: Buffer = Buffer.alloc(0);
  const take = (chunk: Buffer): void => {
    held = Buffer.concat([held, chunk]);
    const headEnd = held.indexOf(HEAD_END);
    if (headEnd < 0) return;
    connection.off('data', take);
    const status = Number(held.toString('latin1', 0, headEnd).split(' ', 2)[1]);
    then(status, held.subarray(headEnd + HEAD_END.length));
  };
  connection.on('data', take);
}
