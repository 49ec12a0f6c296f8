/**
 * What a participant's HTTP server, and that of Splice, refuses for its head, before it looks at what is asked.
 * NOTE: the words are those of pekko-http (`HttpRequestParser`, `HttpMessageParser`, `StatusCodes`); its source is not part of the ledger's.
 */
import type { IncomingMessage } from 'node:http';
import type { WireAnswer } from './answers.js';
import { MAX_HEADER_COUNT, MAX_HEADER_LENGTH, MAX_TARGET_LENGTH } from '../services/limits.js';

/** What a participant speaks over TCP: a request line without a version is one of HTTP/0.9. */
const VERSIONS: ReadonlySet<string> = new Set(['1.0', '1.1']);

/** Of a request that came over a connection of our own, which says its version and its host. Undefined for one that is well. */
export function protocolRefusal({
  url = '/',
  httpVersion,
  rawHeaders,
}: IncomingMessage): WireAnswer | undefined {
  // Pekko reads the target, then the version, then the headers.
  if (url.length > MAX_TARGET_LENGTH) return undefined;
  if (!VERSIONS.has(httpVersion))
    return refused(
      505,
      'The server does not support the HTTP protocol version used in the request.',
    );
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && /^host$/i.test(name)).length;
  if (hosts > 1) return refused(400, 'HTTP message must not contain more than one Host header');
  if (hosts === 0 && httpVersion === '1.1')
    return refused(400, 'Request is missing required `Host` header');
  return undefined;
}

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
