/**
 * Serves an instance at production URLs through nock, in this process. It opens no port.
 *
 * @module
 */
import type { ClientRequest } from 'node:http';
import imported from 'nock';
import type { Canticle } from '../assembly/canticle.js';
import { answerMounted, type SentRequest } from './mount/mounted-answer.js';
import { baseUrlOf, isUnder, type BaseUrl, type MountedUrl } from './mount/mounted-path.js';
import { withCallerStack } from '../daml/errors/own-frames.js';

export type { MountedUrl };

/**
 * Jest on Node 24 requires nock 15, an ES module, without the marker that separates the default export from the module.
 */
const nock: typeof imported = 'default' in imported ? (imported.default as never) : imported;

/** Options of a mount. */
export interface MountOptions {
  /** Whether requests to other hosts than the mounted ones fail; loopback stays open. False by default. */
  readonly onlyMounted?: boolean;
  /**
   * Handling of a request below the base that matches no operation. By default (`fail`) it fails, and the error names the nearest
   * operation. With `answer`, it gets 404, as from the real server.
   */
  readonly unmatched?: 'fail' | 'answer';
}

/** An active mount. */
export interface Mount {
  /** Removes the base URLs; other interceptors of nock stay. After `onlyMounted`, nock allows network access again. */
  remove(): void;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[?::1\]?)(:\d+)?$/;

/**
 * Answers everything below the base URLs. A base URL may serve one API or all of them: the path selects the API, as on the port of an
 * instance.
 * @param bases such as `https://scan.sv-1.global.canton.network.sync.global/api/scan`, or the URL of a registry with a prefix
 * @throws Error for a URL that is not a base URL, and for an unknown participant
 */
export function mountCanticle(
  canticle: Canticle,
  bases: MountedUrl | readonly MountedUrl[],
  options: MountOptions = {},
): Mount {
  requireRunningNock();
  const urls = [bases].flat().map((base) => baseUrlOf(canticle, base as MountedUrl));
  // nock asks in the order of definition: the longer base is the more specific one.
  urls.sort((left, right) => right.path.length - left.path.length);
  const scopes = urls.map((base) => intercept(canticle, base, options));
  activate();
  if (options.onlyMounted) {
    nock.disableNetConnect();
    nock.enableNetConnect((host) => LOOPBACK.test(host));
  }
  let isMounted = true;
  return {
    remove() {
      if (!isMounted) return;
      isMounted = false;
      for (const interceptor of scopes.flat()) nock.removeInterceptor(interceptor);
      if (options.onlyMounted) nock.enableNetConnect();
      deactivate();
    },
  };
}

let mounts = 0;
let isActivatedHere = false;

function activate(): void {
  mounts += 1;
  if (nock.isActive()) return;
  nock.activate();
  isActivatedHere = true;
}

/** If nock was inactive before the first mount, it is inactive after the last one. */
function deactivate(): void {
  mounts -= 1;
  if (mounts > 0 || !isActivatedHere) return;
  nock.restore();
  isActivatedHere = false;
}

/** The interceptor of nock 15 needs a later Node than nock declares, and fails only at the first request. */
function requireRunningNock(): void {
  if ('getGetRequestBody' in nock && !('withResolvers' in Promise))
    throw withCallerStack(
      new Error(
        `Failed to mount: nock 15 does not run on Node ${process.versions.node}. Install nock@14, or run Node 22 (in jest, Node 24.9).`,
      ),
    );
}

function intercept(
  canticle: Canticle,
  base: BaseUrl,
  options: MountOptions,
): imported.Interceptor[] {
  // Other requests pass through. After the mount is removed, all requests pass through.
  const scope = nock(base.origin, { allowUnmocked: !options.onlyMounted }).persist();
  scope.on('request', hideContentType);
  return METHODS.map((method) => {
    const interceptor = scope.intercept((target) => isUnder(base, target), method);
    interceptor.reply(async function (given: unknown) {
      const sent = isFetchRequest(given)
        ? await fromFetch(given)
        : fromClient(given as string, this.req as InterceptedRequest);
      const { unmatched = 'fail' } = options;
      const answered = await answerMounted(canticle, base, unmatched, { ...sent, method });
      return [answered.status, answered.body, { ...answered.headers }] as const;
    });
    return interceptor;
  });
}

/** nock 14 passes the request of node:http. */
type InterceptedRequest = ClientRequest & {
  headers: Record<string, string | readonly string[]>;
  readonly requestBodyBuffers?: readonly Uint8Array[];
  sentHeaders?: Record<string, string | readonly string[]>;
};

function fromClient(target: string, request: InterceptedRequest): Omit<SentRequest, 'method'> {
  const sent = request.sentHeaders ?? request.headers;
  const headers = Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [name, [value].flat().join(', ')]),
  );
  return { target, headers, bytes: Buffer.concat(request.requestBodyBuffers ?? []) };
}

/** nock 15 passes a fetch request, for all clients. */
async function fromFetch(request: Request): Promise<Omit<SentRequest, 'method'>> {
  const { pathname, search } = new URL(request.url);
  const bytes = new Uint8Array(await request.clone().arrayBuffer());
  return { target: pathname + search, headers: Object.fromEntries(request.headers), bytes };
}

function isFetchRequest(request: unknown): request is Request {
  return typeof (request as Partial<Request>).arrayBuffer === 'function';
}

/** nock 14 parses bodies with a JSON content type, and ends the process if they are not JSON. So it gets no content type. */
function hideContentType(request: InterceptedRequest | Request): void {
  if (isFetchRequest(request)) return;
  request.sentHeaders = request.headers;
  request.headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => name.toLowerCase() !== 'content-type'),
  );
}

// The changes that nock makes to node:http outlive a test file of jest, and the next test file would apply them again.
const { afterAll } = globalThis as { afterAll?: (action: () => void) => void };
try {
  afterAll?.(() => nock.restore());
} catch {
  // Imported inside a test, where hooks cannot be added.
}
