/**
 * Finds the recorded request that equals a request. Method, path, query and body must be equal, in any order of
 * members and parameters. Ids and times that a client generates for each request may differ.
 */
import { createHash } from 'node:crypto';
import { compareJson } from './compare.js';
import { isWebSocket, jsonIn, sentBody, textOf, type HarEntry } from './har.js';
import { Identities } from './identities.js';
import { cut } from './tokens.js';

/** A request in the form for the search. */
export interface PlainRequest {
  /** `WS` for a WebSocket. */
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** The body; for a WebSocket, its first message. */
  readonly body: string;
}

export function requestOf(entry: HarEntry): PlainRequest {
  const { pathname, search } = new URL(entry.request.url);
  const target = pathname + search;
  if (!isWebSocket(entry))
    return {
      method: entry.request.method,
      target,
      body: sentBody(entry.request)?.toString() ?? '',
    };
  const first = entry._webSocketMessages?.find(({ type }) => type === 'send');
  return { method: 'WS', target, body: first === undefined ? '' : textOf(first) };
}

/** Two digests: of the request, and of the request without generated ids and times. */
export interface RequestKeys {
  readonly exact: string;
  readonly loose: string;
}

export function keysOf({ method, target, body }: PlainRequest): RequestKeys {
  const [path, query = ''] = target.split('?');
  const parameters = [...new URLSearchParams(query)].sort(([a], [b]) => (a < b ? -1 : 1));
  const json = jsonIn(body);
  const content = json === undefined ? body : canonical(json.value);
  const whole = JSON.stringify([method, path, parameters, content]);
  return { exact: digest(whole), loose: digest(withoutDrawn(whole)) };
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64');

/** The value with sorted members. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, each]) => [name, canonical(each)]));
}

const DRAWN: ReadonlySet<string> = new Set(['uuid', 'time', 'trace']);

function withoutDrawn(text: string): string {
  const { literals, tokens } = cut(text, '');
  return tokens.reduce(
    (all, { kind, text: token }, i) =>
      all + (DRAWN.has(kind) ? `(${kind})` : token) + literals[i + 1]!,
    literals[0]!,
  );
}

/**
 * The mapping from the ids and times of a recorded request to those of the current request, if they are the only
 * differences.
 */
export function drawnIn(recorded: PlainRequest, now: PlainRequest): Identities {
  const identities = new Identities();
  compareJson(recorded.target, now.target, identities);
  compareJson(plain(recorded.body), plain(now.body), identities);
  return identities;
}

const plain = (body: string): unknown => jsonIn(body)?.value ?? body;

/** The difference between a request and a recorded request, as a sentence. */
export function differenceText(recorded: PlainRequest, now: PlainRequest): string {
  const parts = [
    ...(recorded.method === now.method ? [] : [`its method is ${recorded.method}`]),
    ...(recorded.target === now.target ? [] : [`its path is ${recorded.target}`]),
    ...compareJson(plain(recorded.body), plain(now.body), new Identities())
      .slice(0, 3)
      .map(
        ({ at, recorded: before = 'nothing', now: other = 'nothing' }) =>
          `${at || 'its body'} is ${before}, not ${other}`,
      ),
  ];
  return parts.join('; ') || 'it was already used';
}
