/**
 * One open stream, from its opening to its end: it sends elements as they arrive, at the client's pace, over any
 * transport. An error, or the end of the elements, ends it.
 */
import { setImmediate } from 'node:timers';
import { takenBack, type ElementStream } from './element-stream.js';
import type { LogHub, Subscriber } from './log-hub.js';

/** After this number of elements the other streams have their turn. */
const ELEMENTS_PER_TURN = 64;

/** The receiver of elements. */
export interface Sink {
  send(element: object): void;
  /** Nothing more is sent until {@link StreamPump.wake}. */
  readonly isFull: boolean;
  /** Sends the buffered data. */
  flush?(): void;
  /** No element follows; the error ended the stream, if there is one. */
  end(error?: { readonly thrown: unknown }): void;
}

/** Both throw the error that ends the stream. */
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

  /** Sends through a wrapper from now on, which passes on to the previous sink. */
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

  /** The stream is quiet, or is open for the time of the first checkpoint. */
  idle(): void {
    const { stream } = this;
    if (stream?.open === undefined || this.isOver) return;
    stream.open.useCheckpoints(this.hub.latestCheckpoint);
    if (this.isScheduled || this.sink.isFull) return;
    this.guarded(() => {
      if (!this.sendAll(stream.open!.idle(), ELEMENTS_PER_TURN)) this.wake();
    });
  }

  /** @param isTestOver whether the test that opened it is over: then its reader is about to stop, and needs no error */
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

  /** The client is gone. */
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
