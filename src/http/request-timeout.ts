/**
 * How long a participant's server waits for an answer (B-GEN-009): past it the client is told so, in the server's own words (pekko's,
 * whose source is not part of the ledger's), and what was asked goes on without it. Real time, whatever the ledger's time is.
 */
import { LONGEST_DELAY_MS } from '../services/limits.js';
import type { WireAnswer } from './answers.js';

/** Canton's `http-ledger-api.request-timeout`, in milliseconds. */
export const REQUEST_TIMEOUT_MS = 20_000;

/** Nobody waits for the answer any more. */
export class RequestTimedOut extends Error {
  override readonly name = 'RequestTimedOut';
}

/**
 * Rejects with RequestTimedOut where the answer is not there in time. Does not keep the process alive.
 * @param timeout in milliseconds
 */
export function within<T>(timeout: number, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new RequestTimedOut());
    const timer = setTimeout(giveUp, Math.min(timeout, LONGEST_DELAY_MS)).unref();
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * What the client is told. NOTE: a participant ends the connection without having announced it; a client that has sent its next request
 * over it by then would lose that one.
 */
export const LATE_ANSWER: WireAnswer = {
  status: 503,
  headers: { 'content-type': 'text/plain; charset=UTF-8', connection: 'close' },
  body: 'The server was not able to produce a timely response to your request.\r\nPlease try again in a short while!',
};
