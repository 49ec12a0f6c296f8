/**
 * Web pages of any origin may call Scan, its registry and a validator; the participant's own API may not
 * (S-GEN-014, V-GEN-019), and here takes pages of the origins that are allowed. NOTE: the real ones let every page
 * send credentials with its requests; here those of this machine, and those that are allowed.
 */
import type { Api } from '../../spec/api.js';
import type { PageGuard } from './page-guard.js';

type Headers = Readonly<Record<string, string>>;
type HeaderOf = (name: string) => string | undefined;

const METHODS = 'GET, POST, HEAD, OPTIONS';
const VALIDATORS = 'DELETE, GET, POST, HEAD, OPTIONS';
const OWN = 'DELETE, GET, PATCH, POST, PUT, HEAD, OPTIONS';
const METHODS_OF: Readonly<Partial<Record<Api, string>>> = {
  ledger: OWN,
  control: OWN,
  validator: VALIDATORS,
  wallet: VALIDATORS,
  names: VALIDATORS,
  sv: 'DELETE, GET, POST, PUT, HEAD, OPTIONS',
};
const MAX_AGE_SECONDS = '1800';

/** Headers for an answer to a page; none if the caller is not a page. */
export function corsHeaders(pages: PageGuard, api: Api, header: HeaderOf): Headers | undefined {
  const origin = header('origin');
  if (origin === undefined || !pages.isShared(api, origin)) return undefined;
  return {
    'access-control-allow-origin': origin,
    ...(pages.isFamiliar(origin) && { 'access-control-allow-credentials': 'true' }),
    'access-control-expose-headers': 'traceparent',
    vary: 'Origin',
  };
}

/** The answer to a browser that asks before it sends; undefined for any other request. */
export function preflightHeaders(
  pages: PageGuard,
  api: Api,
  method: string,
  header: HeaderOf,
): Headers | undefined {
  if (!isPreflight(method, header)) return undefined;
  const shared = corsHeaders(pages, api, header);
  if (shared === undefined) return undefined;
  return {
    ...shared,
    'access-control-allow-methods': METHODS_OF[api] ?? METHODS,
    'access-control-allow-headers': header('access-control-request-headers') ?? '*',
    'access-control-max-age': MAX_AGE_SECONDS,
  };
}

/** The reason for rejecting a preflight request, for the journal; undefined for any other request. */
export function preflightRefusal(
  pages: PageGuard,
  api: Api,
  method: string,
  header: HeaderOf,
): string | undefined {
  const origin = header('origin');
  if (origin === undefined || !isPreflight(method, header) || pages.isShared(api, origin))
    return undefined;
  return pages.toAllow(origin);
}

const isPreflight = (method: string, header: HeaderOf): boolean =>
  method === 'OPTIONS' && header('access-control-request-method') !== undefined;
