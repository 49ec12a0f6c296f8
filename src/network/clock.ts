/**
 * Time of the network, in microseconds. Virtual: it stands still, moves by one microsecond with each update, and jumps when the
 * test says. Wall: it follows the clock that the outside hands in, and still never repeats a record time.
 */
import { ledgerError } from '../daml/ledger-error.js';
import { formatTimestamp } from '../daml/time.js';
import type { Timestamp } from '../daml/values.js';
import { JournaledCell, type Journal } from './journal.js';

export const DEFAULT_START: Timestamp = 1_767_225_600_000_000n; // 2026-01-01T00:00:00Z
const LAST_TIME: Timestamp = 253_402_300_799_999_999n; // 9999-12-31T23:59:59.999999Z

/** Microseconds since the epoch, from outside the engine. */
export type WallClock = () => Timestamp;

export class Clock {
  private readonly latest: JournaledCell<Timestamp>;

  constructor(
    journal: Journal,
    start: Timestamp,
    private readonly wall?: WallClock,
  ) {
    this.latest = new JournaledCell(journal, start);
  }

  get mode(): 'virtual' | 'wall' {
    return this.wall ? 'wall' : 'virtual';
  }

  now(): Timestamp {
    const latest = this.latest.value;
    if (!this.wall) return latest;
    const wall = this.wall();
    return wall > latest ? wall : latest;
  }

  /** The next record time: later than any given before. */
  tick(): Timestamp {
    return (this.latest.value = this.now() + 1n);
  }

  /** Jumps to a later time. */
  set(time: Timestamp): void {
    if (time < this.now())
      throw ledgerError(
        'INVALID_ARGUMENT',
        `Time cannot go back from ${formatTimestamp(this.now())} to ${formatTimestamp(time)}. Revert to a snapshot instead.`,
      );
    if (time > LAST_TIME)
      throw ledgerError(
        'INVALID_ARGUMENT',
        `Time cannot be set past ${formatTimestamp(LAST_TIME)}.`,
      );
    this.latest.value = time;
  }

  advance(microseconds: bigint): void {
    this.set(this.now() + microseconds);
  }
}
