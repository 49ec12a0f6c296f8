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
  /** Whose Ledger API stands at the root; that of the first, with those of all below `/participants`, by default. */
  readonly participant?: string;
}

/** What `app.use` takes of `canticleRouter`: middleware of Express or Connect. */
export type CanticleRouter = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

/** What a server's event `upgrade` takes, of `canticleUpgrade`. */
export type CanticleUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/**
 * Everything that a port of the instance answers, below the path where it is mounted: `app.use('/ledger', canticleRouter(canticle))`.
 * It answers whatever comes to it, with 404 where nothing is; what was added to `canticle.app` stands before it.
 *
 * It is best mounted before parsers of bodies. A body that has been read is taken from `request.rawBody`, as it came, or from
 * `request.body`: bytes and texts as they are, what was parsed as JSON or as a form written again. A number beyond 2^53 would not
 * be what was sent: such a body goes to `next` as an error.
 * @throws Error for a participant that there is not
 */
export function canticleRouter(
  canticle: Canticle,
  { participant }: CanticleRouterOptions = {},
): CanticleRouter {
  const { door } = canticle;
  const sites = door.sites(participant);
  return (request, response, next) => door.enter(sites, request, response, next);
}

/**
 * For the `upgrade` event of the application's server, without which there are no WebSockets:
 * `server.on('upgrade', canticleUpgrade(canticle, '/ledger'))`. What is not below the path is left to other listeners; where there
 * are none, it goes on as a plain request.
 * @param path where the router is mounted
 * @throws Error for a participant that there is not
 */
export function canticleUpgrade(
  canticle: Canticle,
  path = '/',
  { participant }: CanticleRouterOptions = {},
): CanticleUpgrade {
  const { door } = canticle;
  const sites = door.sites(participant);
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
      // As Express has it for what is mounted.
      Object.assign(request, { url, baseUrl, originalUrl });
      void door.upgrade(sites, { request, socket, head }, { decline });
    } else if (server.listenerCount('upgrade') === 1) decline();
  };
}

/** As node:http hands it to its listeners. */
type ServerSocket = Duplex & { readonly server: Server };

/** What is left of a target behind the path of the mount, which is taken as Express takes it, whatever its case. */
function below(path: string, target: string): string | undefined {
  if (target.slice(0, path.length).toLowerCase() !== path.toLowerCase()) return undefined;
  const rest = target.slice(path.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : undefined;
}
