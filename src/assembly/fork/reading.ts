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

  /** Ends every request, with the reason as a ForkFailed. */
  get signal(): AbortSignal {
    return this.ending.signal;
  }

  /** It was read, or failed. */
  end(): void {
    clearTimeout(this.timer);
    this.options.signal?.removeEventListener('abort', this.stop);
  }
}
