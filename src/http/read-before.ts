/**
 * The body of a request that earlier middleware has read, such as `express.json()` of the application that the
 * ledger is mounted in. Raw bytes that middleware kept are used unchanged. A parsed body is serialized again,
 * unless parsing lost some of it.
 * NOTE: the texts are Canticle's. Their readers mount the ledger in an application.
 */
import type { IncomingMessage } from 'node:http';
import { isBytes } from '../daml/errors/realms.js';

/** The properties that known middleware sets on a request. */
interface ReadRequest extends IncomingMessage {
  /** The raw body, if middleware kept it: a convention of `verify` callbacks and of serverless hosts. */
  readonly rawBody?: unknown;
  /**
   * Bytes from `express.raw()`, a text from `express.text()`, the parsed value from `express.json()` and
   * `express.urlencoded()`.
   */
  readonly body?: unknown;
}

export interface BodyReadBefore {
  readonly bytes: Buffer;
  /** The content type of these bytes, if it differs from the original one. */
  readonly contentType?: string;
}

/** Undefined if the body is still unread. @throws TypeError if the body cannot be restored from the request */
export function bodyReadBefore(request: ReadRequest): BodyReadBefore | undefined {
  if (!request.readableDidRead && !request.readableEnded) return undefined;
  const { rawBody, body } = request;
  // The text is already decoded from any charset.
  const contentType = request.headers['content-type']?.replace(/\s*;.*/s, '').toLowerCase();
  for (const candidate of [rawBody, body]) {
    if (isBytes(candidate)) return { bytes: Buffer.from(candidate) };
    if (typeof candidate === 'string') return { bytes: Buffer.from(candidate), contentType };
  }
  if (!request.readableDidRead) return { bytes: Buffer.alloc(0) };
  if (body === undefined || isPlaceholder(body, contentType))
    throw unreadable(request, 'left none');
  if (contentType === 'application/x-www-form-urlencoded')
    return { bytes: Buffer.from(formText(body)), contentType };
  return { bytes: Buffer.from(jsonText(request, body)), contentType: 'application/json' };
}

/** Express 4 leaves an empty object if it parsed no body. A multipart body is not complete there. */
function isPlaceholder(body: unknown, contentType = ''): boolean {
  if (contentType.startsWith('multipart/')) return true;
  const isJson = /^application\/(?:.+\+)?json$/.test(contentType);
  return !isJson && body !== null && typeof body === 'object' && Object.keys(body).length === 0;
}

function formText(body: unknown): string {
  const fields = Object.entries(body as object).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, String(value)]),
  );
  return new URLSearchParams(fields).toString();
}

function jsonText(request: ReadRequest, body: unknown): string {
  return JSON.stringify(body, (_, value: unknown) => {
    if (typeof value === 'number' && !isExact(value))
      throw unreadable(
        request,
        `left a number of it that JavaScript cannot hold exactly, ${value}`,
      );
    return value;
  });
}

/** Whether the number can equal the one in the text: digits after a decimal point may be lost without a trace. */
const isExact = (value: number): boolean =>
  Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));

function unreadable({ method, url }: ReadRequest, what: string): TypeError {
  return new TypeError(
    `Failed to read the body of ${method} ${url}: what stands before the ledger has read it, and ${what}. Let the ledger stand before it, or keep the bytes: express.json({ verify: (request, response, bytes) => { request.rawBody = bytes; } }).`,
  );
}
