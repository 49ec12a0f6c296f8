/** Requests without a port, in the plainest form: for a test in the same process. */
import type { InProcess } from './in-process.js';
import { bytesOf } from '../body.js';
import { readWhole, type LocalHeader } from './local-request.js';
import { isBytes } from '../../daml/errors/realms.js';

export interface InProcessRequest {
  /** GET by default, POST with a body. */
  readonly method?: string;
  /** From the root, with the query: `/v2/version`. */
  readonly path: string;
  /** By name; case does not matter. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Texts and bytes are sent unchanged, other values as JSON. */
  readonly body?: unknown;
  /** Aborts the request, as if the client disconnected. */
  readonly signal?: AbortSignal;
  /** The URL of the root, as a client sees it; by default that of the header `host`, or `http://localhost`. */
  readonly root?: string;
}

/** The answer to a request of this process. */
export interface InProcessAnswer {
  /** The HTTP status. */
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** As on the wire. */
  readonly body: Buffer;
  /** @throws SyntaxError if the body is not JSON */
  readonly json: () => unknown;
}

export async function handle(
  inProcess: InProcess,
  { method, path, headers = {}, body, signal, root }: InProcessRequest,
): Promise<InProcessAnswer> {
  const named = Object.entries(headers).map(([name, value]): LocalHeader => [
    name.toLowerCase(),
    value,
  ]);
  const answer = await inProcess.answer({
    method: method?.toUpperCase() ?? (body === undefined ? 'GET' : 'POST'),
    target: path,
    root: root ?? `http://${named.find(([name]) => name === 'host')?.[1] ?? 'localhost'}`,
    headers: named,
    body: body === undefined ? undefined : sentOf(body),
    signal,
  });
  const sent = typeof answer.body === 'string' ? answer.body : await readWhole(answer.body);
  return {
    status: answer.status,
    headers: joined(answer.headers),
    body: bytesOf(sent),
    json: () => JSON.parse(sent.toString()) as unknown,
  };
}

function sentOf(body: unknown): string | Uint8Array {
  if (isBytes(body)) return body;
  // A lone surrogate becomes a replacement character. JSON escapes it.
  return typeof body === 'string' ? Buffer.from(body) : JSON.stringify(body);
}

function joined(headers: readonly LocalHeader[]): Record<string, string> {
  const byName: Record<string, string> = {};
  for (const [name, value] of headers)
    byName[name] = name in byName ? `${byName[name]}, ${value}` : value;
  return byName;
}
