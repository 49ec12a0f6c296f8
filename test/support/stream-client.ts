/**
 * A WebSocket client for tests: sends one request frame, and collects the answers. It waits for events, never for
 * time. It checks each error against its code's category.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import { expectCategory, isRefusal } from './error-categories.js';

export type Frame = any;

export interface Opening {
  readonly protocols?: string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the connection to the URL's host. */
  readonly createConnection?: () => Socket;
}

export class StreamClient {
  readonly frames: Frame[] = [];
  readonly socket: WebSocket;
  /** The close code, once it is closed. */
  readonly closed: Promise<number>;
  private readonly waiting = new Set<() => void>();
  private isClosed = false;
  private fault: unknown;

  constructor(url: string, { protocols = ['daml.ws.auth'], ...options }: Opening = {}) {
    this.socket = new WebSocket(url.replace(/^http/, 'ws'), protocols, options);
    this.socket.on('message', (data) => {
      const frame: Frame = JSON.parse((data as Buffer).toString());
      this.frames.push(frame);
      this.hold(frame);
      this.look();
    });
    this.closed = new Promise((resolve) =>
      this.socket.on('close', (code) => {
        this.isClosed = true;
        resolve(code);
        this.look();
      }),
    );
    this.socket.on('error', () => undefined);
  }

  async opened(): Promise<this> {
    if (this.socket.readyState === WebSocket.CONNECTING)
      await new Promise((resolve, reject) => {
        this.socket.once('open', resolve);
        this.socket.once('error', reject);
      });
    return this;
  }

  async send(request: unknown): Promise<this> {
    await this.opened();
    this.socket.send(typeof request === 'string' ? request : JSON.stringify(request));
    return this;
  }

  /** Elements without checkpoints. */
  get elements(): Frame[] {
    return this.frames.filter((frame) => checkpointIn(frame) === undefined);
  }

  get checkpoints(): Frame[] {
    return this.frames.map(checkpointIn).filter((each) => each !== undefined);
  }

  /** Resolves when the received frames fulfil a condition; rejects if the socket closes first. */
  until(holds: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (this.fault !== undefined) reject(this.fault as Error);
        else if (holds()) resolve();
        else if (this.isClosed) reject(new Error(`Closed after ${JSON.stringify(this.frames)}`));
        else return;
        this.waiting.delete(look);
      };
      this.waiting.add(look);
      look();
    });
  }

  /** The elements, when their number reaches this count. */
  async take(count: number): Promise<Frame[]> {
    await this.until(() => this.elements.length >= count);
    return this.elements;
  }

  /** All frames of a stream that ends. */
  async all(): Promise<Frame[]> {
    await this.closed;
    if (this.fault !== undefined) throw this.fault;
    return this.frames;
  }

  close(): Promise<number> {
    this.socket.close();
    return this.closed;
  }

  private hold(frame: Frame): void {
    try {
      if (isRefusal(frame)) expectCategory(frame);
    } catch (error) {
      this.fault ??= error;
    }
  }

  private look(): void {
    for (const look of [...this.waiting]) look();
  }
}

export function checkpointIn({ update, completionResponse }: Frame): Frame | undefined {
  return (update ?? completionResponse)?.OffsetCheckpoint?.value;
}

/** The offset of an update's element of any kind. */
export function offsetOf({ update }: Frame): number {
  const { Transaction, Reassignment, TopologyTransaction, OffsetCheckpoint } = update;
  return (Transaction ?? Reassignment ?? TopologyTransaction ?? OffsetCheckpoint).value
    .offset as number;
}

/** The answer of the server to an upgrade that it rejects. */
export function refusedUpgrade(
  url: string,
  { protocols = ['daml.ws.auth'], headers = {} }: Opening = {},
): Promise<{ status: number; body: Frame }> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), protocols, { headers });
  return new Promise((resolve, reject) => {
    socket.on('open', () => reject(new Error('The upgrade was accepted.')));
    socket.on('error', reject);
    socket.on('unexpected-response', (_request, response: IncomingMessage) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const isJson = response.headers['content-type']?.startsWith('application/json');
        resolve({ status: response.statusCode!, body: isJson ? JSON.parse(text) : text });
      });
    });
  });
}
