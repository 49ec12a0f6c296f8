/** Limits how long a live side is read: until the end, until a timeout, or until the caller aborts. */
import { clearTimeout, setTimeout } from 'node:timers';
import { nodeGlobals } from '../../spec/loading/node-realm.js';
import { ForkFailed } from './fork-failed.js';
import type { ForkOptions } from './fork-options.js';

/** Maximum milliseconds of the whole reading. */
const MAX_READING_MS = 60 * 60 * 1000;

export class Reading {
  private readonly ending = new nodeGlobals.AbortController();
  private readonly timer: NodeJS.Timeout;
  private readonly stop = (): void => this.ending.abort(new ForkFailed('it was aborted.'));

  constructor(private readonly options: Pick<ForkOptions, 'signal' | 'timeout'> = {}) {
    const { signal, timeout = MAX_READING_MS } = options;
    const late = `it takes longer than ${timeout} milliseconds (timeout). The data read so far is kept, and the next start continues there.`;
    this.timer = setTimeout(() => this.ending.abort(new ForkFailed(late)), timeout);
    if (signal?.aborted) this.stop();
    else signal?.addEventListener('abort', this.stop, { once: true });
  }

  /** @throws ForkFailed after the end */
  requireGoing(): void {
    this.ending.signal.throwIfAborted();
  }

  /** Aborts each request, with the reason as a ForkFailed. */
  get signal(): AbortSignal {
    return this.ending.signal;
  }

  /** The reading is complete, or failed. */
  end(): void {
    clearTimeout(this.timer);
    this.options.signal?.removeEventListener('abort', this.stop);
  }
}
