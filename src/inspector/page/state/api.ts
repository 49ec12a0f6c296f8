/**
 * Requests to the controls, as any other client sends them. Paths are those of docs/reference/controls.md, after
 * `/canticle`.
 */
import { storeOf } from './store.js';

/** The URL of this instance, without a final slash: an attribute of the script element. */
export const ROOT: string =
  (document.currentScript as HTMLScriptElement | null)?.dataset['root'] ?? location.origin;

const TOKEN = 'canticle-token';

/** Set if the controls need a token and the request had none. */
export const tokenWanted = storeOf(false);

export function giveToken(token: string): void {
  sessionStorage.setItem(TOKEN, token.trim());
  tokenWanted.set(false);
}

class Refused extends Error {
  constructor(
    readonly status: number,
    readonly body: unknown,
  ) {
    super(textOf(body) ?? `The answer was ${status}.`);
  }
}

function textOf(body: unknown): string | undefined {
  if (typeof body === 'string' && body !== '') return body;
  if (typeof body !== 'object' || body === null) return undefined;
  const { error, cause, code } = body as { error?: unknown; cause?: unknown; code?: unknown };
  if (typeof error === 'string') return error;
  if (typeof cause === 'string') return typeof code === 'string' ? `${code}: ${cause}` : cause;
  return undefined;
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

function queryText(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return text.length === 0 ? '' : `?${text.join('&')}`;
}

/** @param path after `/canticle/v1/`, its parts percent-encoded */
export const fetchJson = <T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> =>
  call('GET', `/canticle/v1/${path}${queryText(query)}`, undefined, signal);

export const sendJson = <T>(
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<T> => call(method, `/canticle/v1/${path}`, body);

async function call<T>(
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<T> {
  const token = sessionStorage.getItem(TOKEN);
  const response = await fetch(ROOT + path, {
    method,
    signal: signal ?? null,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== null && token !== '' && { authorization: `Bearer ${token}` }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  const answer: unknown = isJson && text !== '' ? JSON.parse(text) : text;
  if (response.ok) return answer as T;
  if (response.status === 401 || response.status === 403) tokenWanted.set(true);
  throw new Refused(response.status, answer);
}
