/**
 * Mounts an instance in your HTTP application: `app.use(canticleRouter())`. The router is a plain request handler. It works with
 * Express 4 and 5 and with frameworks that accept such handlers, and does not import Express.
 *
 * @module
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Canticle } from './assembly/canticle.js';
import { declineUpgrade } from './http/upgrades.js';

export interface CanticleRouterOptions {
  /** The participant whose Ledger API is at the root. By default the first, with the APIs of all below `/participants`. */
  readonly participant?: string;
}

/** The middleware that `canticleRouter` returns, for `app.use` of Express or Connect. */
export type CanticleRouter = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

/** The listener that `canticleUpgrade` returns, for a server's `upgrade` event. */
export type CanticleUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/**
 * Serves everything that a port of the instance serves, below the path of the mount: `app.use('/ledger', canticleRouter(canticle))`. The
 * router answers every request, unknown paths with 404. Routes of `canticle.app` come first.
 *
 * It is best mounted before parsers of bodies. A body that has been read is taken from `request.rawBody`, as it came, or from
 * `request.body`: bytes and texts as they are, what was parsed as JSON or as a form written again. A number beyond 2^53 would not be what
 * was sent: such a body goes to `next` as an error.
 * @throws Error for an unknown participant
 */
export function canticleRouter(
  canticle: Canticle,
  { participant }: CanticleRouterOptions = {},
): CanticleRouter {
  const { httpEntry } = canticle;
  const sites = httpEntry.sites(participant);
  return (request, response, next) => httpEntry.enter(sites, request, response, next);
}

/**
 * For the `upgrade` event of the application's server, without which there are no WebSockets: `server.on('upgrade',
 * canticleUpgrade(canticle, '/ledger'))`. Other listeners get upgrades outside the path. Without other listeners, Node handles them as
 * plain requests.
 * @param path where the router is mounted
 * @throws Error for an unknown participant
 */
export function canticleUpgrade(
  canticle: Canticle,
  path = '/',
  { participant }: CanticleRouterOptions = {},
): CanticleUpgrade {
  const { httpEntry } = canticle;
  const sites = httpEntry.sites(participant);
  const baseUrl = path.replace(/\/+$/, '');
  return (request, socket, head) => {
    const { server } = socket as ServerSocket;
    const { url: originalUrl = '/' } = request;
    const url = below(baseUrl, originalUrl);
    const decline = () => {
      request.url = originalUrl;
      declineUpgrade(server, { request, socket, head });
    };
    if (url !== undefined) {
      // In the form of Express for mounted applications.
      Object.assign(request, { url, baseUrl, originalUrl });
      void httpEntry.upgrade(sites, { request, socket, head }, { decline });
    } else if (server.listenerCount('upgrade') === 1) decline();
  };
}

/** As node:http hands it to its listeners. */
type ServerSocket = Duplex & { readonly server: Server };

/** The target without the path of the mount, which matches as in Express, in upper or lower case. */
function below(path: string, target: string): string | undefined {
  if (target.slice(0, path.length).toLowerCase() !== path.toLowerCase()) return undefined;
  const rest = target.slice(path.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : undefined;
}
