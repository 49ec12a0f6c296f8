/**
 * The services of one server of a real network, each of which has its own port: a participant's Ledger API, a
 * validator app, Scan with its registry, an SV app. Such a port rejects all other paths in that server's manner.
 * NOTE: the controls of this simulator share the Ledger API's port.
 */
import type { Api } from '../../spec/api.js';

export interface Service {
  /** The API whose format the answer to an unknown path has. */
  readonly api: Api;
  /** @param path without the query */
  readonly holds: (path: string) => boolean;
}

const below = (...prefixes: readonly string[]) => {
  return (path: string): boolean =>
    prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
};
const isOfOthers = below('/api/scan', '/registry', '/api/validator', '/api/sv');
/** The pages for people list all that is on a port, which is more than one service. */
const isOfPages = below('/docs/reader');
const PAGES = new Set(['/', '/docs', '/docs/']);

export const SERVICES = {
  ledger: {
    api: 'ledger',
    holds: (path) => !isOfOthers(path) && !isOfPages(path) && !PAGES.has(path),
  },
  validator: { api: 'validator', holds: below('/api/validator') },
  scan: { api: 'scan', holds: below('/api/scan', '/registry') },
  sv: { api: 'sv', holds: below('/api/sv') },
} as const satisfies Readonly<Record<string, Service>>;

/** Whether the service that received the request serves its path. True for a request to all services. */
export const isHeld = (request: { readonly service?: Service; readonly target: string }): boolean =>
  request.service?.holds(request.target.replace(/\?.*$/, '')) ?? true;
