/**
 * One call over one HTTP/2 stream. It receives messages, sends messages at the speed of the client, and ends with a
 * status. It does not depend on the method.
 */
import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import { clearTimeout, setTimeout } from 'node:timers';
import type { IncomingCall } from '../../services/calls/call.js';
import { arrived } from '../../services/arrivals.js';
import { FrameReader, framed, faultStatus, GrpcError } from './frames.js';
import { HeldBytes } from './held-bytes.js';
import { noteSent } from './keep-alive.js';
import { percentEncoded, timeoutOf } from './metadata.js';

export interface Status {
  readonly code: number;
  readonly message: string;
  /** The bytes of a google.rpc.Status. */
  readonly details?: Uint8Array;
}

export const OK: Status = { code: 0, message: '' };

/** The limit of unread bytes that wait for the client. Above it, the server reads no more until all of them are sent. */
const HIGH_WATER = 64 * 1024;
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** The reason of aborted signals. */
const OVER = new Error('The call is over.');

const HEADERS = { ':status': 200, 'content-type': 'application/grpc' } as const;
const ANSWER_HEADERS = {
  ...HEADERS,
  'grpc-encoding': 'identity',
  'grpc-accept-encoding': 'gzip',
} as const;
/** As on a participant, answers have no `date` header. */
const ANSWERING = { waitForTrailers: true, sendDate: false } as const;
const REFUSING = { endStream: true, sendDate: false } as const;
/** A shorter timeout ends at once: a timer cannot measure it. */
const SHORTEST_TIMEOUT_MS = 1;
const UNIMPLEMENTED = 12;
const ignored = (): void => undefined;
const OK_TRAILERS = { 'grpc-status': '0' };

export interface CallListener {
  /** @param held counts bytes that are kept until the call is over @throws GrpcError, or an error for the status */
  message(bytes: Uint8Array, held: HeldBytes): void;
  /** The client has sent its last message. */
  halfClosed(): void;
  /** The status for an error that the other functions throw. */
  failed(error: unknown): Status;
}

export class Call implements IncomingCall {
  private readonly frames: FrameReader;
  private readonly held: HeldBytes;
  /** Messages that arrived and are not delivered yet. */
  private arrived: Iterator<Uint8Array> | undefined;
  /** Created on demand: few methods need it, and creating one is slow. */
  private controller: AbortController | undefined;
  private readonly timer: NodeJS.Timeout | undefined;
  private isOver = false;
  private isResponding = false;
  /** The client has sent its last message. */
  private isHalfClosed = false;
  private trailers: Record<string, string> = {};
  /** The method in the journal. */
  readonly method = 'GRPC';
  /** The faults that applied to it, once they are known, for the journal. */
  faults?: IncomingCall['faults'];
  /** For a rehearsal. */
  message?: () => object;
  isStream?: boolean;
  private listener: CallListener | undefined;
  /**
   * Runs when the client can receive more. If absent, messages that arrived are delivered then.
   * NOTE: only streams set it. A closure that each call sets here outlives the call until the next full garbage
   * collection.
   */
  onDrain: (() => void) | undefined;

  constructor(
    private readonly stream: ServerHttp2Stream,
    private readonly headers: IncomingHttpHeaders,
    maxMessageBytes: number,
    /** Runs when the stream is closed. */
    private readonly onClosed: () => void,
  ) {
    this.held = new HeldBytes(stream.session);
    const encoding = headers['grpc-encoding'];
    this.frames = new FrameReader(
      maxMessageBytes,
      typeof encoding === 'string' ? encoding : undefined,
    );
    stream.on('error', ignored);
    stream.on('close', () => this.gone());
    stream.on('drain', () => this.drained());
    this.timer = this.startTimer(this.header('grpc-timeout'));
  }

  /** How long the client waits (B-GRPC-020). */
  private startTimer(text: string | undefined): NodeJS.Timeout | undefined {
    if (text === undefined) return undefined;
    const timeout = timeoutOf(text);
    if (Number.isNaN(timeout)) this.reset(constants.NGHTTP2_INTERNAL_ERROR);
    else if (timeout < SHORTEST_TIMEOUT_MS) this.reset(constants.NGHTTP2_CANCEL);
    else {
      const expire = (): void => this.reset(constants.NGHTTP2_CANCEL);
      return setTimeout(expire, Math.min(timeout, LONGEST_TIMEOUT_MS)).unref();
    }
    return undefined;
  }

  /** The path of the method. */
  get target(): string {
    return this.header(':path') ?? '';
  }

  /** By its name in lower case. */
  readonly header = (name: string): string | undefined => {
    const value = this.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  };

  /** Aborted when the client disconnects, when its deadline passes, or when the call has ended. */
  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.isOver) this.controller.abort(OVER);
    }
    return this.controller.signal;
  }

  get isEnded(): boolean {
    return this.isOver;
  }

  /** Whether sent messages wait for the client. @param more bytes that are about to be sent */
  isFull(more = 0): boolean {
    return this.stream.writableLength + more > HIGH_WATER;
  }

  listen(listener: CallListener): void {
    const { unknownEncoding } = this.frames;
    if (unknownEncoding !== undefined)
      return this.end({
        code: UNIMPLEMENTED,
        message: `Can't find decompressor for ${unknownEncoding}`,
      });
    this.listener = listener;
    this.stream.on('data', (chunk: Buffer) => this.received(chunk));
    this.stream.on('end', () => this.ended());
  }

  private received(chunk: Buffer): void {
    if (this.isOver) return;
    try {
      const whole = this.frames.whole(chunk);
      if (whole !== undefined) return this.listener!.message(whole, this.held);
      this.arrived = this.frames.add(chunk);
      this.pass();
    } catch (error) {
      this.fail(error);
    }
  }

  private drained(): void {
    if (this.onDrain !== undefined) return this.onDrain();
    if (this.isOver) return;
    try {
      this.pass();
    } catch (error) {
      this.fail(error);
    }
  }

  private ended(): void {
    if (this.isOver) return;
    try {
      this.isHalfClosed = true;
      // A paused stream can end before all of its messages are delivered.
      if (this.arrived === undefined) this.endInput();
    } catch (error) {
      this.fail(error);
    }
  }

  private endInput(): void {
    this.frames.end();
    void arrived().then(() => this.halfClosed());
  }

  private halfClosed(): void {
    if (this.isOver) return;
    try {
      this.listener!.halfClosed();
    } catch (error) {
      this.fail(error);
    }
  }

  /** Ends the call with an error. */
  private fail(error: unknown): void {
    this.end(error instanceof GrpcError ? faultStatus(error) : this.listener!.failed(error));
    this.arrived = undefined;
  }

  /** Delivers messages. It reads no more while the client does not read its answers. */
  private pass(): void {
    let { arrived } = this;
    if (arrived === undefined) return;
    while (arrived !== undefined) {
      if (this.isResponding && this.isFull()) return void this.stream.pause();
      const before = this.frames.pendingBytes;
      const next = arrived.next();
      this.held.add(this.frames.pendingBytes - before);
      if (next.done) arrived = this.arrived = undefined;
      else if (!this.isOver) this.listener!.message(next.value, this.held);
    }
    if (this.isHalfClosed) this.endInput();
    else if (this.stream.isPaused()) this.stream.resume();
  }

  /** Sends the headers first, if nothing was sent yet. */
  send(messages: readonly Uint8Array[]): void {
    if (this.isOver || this.stream.destroyed) return;
    this.respond();
    this.stream.write(framed(messages));
    noteSent(this.stream.session);
  }

  /**
   * Sends messages as fast as the client reads them, and then the status.
   * @throws GrpcError if the connection already holds too much
   */
  sendAll(messages: readonly Uint8Array[], status: Status): void {
    this.held.add(messages.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    const more = (): void => {
      for (; at < messages.length && !this.isFull(); at += 1) this.send([messages[at]!]);
      if (at === messages.length) this.end(status);
    };
    this.onDrain = more;
    more();
  }

  /** Sends the headers, so that a client that waits for them continues. */
  respond(): void {
    if (this.isResponding || this.isOver || this.stream.destroyed) return;
    this.isResponding = true;
    this.stream.respond(ANSWER_HEADERS, ANSWERING);
    this.stream.on('wantTrailers', () => this.stream.sendTrailers(this.trailers));
  }

  /** Sends the last message, if any, and the status. */
  end(status: Status, last?: Uint8Array): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.timer);
    this.held.release();
    const { stream } = this;
    if (stream.destroyed) return;
    noteSent(stream.session);
    const trailers = trailersOf(status);
    if (last === undefined && !this.isResponding) {
      stream.respond({ ...HEADERS, ...trailers }, REFUSING);
    } else {
      this.isOver = false;
      this.respond();
      this.isOver = true;
      this.trailers = trailers;
      if (last === undefined) stream.end();
      else stream.end(framed([last]));
    }
    // Discards further messages of the client.
    if (!stream.readableEnded) stream.resume();
    this.controller?.abort(OVER);
  }

  /** Breaks the connection after the client has received the earlier data, which the answer to a ping shows. */
  drop(): void {
    this.cease();
    const { session } = this.stream;
    if (session === undefined || session.destroyed) return;
    if (!session.ping(() => session.destroy())) session.destroy();
  }

  /** Answers in plain HTTP, as a proxy in front of the server does. */
  turnAway(status: number): void {
    this.cease();
    if (this.stream.destroyed || this.isResponding) return;
    this.stream.respond({ ':status': status, 'content-type': 'text/html' }, { endStream: true });
  }

  private cease(): void {
    this.isOver = true;
    clearTimeout(this.timer);
    this.controller?.abort(OVER);
  }

  /** Resets the stream of a client whose deadline has passed: it gets no answer. */
  private reset(code: number): void {
    if (this.isOver) return;
    this.isOver = true;
    if (!this.stream.destroyed) this.stream.close(code);
    this.controller?.abort(OVER);
  }

  private gone(): void {
    this.onClosed();
    this.held.release();
    this.isOver = true;
    clearTimeout(this.timer);
    this.controller?.abort(OVER);
  }
}

function trailersOf({ code, message, details }: Status): Record<string, string> {
  if (code === 0) return OK_TRAILERS;
  return {
    'grpc-status': String(code),
    ...(message !== '' && { 'grpc-message': percentEncoded(message) }),
    ...(details && {
      'grpc-status-details-bin': Buffer.from(details).toString('base64').replace(/=+$/, ''),
    }),
  };
}
