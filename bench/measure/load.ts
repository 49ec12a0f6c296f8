/**
 * A bounded load on loopback: a fixed number of requests, a fixed number at a time, over kept connections. It uses
 * bare sockets, so that the server is the limit on a machine with few cores.
 */
import { connect, type Socket } from 'node:net';

export interface Load {
  readonly port: number;
  readonly path: string;
  readonly requests: number;
  readonly concurrency: number;
  /** Further headers, by name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body of the n-th request. */
  body(n: number): string;
  /** Runs for each answer. */
  answer?(n: number, body: string): void;
}

/** @returns requests per second */
export async function run(load: Load): Promise<number> {
  const connections = Array.from({ length: load.concurrency }, () => new Connection(load.port));
  await Promise.all(connections.map((connection) => connection.opened));
  let next = 0;
  const worker = async (connection: Connection): Promise<void> => {
    for (let n = next++; n < load.requests; n = next++) {
      const answer = await connection.post(load.path, load.body(n), load.headers);
      load.answer?.(n, answer);
    }
  };
  const start = process.hrtime.bigint();
  await Promise.all(connections.map(worker));
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  for (const connection of connections) connection.close();
  return load.requests / seconds;
}

/** One request at a time; an answer other than 200, or one without a length, is a failure. */
export class Connection {
  readonly opened: Promise<void>;
  private readonly socket: Socket;
  private received = '';
  private resolve: (body: string) => void = () => {};
  private reject: (error: Error) => void = () => {};

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.opened = new Promise((resolve) => this.socket.once('connect', () => resolve()));
    // The encoding has one character per byte, because lengths count bytes: answers must be ASCII.
    this.socket.setEncoding('latin1');
    this.socket.on('data', (text: string) => this.take(text));
    this.socket.on('error', (error) => this.reject(error));
    this.socket.on('close', () => this.reject(new Error('The server ended the connection.')));
  }

  post(
    path: string,
    body: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    let head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n`;
    for (const name in headers) head += `${name}: ${headers[name]}\r\n`;
    return new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
      this.socket.write(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private take(text: string): void {
    this.received += text;
    const end = this.received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = this.received.slice(0, end);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1]);
    if (this.received.length < end + 4 + length) return;
    const body = this.received.slice(end + 4);
    this.received = '';
    if (head.startsWith('HTTP/1.1 200 ') && body.length === length) this.resolve(body);
    else this.reject(new Error(`${head}\n${body}`));
  }
}
