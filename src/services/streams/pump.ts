/**
 * One open stream over any transport. It sends elements when they arrive, at the speed of the client. An error, or the
 * end of the elements, ends it.
 */
import { setImmediate } from 'node:timers';
import { takenBack, type ElementStream } from './element-stream.js';
import type { LogHub, Subscriber } from './log-hub.js';

/** After this number of elements, other streams have their turn. */
const ELEMENTS_PER_TURN = 64;

/** The receiver of elements. */
export interface Sink {
  send(element: object): void;
  /** If true, the stream sends no more elements until {@link StreamPump.wake}. */
  readonly isFull: boolean;
  /** Sends the buffered data. */
  flush?(): void;
  /** Called after the last element, with the error that ended the stream, if any. */
  end(error?: { readonly thrown: unknown }): void;
}

/** Both functions throw the error that ends the stream. */
export interface OngoingCheck {
  readonly beforeElement: () => void;
  /** Also without new elements. */
  readonly ofUser?: (() => void) | undefined;
}

export class StreamPump implements Subscriber {
  private stream?: ElementStream;
  private unsubscribe = (): void => undefined;
  private isOver = false;
  private isScheduled = false;

  /** @param check throws the error that ends the stream from outside, such as an expired token */
  constructor(
    private readonly hub: LogHub,
    private sink: Sink,
    private readonly check?: OngoingCheck,
  ) {}

  get parties() {
    return this.stream?.open?.parties;
  }

  /** From now on, sends through a wrapper, which passes elements to the previous sink. */
  through(wrap: (sink: Sink) => Sink): void {
    this.sink = wrap(this.sink);
  }

  /** Starts to send; an error of `open` ends the stream. */
  start(open: () => ElementStream): void {
    try {
      this.stream = open();
    } catch (error) {
      return this.fail(error);
    }
    if (this.hub.sendsPast) this.stream.open?.useCheckpoints(this.hub.latestCheckpoint);
    // A finite stream does not wait for entries, but needs to know of a revert as well.
    this.unsubscribe = this.hub.subscribe(this);
    this.wake();
  }

  readonly wake = (): void => {
    if (this.isOver || this.isScheduled || this.sink.isFull) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.turn();
    });
  };

  /** Sends the available elements; if a turn is pending, in that turn. */
  deliver(): void {
    if (!this.isOver && !this.isScheduled && !this.sink.isFull) this.turn();
  }

  /** The stream is quiet, or the delay of the first checkpoint has passed. */
  idle(): void {
    const { stream } = this;
    if (stream?.open === undefined || this.isOver) return;
    stream.open.useCheckpoints(this.hub.latestCheckpoint);
    if (this.isScheduled || this.sink.isFull) return;
    this.guarded(() => {
      if (!this.sendAll(stream.open!.idle(), ELEMENTS_PER_TURN)) this.wake();
    });
  }

  /** @param isTestOver whether the test that opened the stream has ended, so that its reader needs no error */
  reverted(isTestOver: boolean): void {
    if (this.isOver || this.stream === undefined || this.stream.survivesRevert()) return;
    if (isTestOver) this.end();
    else this.fail(takenBack());
  }

  /** Ends the stream if its user is no longer authorized, even without new elements. */
  recheck(): void {
    if (this.stream !== undefined && !this.isOver) this.guarded(() => this.check?.ofUser?.());
  }

  fail(error: unknown): void {
    this.end({ thrown: error });
  }

  /** The client has disconnected. */
  stop(): void {
    this.isOver = true;
    this.unsubscribe();
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

  /** False if the client or the other streams must have their turn first. */
  private sendAll(elements: Iterable<object>, limit: number): boolean {
    let left = limit;
    try {
      for (const element of elements) {
        this.check?.beforeElement();
        this.sink.send(element);
        if (--left === 0 || this.sink.isFull) return false;
      }
    } finally {
      this.sink.flush?.();
    }
    return true;
  }

  end(error?: { readonly thrown: unknown }): void {
    if (this.isOver) return;
    this.stop();
    this.sink.end(error);
  }
}
