/**
 * Serves an instance at production URLs through MSW. It intercepts fetch, XMLHttpRequest, node:http and the global WebSocket in this
 * process, and opens no port.
 *
 * @module
 */
import { http, HttpResponse, ws, type HttpHandler, type WebSocketHandler } from 'msw';
import type { Canticle } from '../assembly/canticle.js';
import { answerMounted } from './mount/mounted-answer.js';
import { baseUrlOf, mountedPath, type BaseUrl, type MountedUrl } from './mount/mounted-path.js';

export type { MountedUrl };

/** Options of MSW handlers. */
export interface HandlerOptions {
  /**
   * Handling of a request below the base that matches no operation. By default (`fail`) it fails, and the error names the nearest
   * operation. With `answer`, it gets 404, as from the real server.
   */
  readonly unmatched?: 'fail' | 'answer';
}

/**
 * Handlers for `setupServer`, or `server.use`, that answer everything below the base URLs. A base URL may serve one API or all of them:
 * the path selects the API, as on the port of an instance. `onUnhandledRequest` of MSW decides about other requests. WebSockets go the
 * same way where MSW sees them: those of the global class, which Node has from release 22 on. NOTE: to its client a WebSocket is open
 * before it is refused, as MSW opens it: a refusal closes it, with 1006.
 * @param bases such as `https://scan.sv-1.global.canton.network.sync.global/api/scan`, or the URL of a registry with a prefix
 * @throws Error for a URL that is not a base URL, and for an unknown participant
 */
export function canticleHandlers(
  canticle: Canticle,
  bases: MountedUrl | readonly MountedUrl[],
  { unmatched = 'fail' }: HandlerOptions = {},
): (HttpHandler | WebSocketHandler)[] {
  const urls = [bases].flat().map((base) => baseUrlOf(canticle, base as MountedUrl));
  // MSW asks in the order of definition: the longer base is the more specific one.
  urls.sort((left, right) => right.path.length - left.path.length);
  return [
    ...urls.map((base) =>
      http.all(below(base), ({ request }) => answer(canticle, base, unmatched, request)),
    ),
    ...urls.map((base) => webSocketHandler(canticle, base)),
  ];
}

/** The URL without its query, in the form that MSW matches. */
function below({ origin, path }: BaseUrl): RegExp {
  const escaped = (origin + path).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped}(?:/.*)?$`);
}

async function answer(
  canticle: Canticle,
  base: BaseUrl,
  unmatched: 'fail' | 'answer',
  request: Request,
): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const sent = {
    method: request.method.toUpperCase(),
    target: pathname + search,
    headers: Object.fromEntries(request.headers),
    bytes: new Uint8Array(await request.arrayBuffer()),
    signal: request.signal,
  };
  const response = answerMounted(canticle, base, unmatched, sent);
  const { status, headers, body } = await response.catch(asNetworkError);
  return new HttpResponse(body.length === 0 ? null : body, { status, headers });
}

/** MSW passes on an error only if it looks like a network error of Node. It answers 500 for any other. */
function asNetworkError(error: Error): never {
  throw Object.assign(error, { code: 'ERR_CANTICLE', errno: 0 });
}

function webSocketHandler(canticle: Canticle, base: BaseUrl): WebSocketHandler {
  const origin = base.origin.replace(/^http/, 'ws');
  return ws
    .link(below({ ...base, origin }))
    .addEventListener('connection', ({ client, info: { protocols = [] } }) => {
      const { pathname, search } = client.url;
      const { path, root } = mountedPath(canticle, base, 'GET', pathname + search);
      const request = { path, root, protocols: [protocols].flat() };
      const upstream = canticle.webSocket(request, {
        message: (data) => client.send(data),
        close: (code, reason) => client.close(code, reason),
      });
      client.addEventListener('message', ({ data }) => {
        if (typeof data === 'string') upstream.send(data);
        else if ('arrayBuffer' in data)
          void (data as Blob).arrayBuffer().then((bytes) => upstream.send(new Uint8Array(bytes)));
        else upstream.send(new Uint8Array(data as ArrayBuffer));
      });
      client.addEventListener('close', ({ code, reason }) =>
        upstream.close(code === 1000 || code >= 3000 ? code : undefined, reason),
      );
    });
}
