/**
 * Time of the network, in microseconds. Virtual: it stands still, moves by one microsecond with each update, and jumps when the
 * test says. Wall: it follows the clock that the outside hands in, and still never repeats a record time.
 * NOTE: the refusals are ours: no participant lets its clock be set.
 */
import { ledgerError } from '../../daml/errors/ledger-error.js';
import { formatTimestamp } from '../../daml/model/time.js';
import type { Timestamp } from '../../daml/model/values.js';
import type { Journal, Undoable } from './journal.js';
import type { KeptPart } from './kept-parts.js';

export const DEFAULT_START: Timestamp = 1_767_225_600_000_000n; // 2026-01-01T00:00:00Z
const LAST_TIME: Timestamp = 253_402_300_799_999_999n; // 9999-12-31T23:59:59.999999Z

/** A clock outside the engine. */
export interface WallClock {
  /** Microseconds since the epoch. */
  readonly now: () => Timestamp;
  /** Calls `ring` once, at that time or soon after. */
  readonly ringAt: (time: Timestamp, ring: () => void) => void;
}

export class Clock implements Undoable, KeptPart {
  private given = 0;
  /** Told after each jump; not part of the state. */
  private readonly jumpListeners: (() => void)[] = [];
  private readonly stops: ((from: Timestamp, to: Timestamp) => Timestamp | undefined)[] = [];

  constructor(
    private readonly journal: Journal,
    private latestTime: Timestamp,
    private readonly wall?: WallClock,
  ) {
    journal.parts.add('clock', this);
  }

  kept(): unknown {
    return [this.latestTime, this.given];
  }

  restore(kept: unknown): void {
    [this.latestTime, this.given] = kept as [Timestamp, number];
  }

  get mode(): 'virtual' | 'wall' {
    return this.wall ? 'wall' : 'virtual';
  }

  /** How many record times were given: the number of what happens next, which nothing that a revert left has. */
  get ticks(): number {
    return this.given;
  }

  /** What {@link untick} goes back to. */
  get latest(): Timestamp {
    return this.latestTime;
  }

  now(): Timestamp {
    const latest = this.latestTime;
    if (!this.wall) return latest;
    const wall = this.wall.now();
    return wall > latest ? wall : latest;
  }

  /** The next record time: later than any given before. Whoever takes it journals it together with what it is for. */
  tick(): Timestamp {
    this.given++;
    return (this.latestTime = this.now() + 1n);
  }

  /** Takes back the last record time. */
  untick(latest: Timestamp): void {
    this.given--;
    this.latestTime = latest;
  }

  /** Jumps to a later time, by way of the moments at which somebody wants to be called. */
  set(time: Timestamp): void {
    const from = this.now();
    this.requireAhead(from, time);
    for (;;) {
      const stop = this.nextStop(from, time);
      if (stop === undefined || stop >= time) break;
      this.jump(stop);
    }
    // What was done on the way took some microseconds.
    if (time > this.now() || time === from) this.jump(time);
  }

  private requireAhead(from: Timestamp, time: Timestamp): void {
    if (time < from)
      throw ledgerError(
        'INVALID_ARGUMENT',
        `Time cannot go back from ${formatTimestamp(from)} to ${formatTimestamp(time)}. Revert to a snapshot instead.`,
      );
    if (time > LAST_TIME)
      throw ledgerError(
        'INVALID_ARGUMENT',
        `Time cannot be set past ${formatTimestamp(LAST_TIME)}.`,
      );
  }

  private nextStop(from: Timestamp, to: Timestamp): Timestamp | undefined {
    const now = this.now();
    let next: Timestamp | undefined;
    for (const ask of this.stops) {
      const stop = ask(from, to);
      if (stop !== undefined && stop > now && (next === undefined || stop < next)) next = stop;
    }
    return next;
  }

  /**
   * Jumps to a later time with nobody hearing of it and nothing done on the way: for what is taken back at once.
   * @throws LedgerError as {@link set}
   */
  pretend(time: Timestamp): void {
    this.requireAhead(this.now(), time);
    this.journal.record(this, undefined, this.latestTime);
    this.latestTime = time;
  }

  private jump(time: Timestamp): void {
    this.journal.record(this, undefined, this.latestTime);
    this.latestTime = time;
    for (const listener of this.jumpListeners) listener();
  }

  /** Calls `listener` after each jump. */
  onJump(listener: () => void): void {
    this.jumpListeners.push(listener);
  }

  /** Asks, before each step of a jump, for the next moment behind now at which the jump has to stop on its way. */
  stopOnTheWay(ask: (from: Timestamp, to: Timestamp) => Timestamp | undefined): void {
    this.stops.push(ask);
  }

  /** Calls `ring` once at that time, where time passes without anybody moving it: an alarm is no part of the state. */
  onTime(time: Timestamp, ring: () => void): void {
    this.wall?.ringAt(time, ring);
  }

  advance(microseconds: bigint): void {
    this.set(this.now() + microseconds);
  }

  undo(_slot: unknown, previous: unknown): void {
    this.latestTime = previous as Timestamp;
  }
}
