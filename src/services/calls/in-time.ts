/** The time that a transport waits for an answer. It is real time, independent of the ledger's time. */
import { clearTimeout, setTimeout } from 'node:timers';
import { LONGEST_DELAY_MS } from '../limits.js';

/** The client no longer waits for the answer. */
export class RequestTimedOut extends Error {
  override readonly name = 'RequestTimedOut';

  /** @param timeout in milliseconds */
  constructor(timeout: number) {
    super(`No answer within ${timeout} ms (requestTimeout). The command continues.`);
  }
}

/**
 * Rejects with RequestTimedOut if the answer is late. Does not keep the process alive.
 * @param timeout in milliseconds
 */
export function within<T>(timeout: number, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new RequestTimedOut(timeout));
    const timer = setTimeout(giveUp, Math.min(timeout, LONGEST_DELAY_MS)).unref();
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
