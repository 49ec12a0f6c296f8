/** A request made in this process, and its answer: all requests without a port become this form. */
import type { ReadableStream } from 'node:stream/web';
import type { SentBody } from '../../services/calls/call.js';
import { BodyTooLarge, sizeOf } from '../body.js';
import type { Exchange } from '../contexts.js';
import { isBytes } from '../../daml/errors/realms.js';

/** By its name in lower case. */
export type LocalHeader = readonly [name: string, value: string];

/** A text stays a text where both ends are in this process: it need not become bytes in between. */
export type LocalBody = string | Uint8Array | ReadableStream<Uint8Array>;

export interface LocalRequest {
  /** Upper case. */
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly target: string;
  /** The root URL of the instance from the client's view, such as `https://scan.example`. */
  readonly root: string;
  readonly headers: readonly LocalHeader[];
  /** A text has no lone surrogates. */
  readonly body?: LocalBody;
  readonly signal?: AbortSignal;
}

/** As on the wire, without the headers of the connection. */
export interface LocalAnswer {
  readonly status: number;
  readonly headers: readonly LocalHeader[];
  readonly body: LocalBody;
}

export function exchangeOf({
  method,
  target,
  root,
  headers,
  body,
  signal,
}: LocalRequest): Exchange {
  return {
    method,
    target,
    isRemote: false,
    header: (name) => {
      const between = name === 'authorization' ? '\n' : ', ';
      let found: string | undefined;
      for (const [each, value] of headers)
        if (each === name) found = found === undefined ? value : `${found}${between}${value}`;
      return found ?? (name === 'host' ? hostOf(root) : undefined);
    },
    headers: () => Object.fromEntries(headers),
    root: () => root,
    readBody: (limit) => readWhole(body, limit),
    signal: () => signal ?? new AbortController().signal,
  };
}

export const hostOf = (root: string): string => new URL(root).host;

/** @param limit in bytes @throws BodyTooLarge; the rest of such a body is not read. */
export async function readWhole(body: LocalBody | undefined, limit = Infinity): Promise<SentBody> {
  if (body === undefined) return '';
  if (typeof body === 'string') {
    const length = sizeOf(body);
    if (length > limit) throw new BodyTooLarge(limit, String(length));
    return body;
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  const take = (chunk: Uint8Array): void => {
    length += chunk.length;
    if (length > limit) throw new BodyTooLarge(limit, body === chunk ? String(length) : undefined);
    chunks.push(chunk);
  };
  if (isBytes(body)) take(body);
  else for await (const chunk of body) take(chunk);
  const [first] = chunks;
  return first === undefined || chunks.length > 1
    ? Buffer.concat(chunks, length)
    : Buffer.from(first.buffer, first.byteOffset, length);
}
