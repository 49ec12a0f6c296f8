/**
 * One stream over one WebSocket, from the request frame to the closing: sends elements as they come, and no faster than
 * the client takes them. A stream that ends closes the socket; an error goes before that as a frame (B-WS-003 to B-WS-007).
 */
import type { WebSocket } from 'ws';
import { takenBack, type ElementStream } from '../../services/streams/element-stream.js';
import type { LogHub, Subscriber } from '../../services/streams/log-hub.js';

/** What waits to be taken by the client, in bytes: above it nothing more is read, below half of it reading goes on. */
export const HIGH_WATER = 1024 * 1024;
const NORMAL_CLOSURE = 1000;
/** After so many elements the other streams have their turn. */
const ELEMENTS_PER_TURN = 64;

export interface SessionRules {
  readonly hub: LogHub;
  /** The text of a frame for an element. */
  readonly print: (element: object) => string;
  /** The text of a frame for an error. */
  readonly printError: (error: unknown) => string;
  /** Throws what ends the stream from without, such as a token that has expired; asked before each element. */
  readonly check?: () => void;
}

export class StreamSession implements Subscriber {
  private stream?: ElementStream;
  private unsubscribe = (): void => undefined;
  private isOver = false;
  private isScheduled = false;
  private isBlocked = false;

  constructor(
    private readonly socket: WebSocket,
    private readonly rules: SessionRules,
  ) {
    socket.once('close', () => this.finish());
    // What follows an error of the connection is its closing.
    socket.on('error', () => undefined);
  }

  get parties() {
    return this.stream?.open?.parties;
  }

  /** Begins to send; a refusal by `open` is sent as a frame. */
  start(open: () => ElementStream): void {
    try {
      this.stream = open();
    } catch (error) {
      return this.fail(error);
    }
    const { open: openEnd } = this.stream;
    openEnd?.useCheckpoints(this.rules.hub.latestCheckpoint);
    // A finite stream waits for nobody, but must know of a revert as well.
    this.unsubscribe = this.rules.hub.subscribe(this);
    this.wake();
  }

  readonly wake = (): void => {
    if (this.isOver || this.isScheduled || this.isBlocked) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.turn();
    });
  };

  idle(): void {
    const { stream } = this;
    if (stream?.open === undefined || this.isOver || this.isScheduled || this.isBlocked) return;
    this.guarded(() => {
      if (!this.sendAll(stream.open!.idle(), ELEMENTS_PER_TURN)) this.wake();
    });
  }

  reverted(): void {
    if (this.isOver || this.stream === undefined || this.stream.survivesRevert()) return;
    this.fail(takenBack());
  }

  /** Ends the stream where it may not go on, though nothing is to be sent. */
  recheck(): void {
    if (this.stream !== undefined && !this.isOver) this.guarded(() => this.rules.check?.());
  }

  /** Sends an error frame and closes. */
  fail(error: unknown): void {
    if (this.isOver) return;
    this.socket.send(this.rules.printError(error));
    this.end();
  }

  private turn(): void {
    const { stream } = this;
    if (stream === undefined || this.isOver) return;
    this.guarded(() => {
      const isAllRead = this.sendAll(stream.read(), ELEMENTS_PER_TURN);
      if (!isAllRead) this.wake();
      else if (stream.open === undefined) this.end();
    });
  }

  private guarded(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.fail(error);
    }
  }

  /** False where the client or the others must have their turn first. */
  private sendAll(elements: Iterable<object>, limit: number): boolean {
    let left = limit;
    for (const element of elements) {
      this.rules.check?.();
      this.socket.send(this.rules.print(element), this.sent);
      if (this.socket.bufferedAmount > HIGH_WATER) this.isBlocked = true;
      if (--left === 0 || this.isBlocked) return false;
    }
    return true;
  }

  private readonly sent = (): void => {
    if (!this.isBlocked || this.socket.bufferedAmount > HIGH_WATER / 2) return;
    this.isBlocked = false;
    this.wake();
  };

  private end(): void {
    this.finish();
    this.socket.close(NORMAL_CLOSURE);
  }

  private finish(): void {
    this.isOver = true;
    this.unsubscribe();
  }
}
