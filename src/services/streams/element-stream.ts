/**
 * The source of a stream, over a WebSocket or into a list: a position in a participant's log or contracts that
 * advances as elements are taken. Each turn starts a new read, so that the ledger may change between turns.
 * NOTE: the error text for a reverted ledger is Canticle's, because no participant goes back.
 */
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import type { Party } from '../../network/model/ids.js';
import type { ParticipantLog } from '../../network/ledger/participant-log.js';
import type { Checkpoint } from './checkpoints.js';

export interface ElementStream<T = object> {
  /** The next elements, as far as they exist now. A taken element is not returned again. */
  read(): Iterable<T>;
  /** Present if more elements come as the log grows; a stream without it ends after `read`. */
  readonly open?: OpenEnd<T>;
  /**
   * Called when a revert removed entries. Returns false if the client received elements that no longer exist; otherwise
   * the stream continues.
   */
  survivesRevert(): boolean;
}

/** Ends a stream that sent elements which a revert of the ledger has undone. */
export function takenBack(): LedgerError {
  return ledgerError(
    'OFFSET_AFTER_LEDGER_END',
    'The ledger was taken back to a moment before what this stream has told. Forget what is behind the ledger end, and open a new stream from there.',
  );
}

export interface OpenEnd<T> {
  /** The parties whose entries it waits for; undefined for all. */
  readonly parties: readonly Party[] | undefined;
  /** The source of the checkpoints between the elements; a stream that does not call it sends none. */
  useCheckpoints(latest: () => Checkpoint | undefined): void;
  /** The checkpoint of a quiet ledger, unless the client has it already. */
  idle(): Iterable<T>;
}

export interface LogRange {
  /** Exclusive. */
  readonly begin: number;
  /** Inclusive; absent for a stream that does not end. */
  readonly end?: number;
  readonly descending?: boolean;
}

export interface LogReading<T> {
  readonly parties: readonly Party[] | undefined;
  /** Elements with begin < offset ≤ end, in the requested order. */
  find(begin: number, end: number, descending: boolean): Iterable<{ offset: number; element: T }>;
  checkpoint(checkpoint: Checkpoint): T;
  /** The last offset that may be sent yet; the log's end if absent. */
  upTo?(): number;
}

/** Elements of a participant's log. */
export class LogStream<T> implements ElementStream<T> {
  readonly open?: OpenEnd<T>;
  /** Offsets above `low` and up to `high` are unread. */
  private low: number;
  private high: number | undefined;
  /** Highest offset that the client received. */
  private sent: number;
  /** Offset of the last sent checkpoint. */
  private checkpointed = -1;
  private latest: () => Checkpoint | undefined = () => undefined;

  constructor(
    private readonly log: ParticipantLog,
    private readonly range: LogRange,
    private readonly reading: LogReading<T>,
  ) {
    this.low = this.sent = range.begin;
    this.high = range.end;
    if (range.end === undefined)
      this.open = {
        parties: reading.parties,
        useCheckpoints: (latest) => (this.latest = latest),
        idle: () => this.idle(),
      };
  }

  *read(): Generator<T, void, undefined> {
    if (this.range.descending) return yield* this.readDown();
    const end = Math.min(this.high ?? this.log.end, this.reading.upTo?.() ?? Infinity);
    let checkpoint = this.dueCheckpoint(end);
    for (const { offset, element } of this.reading.find(this.low, end, false)) {
      if (checkpoint !== undefined && checkpoint.offset < offset) {
        yield this.elementOf(checkpoint);
        checkpoint = undefined;
      }
      this.low = this.sent = offset;
      yield element;
    }
    this.low = Math.max(this.low, end);
    if (checkpoint !== undefined) yield this.elementOf(checkpoint);
  }

  /** The same stream with converted elements. */
  mapped<U>(to: (element: T) => U): LogStream<U> {
    const { parties, find, checkpoint, upTo } = this.reading;
    return new LogStream(this.log, this.range, {
      parties,
      *find(begin, end, descending) {
        for (const { offset, element } of find(begin, end, descending))
          yield { offset, element: to(element) };
      },
      checkpoint: (latest) => to(checkpoint(latest)),
      upTo,
    });
  }

  survivesRevert(): boolean {
    const { end } = this.log;
    if (this.sent > end || (this.high ?? 0) > end) return false;
    this.low = Math.min(this.low, end);
    this.checkpointed = Math.min(this.checkpointed, end);
    return true;
  }

  private *readDown(): Generator<T, void, undefined> {
    for (const { offset, element } of this.reading.find(this.low, this.high!, true)) {
      this.high = offset - 1;
      this.sent = Math.max(this.sent, offset);
      yield element;
    }
    this.high = this.low;
  }

  /** A checkpoint within the range of the next read (B-CHK-003). */
  private dueCheckpoint(end: number): Checkpoint | undefined {
    const latest = this.latest();
    if (latest === undefined || latest.offset <= this.checkpointed || end === this.low)
      return undefined;
    return latest.offset >= this.low && latest.offset <= end ? latest : undefined;
  }

  private *idle(): Generator<T, void, undefined> {
    const latest = this.latest();
    if (latest === undefined || latest.offset <= this.checkpointed) return;
    // Other entries did not wake this stream. It passes over them now, and sends a checkpoint.
    if (this.low < this.log.end) yield* this.read();
    else if (latest.offset === this.log.end) yield this.elementOf(latest);
  }

  private elementOf(checkpoint: Checkpoint): T {
    this.checkpointed = checkpoint.offset;
    this.sent = Math.max(this.sent, checkpoint.offset);
    return this.reading.checkpoint(checkpoint);
  }
}
