/** This machine's clock, as a network on wall-clock time is handed it: its timers keep no process alive, and end with their Canticle. */
import type { WallClock } from '../network/journal/clock.js';

/** As far ahead as a timer of Node can be set, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

export class MachineClock implements WallClock {
  private readonly timers = new Set<NodeJS.Timeout>();
  private isStopped = false;

  now(): bigint {
    return BigInt(Date.now()) * 1000n;
  }

  ringAt(time: bigint, ring: () => void): void {
    if (this.isStopped) return;
    const milliseconds = Math.max(0, Math.ceil(Number(time) / 1000) - Date.now());
    const timer = setTimeout(
      () => {
        this.timers.delete(timer);
        ring();
      },
      Math.min(milliseconds, LONGEST_TIMER),
    ).unref();
    this.timers.add(timer);
  }

  /** Rings no more; time can still be asked for. */
  stop(): void {
    this.isStopped = true;
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
  }
}
