/**
 * What a participant's HTTP server, and that of Splice, refuses for the size of its head, before it looks at what is asked.
 * NOTE: the words are those that pekko-http is known to answer; its source is not part of the ledger's.
 */
import type { IncomingMessage } from 'node:http';
import type { WireAnswer } from './answers.js';
import { MAX_HEADER_COUNT, MAX_HEADER_LENGTH, MAX_TARGET_LENGTH } from '../services/limits.js';

/** Undefined for a request that is within the limits. The connection ends with the answer. */
export function headRefusal({
  url = '/',
  rawHeaders,
}: Pick<IncomingMessage, 'url' | 'rawHeaders'>): WireAnswer | undefined {
  if (url.length > MAX_TARGET_LENGTH)
    return refused(
      414,
      `URI length exceeds the configured limit of ${MAX_TARGET_LENGTH} characters`,
    );
  if (rawHeaders.length > 2 * MAX_HEADER_COUNT)
    return refused(
      400,
      `HTTP message contains more than the configured limit of ${MAX_HEADER_COUNT} headers`,
    );
  for (let i = 1; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]!.length > MAX_HEADER_LENGTH)
      return refused(
        431,
        `HTTP header value exceeds the configured limit of ${MAX_HEADER_LENGTH} characters`,
      );
  return undefined;
}

const refused = (status: number, body: string): WireAnswer => ({
  status,
  headers: { 'content-type': 'text/plain; charset=UTF-8', connection: 'close' },
  body,
});
