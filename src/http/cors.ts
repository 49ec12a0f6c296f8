/** Scan and the registry beside it may be called from any web page; the participant's own API may not (S-GEN-014). */
import type { Api } from '../spec/api.js';

export type Headers = Readonly<Record<string, string>>;
type HeaderOf = (name: string) => string | undefined;

const OPEN: ReadonlySet<Api> = new Set<Api>(['scan', 'registry']);
const METHODS = 'GET, POST, HEAD, OPTIONS';
const MAX_AGE_SECONDS = '1800';

/** Headers for an answer to a page; none for a caller that is no page. */
export function corsHeaders(api: Api, header: HeaderOf): Headers | undefined {
  const origin = OPEN.has(api) ? header('origin') : undefined;
  if (origin === undefined) return undefined;
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'traceparent',
    vary: 'Origin',
  };
}

/** The answer to a browser that asks before it sends; undefined for any other request. */
export function preflightHeaders(api: Api, method: string, header: HeaderOf): Headers | undefined {
  if (method !== 'OPTIONS' || header('access-control-request-method') === undefined)
    return undefined;
  const shared = corsHeaders(api, header);
  if (shared === undefined) return undefined;
  return {
    ...shared,
    'access-control-allow-methods': METHODS,
    'access-control-allow-headers': header('access-control-request-headers') ?? '*',
    'access-control-max-age': MAX_AGE_SECONDS,
  };
}
