/**
 * The time that the servers of a participant (B-GEN-009) and of Splice's apps wait for an answer. After it, the
 * client gets the server's own message (pekko's, whose source is not part of the ledger's), and the operation
 * continues. It is real time, independent of the ledger's time.
 */
import type { ApiName } from '../spec/generated/control.js';
import type { WireAnswer } from './answers.js';

/** Canton's `http-ledger-api.request-timeout`, in milliseconds. */
export const REQUEST_TIMEOUT_MS = 20_000;

/** The setting of Splice's servers, `pekko.http.server.request-timeout` (V-GEN-016). */
const SPLICE_TIMEOUT_MS = 38_000;

/** @param configured the option of this Canticle, for all its services */
export const requestTimeoutOf = (api: ApiName, configured: number | undefined): number =>
  configured ?? (isOfSplice(api) ? SPLICE_TIMEOUT_MS : REQUEST_TIMEOUT_MS);

/** Whether an app of Splice answers it, rather than a participant. */
export const isOfSplice = (api: ApiName): boolean => api !== 'ledger' && api !== 'control';

/**
 * The answer to the client. NOTE: a participant ends the connection without having announced it; a client that has
 * sent its next request over it by then would lose that one.
 */
export const LATE_ANSWER: WireAnswer = {
  status: 503,
  headers: { 'content-type': 'text/plain; charset=UTF-8', connection: 'close' },
  body: 'The server was not able to produce a timely response to your request.\r\nPlease try again in a short while!',
};
