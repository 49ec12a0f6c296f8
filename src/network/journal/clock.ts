/**
 * The time of the network, in microseconds. A virtual clock advances by one microsecond with each update, and jumps
 * when the test sets it. A wall clock follows an external clock, but never repeats a record time.
 * NOTE: the errors are Canticle's: you cannot set the clock of a real participant.
 */
import { ledgerError } from '../../daml/errors/ledger-error.js';
import { formatTimestamp } from '../../daml/model/time.js';
import type { Timestamp } from '../../daml/model/values.js';
import type { Journal, Undoable } from './journal.js';
import type { SavedPart } from './saved-parts.js';

export const DEFAULT_START: Timestamp = 1_767_225_600_000_000n; // 2026-01-01T00:00:00Z
const LAST_TIME: Timestamp = 253_402_300_799_999_999n; // 9999-12-31T23:59:59.999999Z

/** An external clock. */
export interface WallClock {
  /** Microseconds since the epoch. */
  readonly now: () => Timestamp;
  /** Calls `ring` once, at that time or soon after. */
  readonly ringAt: (time: Timestamp, ring: () => void) => void;
}

export class Clock implements Undoable, SavedPart {
  private given = 0;
  /** Called after each jump; not part of the state. */
  private readonly jumpListeners: (() => void)[] = [];
  private readonly stops: ((from: Timestamp, to: Timestamp) => Timestamp | undefined)[] = [];

  constructor(
    private readonly journal: Journal,
    private latestTime: Timestamp,
    private readonly wall?: WallClock,
  ) {
    journal.parts.add('clock', this);
  }

  saved(): unknown {
    return [this.latestTime, this.given];
  }

  restore(content: unknown): void {
    [this.latestTime, this.given] = content as [Timestamp, number];
  }

  get mode(): 'virtual' | 'wall' {
    return this.wall ? 'wall' : 'virtual';
  }

  /**
   * The number of assigned record times. It identifies the next event, and no remaining event has it after a revert.
   */
  get ticks(): number {
    return this.given;
  }

  /** The state that {@link untick} restores. */
  get latest(): Timestamp {
    return this.latestTime;
  }

  now(): Timestamp {
    const latest = this.latestTime;
    if (!this.wall) return latest;
    const wall = this.wall.now();
    return wall > latest ? wall : latest;
  }

  /** The next record time, which is later than all before it. The caller journals it together with its update. */
  tick(): Timestamp {
    this.given++;
    return (this.latestTime = this.now() + 1n);
  }

  /** Undoes the last record time. */
  untick(latest: Timestamp): void {
    this.given--;
    this.latestTime = latest;
  }

  /** Jumps to a later time, and stops at the times of due tasks on the way. */
  set(time: Timestamp): void {
    const from = this.now();
    this.requireAhead(from, time);
    for (;;) {
      const stop = this.nextStop(from, time);
      if (stop === undefined || stop >= time) break;
      this.jump(stop);
    }
    // Tasks on the way may have used some microseconds.
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
    for (const stopBetween of this.stops) {
      const stop = stopBetween(from, to);
      if (stop !== undefined && stop > now && (next === undefined || stop < next)) next = stop;
    }
    return next;
  }

  /**
   * Jumps to a later time without listeners or due tasks; the caller reverts it at once.
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

  /**
   * Registers a function that returns the next time after now at which a jump must stop. The clock calls it before
   * each step of a jump.
   */
  stopOnTheWay(stopBetween: (from: Timestamp, to: Timestamp) => Timestamp | undefined): void {
    this.stops.push(stopBetween);
  }

  /** Calls `ring` once at that time, if the clock follows a wall clock. Alarms are not part of the state. */
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
