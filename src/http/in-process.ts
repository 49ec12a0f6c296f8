/** Requests without a port: the same answers, for a test in the same process. */
import { BodyTooLarge } from './body.js';
import type { Exchange } from './contexts.js';
import type { Sites } from './sites.js';

export interface InProcessRequest {
  /** GET by default, POST where there is a body. */
  readonly method?: string;
  /** With its query, from the root: `/v2/version`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text or bytes go as they are, anything else as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

export interface InProcessAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** As on the wire. */
  readonly body: Buffer;
  /** @throws SyntaxError for a body that is no JSON */
  readonly json: () => unknown;
}

export async function dispatchInProcess(
  sites: Sites,
  request: InProcessRequest,
): Promise<InProcessAnswer> {
  const { status, headers, body = '' } = await answer(sites, request);
  const bytes =
    typeof body === 'string'
      ? Buffer.from(body)
      : Buffer.from(body.buffer, body.byteOffset, body.length);
  return {
    status,
    headers,
    body: bytes,
    json: () => JSON.parse(bytes.toString('utf8')) as unknown,
  };
}

function answer(sites: Sites, request: InProcessRequest) {
  const { site, target } = sites.locate(request.path);
  return site.dispatcher.answer(exchangeOf({ ...request, path: target }));
}

function exchangeOf({ method, path, headers = {}, body, signal }: InProcessRequest): Exchange {
  const named = new Map(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return {
    method: (method ?? (body === undefined ? 'GET' : 'POST')).toUpperCase(),
    target: path,
    header: (name) => named.get(name),
    readBody: async (limit) => {
      const bytes = bytesOf(body);
      if (bytes.length > limit) throw new BodyTooLarge(limit);
      return bytes;
    },
    signal: () => signal ?? new AbortController().signal,
  };
}

function bytesOf(body: unknown): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  if (body instanceof Uint8Array) return Buffer.from(body);
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}
