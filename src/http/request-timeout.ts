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

/** The header in which a client sets the time limit of its request, in milliseconds. */
const TIMEOUT_HEADER = 'Request-Timeout';
/** The bounds of its value. */
const LEAST_TIMEOUT_MS = 1000;
const MOST_TIMEOUT_MS = 60_000;
const LAST_INT64 = 2n ** 63n - 1n;

/** The time limit of a request in milliseconds, or an error text for an invalid one; undefined without a limit (B-GEN-070). */
export function clientTimeout(
  header: (name: string) => string | undefined,
): number | { readonly error: string } | undefined {
  const given = header('request-timeout');
  if (given === undefined) return undefined;
  const shown = `${TIMEOUT_HEADER} '${given}' ms is`;
  if (!/^[+-]?\d+$/.test(given) || BigInt(given.replace('+', '')) > LAST_INT64)
    return {
      error: `Invalid ${TIMEOUT_HEADER} header value '${given}': expected a positive integer number of milliseconds.`,
    };
  const timeout = Number(given);
  if (timeout < LEAST_TIMEOUT_MS)
    return { error: `${shown} below the minimum of ${LEAST_TIMEOUT_MS} ms.` };
  if (timeout > MOST_TIMEOUT_MS)
    return { error: `${shown} above the maximum of ${MOST_TIMEOUT_MS} ms.` };
  return timeout;
}

/** The answer to a client whose own time limit passed (B-GEN-071). */
export const OVER_CLIENT_TIMEOUT: WireAnswer = { status: 408, headers: { connection: 'close' } };

/**
 * The answer to the client. NOTE: a participant ends the connection without having announced it; a client that has
 * sent its next request over it by then would lose that one.
 */
export const LATE_ANSWER: WireAnswer = {
  status: 503,
  headers: { 'content-type': 'text/plain; charset=UTF-8', connection: 'close' },
  body: 'The server was not able to produce a timely response to your request.\r\nPlease try again in a short while!',
};
