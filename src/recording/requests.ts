/**
 * Which recorded request a request is: the same method, path, query and body, in whatever order members and parameters come; or one
 * that differs in nothing but ids and times that a client draws anew each time.
 */
import { createHash } from 'node:crypto';
import { compareJson } from './compare.js';
import { isWebSocket, jsonIn, sentBody, textOf, type HarEntry } from './har.js';
import { Identities } from './identities.js';
import { cut } from './tokens.js';

/** A request, as it is looked for. */
export interface PlainRequest {
  /** `WS` of a WebSocket. */
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** What is sent; of a WebSocket its first message. */
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

/** Two digests: of the request as it is, and of it without what clients draw. */
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

/** Members in one order. */
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

/** What the ids and times of a recorded request are in the one that came, where it is the same but for them. */
export function drawnIn(recorded: PlainRequest, now: PlainRequest): Identities {
  const identities = new Identities();
  compareJson(recorded.target, now.target, identities);
  compareJson(plain(recorded.body), plain(now.body), identities);
  return identities;
}

const plain = (body: string): unknown => jsonIn(body)?.value ?? body;

/** In what a request differs from a recorded one, as a sentence. */
export function differenceText(recorded: PlainRequest, now: PlainRequest): string {
  const parts = [
    ...(recorded.method === now.method ? [] : [`it is ${recorded.method}`]),
    ...(recorded.target === now.target ? [] : [`it is of ${recorded.target}`]),
    ...compareJson(plain(recorded.body), plain(now.body), new Identities())
      .slice(0, 3)
      .map(
        ({ at, recorded: before = 'nothing', now: other = 'nothing' }) =>
          `${at || 'its body'} is ${before}, not ${other}`,
      ),
  ];
  return parts.join('; ') || 'it has been used';
}
