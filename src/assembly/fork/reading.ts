/** How long a live side is read: until it was read, until that takes too long, or until somebody wants it no more. */
import { clearTimeout, setTimeout } from 'node:timers';
import { nodeGlobals } from '../../spec/loading/node-realm.js';
import { ForkFailed } from './fork-failed.js';
import type { ForkOptions } from './fork-options.js';

/** Milliseconds that all of the reading may take. */
const MAX_READING_MS = 60 * 60 * 1000;

export class Reading {
  private readonly ending = new nodeGlobals.AbortController();
  private readonly timer: NodeJS.Timeout;
  private readonly stop = (): void => this.ending.abort(new ForkFailed('it was told to stop.'));

  constructor(private readonly options: Pick<ForkOptions, 'signal' | 'timeout'> = {}) {
    const { signal, timeout = MAX_READING_MS } = options;
    const late = `it takes longer than ${timeout} milliseconds (timeout). What was read is kept, and the next start goes on from there.`;
    this.timer = setTimeout(() => this.ending.abort(new ForkFailed(late)), timeout);
    if (signal?.aborted) this.stop();
    else signal?.addEventListener('abort', this.stop, { once: true });
  }

  /** @throws ForkFailed once it is over */
  requireGoing(): void {
    this.ending.signal.throwIfAborted();
  }

  /**
   * One answer, which ends with the reading. @param patience milliseconds that it may take; forever where absent
   * @param ask rejects with the reason of the signal
   */
  async during<T>(
    patience: number | undefined,
    ask: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    this.requireGoing();
    const each = new nodeGlobals.AbortController();
    const stop = (): void => each.abort(this.ending.signal.reason);
    this.ending.signal.addEventListener('abort', stop, { once: true });
    const late = new Error(`it took longer than ${patience} milliseconds`);
    const timer = patience === undefined ? undefined : setTimeout(() => each.abort(late), patience);
    try {
      return await ask(each.signal);
    } finally {
      clearTimeout(timer);
      this.ending.signal.removeEventListener('abort', stop);
    }
  }

  /** It was read, or failed. */
  end(): void {
    clearTimeout(this.timer);
    this.options.signal?.removeEventListener('abort', this.stop);
  }
}
