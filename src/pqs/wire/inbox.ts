/** The messages that a client sent, in order. Reading from the socket stops while many bytes wait. */
import type { Socket } from 'node:net';
import { MAX_STARTUP_BYTES, type SqlPortLimits } from './limits.js';
import { MessageReader, type Message } from './messages.js';

export class Inbox {
  private readonly reader: MessageReader;
  private isEnded = false;
  private wake: (() => void) | undefined;
  private socket: Socket;
  private readonly onData = (chunk: Buffer): void => {
    this.reader.push(chunk);
    if (this.wake !== undefined) this.wake();
    else if (this.reader.pending > this.limits.waitingBytes) this.socket.pause();
  };
  private readonly onEnd = (): void => {
    this.isEnded = true;
    this.wake?.();
  };

  constructor(
    socket: Socket,
    private readonly limits: SqlPortLimits,
  ) {
    this.reader = new MessageReader(limits.messageBytes);
    this.socket = socket;
    this.attach(socket);
  }

  /** Whether the client has closed the connection. */
  get isOver(): boolean {
    return this.isEnded;
  }

  /** Bytes of messages that were not read. */
  get pending(): number {
    return this.reader.pending;
  }

  /** Reads from another socket from now on: the encrypted one over the same connection. */
  replace(socket: Socket): void {
    this.socket.off('data', this.onData).off('end', this.onEnd).off('close', this.onEnd);
    this.attach(socket);
  }

  /** A complete message that has arrived already. @throws FatalSqlError */
  arrived(): Message | undefined {
    return this.reader.next();
  }

  /** The next message, or nothing at the end of the connection. @throws FatalSqlError */
  next(): Promise<Message | undefined> {
    return this.wait(() => this.reader.next());
  }

  /** The next message of the start of a connection. @throws FatalSqlError */
  nextUntyped(): Promise<Buffer | undefined> {
    return this.wait(() => this.reader.nextUntyped(MAX_STARTUP_BYTES));
  }

  private attach(socket: Socket): void {
    this.socket = socket;
    socket.on('data', this.onData).on('end', this.onEnd).on('close', this.onEnd);
  }

  private async wait<T>(read: () => T | undefined): Promise<T | undefined> {
    for (;;) {
      const found = read();
      if (found !== undefined || this.isEnded) return found;
      this.socket.resume();
      await new Promise<void>((wake) => {
        this.wake = wake;
      });
      this.wake = undefined;
    }
  }
}
