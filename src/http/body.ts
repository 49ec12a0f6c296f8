/**
 * Reads the body of a request: the bytes within their limit, and the JSON in them. The content type is not looked
 * at.
 */
import type { IncomingMessage } from 'node:http';
import { decodeBody, refuseBody, type Decoded, type DecodedInput } from '../spec/decode.js';
import type { SentBody } from '../services/calls/call.js';
import type { Operation } from '../spec/operations.js';
import { parseJsonBody, type ParsedBody } from '../spec/reading/json-text.js';

export class BodyTooLarge extends Error {
  /** The name in error contexts. */
  override readonly name = 'java.io.IOException';

  /** @param length of the whole body, if its request states it */
  constructor(limit: number, length?: string) {
    const size = length === undefined ? '' : ` (${length})`;
    // The words of the participant's HTTP server.
    super(
      `EntityStreamSizeException: incoming entity size${size} exceeded size limit (${limit} bytes)! ` +
        'This may have been a parser limit (set via `pekko.http.[server|client].parsing.max-content-length`), ' +
        'a decoder limit (set via `pekko.http.routing.decode-max-size`), or a custom limit set with `withSizeLimit`.',
    );
  }
}

/** @param limit in bytes @throws BodyTooLarge; the rest of such a body is not read. */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
      else {
        request.pause();
        reject(new BodyTooLarge(limit, request.headers['content-length']));
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

/** In bytes. */
export const sizeOf = (body: string | Uint8Array): number =>
  typeof body === 'string' ? Buffer.byteLength(body) : body.length;

/** A text as bytes; bytes and streams stay what they are. */
export const bytesOf = <B>(body: string | B): Buffer | B =>
  typeof body === 'string' ? Buffer.from(body) : body;

/** Undefined for an empty body. It is always UTF-8, independent of its content type (B-GEN-053). */
export function parseBody(sent: SentBody): ParsedBody | undefined {
  // Invalid UTF-8 becomes replacement characters, as in Java.
  return sent.length === 0 ? undefined : parseJsonBody(sent.toString());
}

/** The body that an operation receives, JSON or not; undefined for an operation without a body. */
export function decodedBody(
  operation: Operation,
  input: DecodedInput,
  sent: SentBody | undefined,
): Decoded {
  if (sent === undefined || operation.request?.contentType !== 'application/json')
    return decodeBody(operation, input, bytesOf(sent));
  const parsed = parseBody(sent);
  if (parsed?.ok === false) return refuseBody(operation.api, parsed.reason);
  return decodeBody(operation, input, parsed?.value);
}
