/**
 * The HTTP servers of a participant and of Splice reject some requests for their heads, before routing.
 * NOTE: the words are those of pekko-http (`HttpRequestParser`, `HttpMessageParser`, `StatusCodes`); its source is
 * not part of the ledger's.
 */
import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { WireAnswer } from './answers.js';
import { headOf } from './delivery/head.js';
import { shownCharacter, targetError } from './routing/paths.js';
import {
  MAX_HEADER_COUNT,
  MAX_HEADER_LENGTH,
  MAX_METHOD_LENGTH,
  MAX_TARGET_LENGTH,
} from '../services/limits.js';

/** The HTTP versions that a participant accepts over TCP. A request line without a version is HTTP/0.9. */
const VERSIONS: ReadonlySet<string> = new Set(['1.0', '1.1']);

/** Node accepts more methods. */
const METHODS: ReadonlySet<string> = new Set([
  'CONNECT',
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
  'TRACE',
]);

const UNSUPPORTED_METHOD = 'Unsupported HTTP method';
const UNSUPPORTED_VERSION =
  'The server does not support the HTTP protocol version used in the request.';

/**
 * Checks the method, version and host of a request that came over Canticle's own port, not an application's server.
 * Undefined for a valid request.
 */
export function protocolRefusal({
  method = 'GET',
  url = '/',
  httpVersion,
  headers,
  rawHeaders,
}: IncomingMessage): WireAnswer | undefined {
  // Pekko reads the method, the target, the version, then the headers.
  if (!METHODS.has(method)) return refused(501, UNSUPPORTED_METHOD);
  if (url.length > MAX_TARGET_LENGTH) return undefined;
  if (!VERSIONS.has(httpVersion)) return refused(505, UNSUPPORTED_VERSION);
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && /^host$/i.test(name)).length;
  if (hosts > 1) return refused(400, 'HTTP message must not contain more than one Host header');
  if (hosts === 0 && httpVersion === '1.1')
    return refused(400, 'Request is missing required `Host` header');
  if (hosts === 1 && isOfOtherHost(url, headers.host))
    return refused(
      400,
      `'Host' header value of request to \`${url}\` doesn't match request target authority`,
    );
  return undefined;
}

/** Whether the target is a whole URL, and one of another server than the host that the request names (B-GEN-062). */
function isOfOtherHost(url: string, host = ''): boolean {
  const authority = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1];
  const plain = (name: string) => name.toLowerCase().replace(/:80$/, '');
  return authority !== undefined && plain(authority) !== plain(host);
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

/** The reason why Node's parser stopped, in its terms. */
export interface ParserError extends Error {
  readonly code?: string;
  readonly reason?: string;
  /** Bytes parsed of the packet. */
  readonly bytesParsed?: number;
  readonly rawPacket?: Buffer;
}

/**
 * The answer to a request that Node's parser rejected, which no other code has seen.
 * NOTE: for a bad content length or coding, Pekko adds details from its own parsers. It also accepts lines without
 * a carriage return, and a repeated equal content length.
 */
export function unparsedRefusal(error: ParserError): WireAnswer {
  const { code, reason = '', bytesParsed: at = 0, rawPacket = Buffer.alloc(0) } = error;
  const illegal = `Illegal character '${shownCharacter(rawPacket[at] ?? 0)}'`;
  switch (code) {
    case 'HPE_INVALID_METHOD':
      return refused(isLongMethod(rawPacket, at) ? 400 : 501, UNSUPPORTED_METHOD);
    case 'HPE_INVALID_VERSION':
      return reason.includes('CRLF')
        ? refused(400, `${illegal} in the request line`)
        : refused(505, UNSUPPORTED_VERSION);
    case 'HPE_INVALID_CONSTANT':
      return refused(505, UNSUPPORTED_VERSION);
    case 'HPE_INVALID_URL':
      return refused(400, targetError(targetIn(rawPacket, at)));
    case 'HPE_INVALID_HEADER_TOKEN':
      return refused(400, `${illegal} in header ${reason.includes('value') ? 'value' : 'name'}`);
    case 'HPE_HEADER_OVERFLOW':
      return refused(431, 'The request has more headers than there may be');
    case 'HPE_INVALID_CONTENT_LENGTH':
      return refused(400, `Illegal 'content-length' header`);
    case 'HPE_UNEXPECTED_CONTENT_LENGTH':
      return refused(
        400,
        reason.startsWith('Duplicate')
          ? 'HTTP message must not contain more than one Content-Length header'
          : WITH_LENGTH,
      );
    case 'HPE_INVALID_TRANSFER_ENCODING':
      return refused(
        400,
        reason.includes('Content-Length') ? WITH_LENGTH : 'Unsupported Transfer-Encoding',
      );
    case 'HPE_INVALID_CHUNK_SIZE':
      return refused(400, `${illegal} in chunk start`);
    case 'HPE_STRICT':
      return refused(400, 'Illegal chunk termination');
    default:
      return refused(400, 'Illegal HTTP message start');
  }
}

/** The target of the request line around a place, a character for each byte. */
function targetIn(packet: Buffer, at: number): string {
  const line = packet.subarray(packet.lastIndexOf('\n', at) + 1).toString('latin1');
  return /^\S* ([^ \r\n]*)/.exec(line)?.[1] ?? '';
}

const WITH_LENGTH = 'A chunked request must not contain a Content-Length header';

/**
 * Whether the method is longer than the limit. A TLS handshake on a plain port counts as long, because it has no
 * space.
 */
function isLongMethod(packet: Buffer, at: number): boolean {
  const start = packet.lastIndexOf('\n', at) + 1;
  const end = packet.indexOf(' ', start);
  return end < 0 || end - start >= MAX_METHOD_LENGTH;
}

/** The bytes of an answer, for a connection without a response object. */
export function rawAnswer({ status, headers = {}, body = '' }: WireAnswer): string {
  const head = headOf(headers, Buffer.byteLength(String(body)));
  const lines = head.flatMap((name, at) => (at % 2 === 0 ? `${name}: ${head[at + 1]}` : []));
  const first = `HTTP/1.1 ${status} ${STATUS_CODES[status]}`;
  return [first, ...lines, '', String(body)].join('\r\n');
}

const refused = (status: number, body: string): WireAnswer => ({
  status,
  headers: { 'content-type': 'text/plain; charset=UTF-8', connection: 'close' },
  body,
});
