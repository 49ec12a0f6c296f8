/**
 * How long a participant's server waits for an answer (B-GEN-009), or that of an app of Splice: past it the client is told so, in the server's own words (pekko's,
 * whose source is not part of the ledger's), and what was asked goes on without it. Real time, whatever the ledger's time is.
 */
import { clearTimeout, setTimeout } from 'node:timers';
import { LONGEST_DELAY_MS } from '../services/limits.js';
import type { Api } from '../spec/api.js';
import type { Operation } from '../spec/operations.js';
import type { WireAnswer } from './answers.js';
import type { World } from './contexts.js';

/** Canton's `http-ledger-api.request-timeout`, in milliseconds. */
export const REQUEST_TIMEOUT_MS = 20_000;

/** What the servers of Splice's apps are set to, `pekko.http.server.request-timeout` (V-GEN-016). */
const SPLICE_TIMEOUT_MS = 38_000;

/** @param told to this Canticle, for all that it serves */
export const requestTimeoutOf = (api: Api, told: number | undefined): number =>
  told ?? (isOfSplice(api) ? SPLICE_TIMEOUT_MS : REQUEST_TIMEOUT_MS);

/** Whether an app of Splice answers it, rather than a participant. */
export const isOfSplice = (api: Api): boolean => api !== 'ledger' && api !== 'control';

/** Nobody waits for the answer any more. */
export class RequestTimedOut extends Error {
  override readonly name = 'RequestTimedOut';

  /** @param timeout in milliseconds */
  constructor(timeout: number) {
    super(`No answer within ${timeout} ms (requestTimeout). A command goes on all the same.`);
  }
}

/** Rejects with RequestTimedOut where the answer is not there in time, and with ParticipantRestarted where nobody is left to give it. */
export function inTime<T>(
  { network, participant, requestTimeout }: World,
  { api }: Operation,
  answer: Promise<T>,
): Promise<T> {
  const given = api === 'ledger' ? network.faults.whileUp(participant.name, answer) : answer;
  return within(requestTimeoutOf(api, requestTimeout), given);
}

/**
 * Rejects with RequestTimedOut where the answer is not there in time. Does not keep the process alive.
 * @param timeout in milliseconds
 */
function within<T>(timeout: number, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new RequestTimedOut(timeout));
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
