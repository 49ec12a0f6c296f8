/**
 * A minimal gRPC client for measurements: HTTP/2 over a bare socket, with headers encoded once. It reads only the
 * frames of answers. A real client costs more than the server, so the benchmark would measure the client.
 */
import { connect, type Socket } from 'node:net';

const FRAME = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  window: 8,
} as const;
const END_STREAM = 1;
const END_HEADERS = 4;
const ACK = 1;
const HEAD_BYTES = 9;
/** The flow control window of this client. It never sends an update of it. */
const WINDOW = 2 ** 31 - 1;
const FIRST_WINDOW = 65_535;

interface Waiting {
  readonly onData: (bytes: Buffer) => void;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export class BareGrpc {
  readonly opened: Promise<void>;
  private readonly socket: Socket;
  private readonly waiting = new Map<number, Waiting>();
  private pending: Buffer = Buffer.alloc(0);
  private next = 1;

  /** @param address `host:port` */
  constructor(address: string) {
    const [host, port] = address.split(':');
    this.socket = connect({ host, port: Number(port), noDelay: true });
    this.opened = new Promise((resolve) => this.socket.once('connect', resolve));
    this.socket.write(Buffer.concat([PREFACE, settings(), windowUpdate(WINDOW - FIRST_WINDOW)]));
    this.socket.on('data', (chunk: Buffer) => this.take(chunk));
    this.socket.on('error', (error) => this.fail(error));
    this.socket.on('close', () => this.fail(new Error('The server ended the connection.')));
  }

  /** One request, one answer; anything else is a failure. */
  async unary(headers: Buffer, message: Uint8Array): Promise<void> {
    let bytes = 0;
    await this.call(headers, message, (data) => (bytes += data.length));
    if (bytes < 5) throw new Error('The call was answered without a message.');
  }

  /** @returns after this number of messages, or rejects if the stream ends before */
  count(headers: Buffer, request: Uint8Array, wanted: number): Promise<void> {
    return new Promise((resolve, reject) => {
      let seen = 0;
      let pending: Buffer = Buffer.alloc(0);
      const ended = this.call(headers, request, (chunk) => {
        pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
        let at = 0;
        while (pending.length - at >= 5) {
          const end = at + 5 + pending.readUInt32BE(at + 1);
          if (end > pending.length) break;
          at = end;
          seen += 1;
        }
        pending = pending.subarray(at);
        if (seen >= wanted) resolve();
      });
      ended.then(
        () => (seen >= wanted ? resolve() : reject(new Error(`${seen} messages came.`))),
        reject,
      );
    });
  }

  close(): void {
    this.socket.removeAllListeners('close').destroy();
  }

  private call(headers: Buffer, message: Uint8Array, onData: Waiting['onData']): Promise<void> {
    const id = this.next;
    this.next += 2;
    const prefix = Buffer.alloc(5);
    prefix.writeUInt32BE(message.length, 1);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { onData, resolve, reject });
      this.socket.write(
        Buffer.concat([
          frameHead(headers.length, FRAME.headers, END_HEADERS, id),
          headers,
          frameHead(5 + message.length, FRAME.data, END_STREAM, id),
          prefix,
          message,
        ]),
      );
    });
  }

  private take(chunk: Buffer): void {
    let all = this.pending.length === 0 ? chunk : Buffer.concat([this.pending, chunk]);
    while (all.length >= HEAD_BYTES) {
      const length = all.readUIntBE(0, 3);
      if (all.length < HEAD_BYTES + length) break;
      const end = HEAD_BYTES + length;
      this.frame(all[3]!, all[4]!, all.readUInt32BE(5), all.subarray(HEAD_BYTES, end));
      all = all.subarray(end);
    }
    this.pending = all;
  }

  private frame(type: number, flags: number, id: number, body: Buffer): void {
    if (type === FRAME.settings && (flags & ACK) === 0)
      this.socket.write(frameHead(0, FRAME.settings, ACK, 0));
    else if (type === FRAME.ping && (flags & ACK) === 0)
      this.socket.write(Buffer.concat([frameHead(8, FRAME.ping, ACK, 0), body]));
    else if (type === FRAME.goAway) this.fail(new Error('The server sent GOAWAY.'));
    else if (type === FRAME.reset) this.waiting.get(id)?.reject(new Error('The call was reset.'));
    else if (type === FRAME.data) this.waiting.get(id)?.onData(body);
    if ((type === FRAME.data || type === FRAME.headers) && (flags & END_STREAM) !== 0) {
      this.waiting.get(id)?.resolve();
      this.waiting.delete(id);
    }
  }

  private fail(error: Error): void {
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

function frameHead(length: number, type: number, flags: number, id: number): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUIntBE(length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(id, 5);
  return head;
}

function settings(): Buffer {
  const initialWindow = Buffer.alloc(6);
  initialWindow.writeUInt16BE(4, 0);
  initialWindow.writeUInt32BE(WINDOW, 2);
  return Buffer.concat([frameHead(6, FRAME.settings, 0, 0), initialWindow]);
}

function windowUpdate(more: number): Buffer {
  const increment = Buffer.alloc(4);
  increment.writeUInt32BE(more, 0);
  return Buffer.concat([frameHead(4, FRAME.window, 0, 0), increment]);
}

/** The headers of a call, as literals in HPACK without a table. @param method `Service/Method`, with the package */
export function headersOf(method: string): Buffer {
  const literal = (name: string, value: string): Buffer => {
    const [key, text] = [Buffer.from(name), Buffer.from(value)];
    return Buffer.concat([Buffer.from([0, key.length]), key, Buffer.from([text.length]), text]);
  };
  return Buffer.concat([
    literal(':method', 'POST'),
    literal(':scheme', 'http'),
    literal(':path', `/${method}`),
    literal(':authority', 'localhost'),
    literal('content-type', 'application/grpc'),
    literal('te', 'trailers'),
  ]);
}
