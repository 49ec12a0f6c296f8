/** Reads the body of a request: the bytes within their limit, and the JSON in them. The content type is not looked at, save for its charset. */
import type { IncomingMessage } from 'node:http';
import { decodeBody, refuseBody, type Decoded, type DecodedInput } from '../spec/decode.js';
import type { Operation } from '../spec/operations.js';
import type { Exchange } from './contexts.js';
import { parseJsonBody, type ParsedBody } from '../spec/json-text.js';
import { MAX_JSON_DEPTH } from '../services/limits.js';

export class BodyTooLarge extends Error {
  constructor(limit: number) {
    // The words of the participant's HTTP server.
    super(
      `EntityStreamSizeException: incoming entity size exceeded size limit (${limit} bytes)! This may have been a parser limit, a decoder limit, or a custom limit.`,
    );
  }
}

/** @param limit in bytes @throws BodyTooLarge; what is left of such a body is not read. */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
      else {
        request.pause();
        reject(new BodyTooLarge(limit));
      }
    });
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.on('error', reject);
    const closed = (): void => {
      if (!request.complete) reject(new Error('The client went away.'));
    };
    if (request.destroyed) closed();
    else request.on('close', closed);
  });
}

/** Undefined for an empty body. */
export function parseBody(bytes: Buffer, contentType: string | undefined): ParsedBody | undefined {
  if (bytes.length === 0) return undefined;
  const text = textOf(bytes, contentType);
  if (isTooDeep(text))
    return { ok: false, reason: `JSON nested deeper than ${MAX_JSON_DEPTH} levels` };
  return parseJsonBody(text);
}

/** Bytes that are no text in their charset become replacement characters, as in Java. */
function textOf(bytes: Buffer, contentType: string | undefined): string {
  const charset =
    contentType === undefined ? undefined : /charset="?([^\s;"]+)/i.exec(contentType)?.[1];
  if (charset === undefined || /^utf-?8$/i.test(charset)) return bytes.toString('utf8');
  try {
    return new TextDecoder(charset, { ignoreBOM: true }).decode(bytes);
  } catch {
    return bytes.toString('utf8');
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

function isTooDeep(text: string): boolean {
  if (text.length <= MAX_JSON_DEPTH) return false;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfString(text, i);
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > MAX_JSON_DEPTH) return true;
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return false;
}

/** Where the string ends that begins there; the end of the text for one that does not end. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    // What stands behind an odd number of them is part of the string.
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}

/** What an operation is given of a body, JSON or not; undefined for one that has none to read. */
export function decodedBody(
  header: Exchange['header'],
  operation: Operation,
  input: DecodedInput,
  bytes: Buffer | undefined,
): Decoded {
  if (bytes === undefined || operation.request?.contentType !== 'application/json')
    return decodeBody(operation, input, bytes);
  const parsed = parseBody(bytes, header('content-type'));
  if (parsed?.ok === false) return refuseBody(operation.api, parsed.reason);
  return decodeBody(operation, input, parsed?.value);
}
