/**
 * This machine's clock, as a network on wall-clock time is handed it: its timers keep no process alive, and end with their Canticle.
 * Timers are those of the realm, as the time of day is: a suite that fakes one of them fakes both.
 */
import type { WallClock } from '../network/journal/clock.js';

/** As far ahead as a timer of Node can be set, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Between the time of day, which has no fractions, and what has them; milliseconds. */
const MOST_APART = 2;

export class MachineClock implements WallClock {
  private readonly timers = new Set<NodeJS.Timeout>();
  private isStopped = false;
  /** What the time since this process began is off by, since somebody set the machine's clock; milliseconds. */
  private shift = 0;

  /** To the microsecond, as a participant's clock tells it. */
  now(): bigint {
    const coarse = Date.now();
    const exact = performance.timeOrigin + performance.now();
    if (Math.abs(exact + this.shift - coarse) > MOST_APART) this.shift = coarse - exact;
    return BigInt(Math.floor((exact + this.shift) * 1000));
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
    // The timers of a page are numbers, and end with it.
    timer.unref?.();
    this.timers.add(timer);
  }

  /** Rings no more; time can still be asked for. */
  stop(): void {
    this.isStopped = true;
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
  }
}
