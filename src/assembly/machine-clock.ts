/**
 * This machine's clock, for a network on wall-clock time. Its timers keep no process alive, and stop when their Canticle closes. It uses
 * the timers and `Date` of the realm, so that test suites that fake one also fake the other.
 */
import type { WallClock } from '../network/journal/clock.js';

/** Maximum delay of a timer in Node, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Maximum difference between the time of day, which has no fractions, and the exact time, in milliseconds. */
const MOST_APART = 2;
/** A correction of at most this length, in microseconds, does not turn the time back: the clock waits instead. */
const LONGEST_WAIT = 100_000n;

export class MachineClock implements WallClock {
  private readonly timers = new Set<NodeJS.Timeout>();
  private isStopped = false;
  /** Correction of the exact time after a change of the machine's clock, in milliseconds. */
  private shift = 0;
  private latest = 0n;

  /** In microseconds, as the clock of a participant. */
  now(): bigint {
    const coarse = Date.now();
    const exact = performance.timeOrigin + performance.now();
    if (Math.abs(exact + this.shift - coarse) > MOST_APART) this.shift = coarse - exact;
    const time = BigInt(Math.floor((exact + this.shift) * 1000));
    if (time >= this.latest || this.latest - time > LONGEST_WAIT) this.latest = time;
    return this.latest;
  }

  ringAt(time: bigint, ring: () => void): void {
    if (this.isStopped) return;
    const milliseconds = Math.max(0, Math.ceil(Number(time) / 1000) - Date.now());
    const timer: NodeJS.Timeout = setTimeout(
      () => {
        this.timers.delete(timer);
        ring();
      },
      Math.min(milliseconds, LONGEST_TIMER),
    );
    // In a web page, timers are numbers, and end with the page.
    timer.unref?.();
    this.timers.add(timer);
  }

  /** Stops all timers. `now` still works. */
  stop(): void {
    this.isStopped = true;
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
  }
}
