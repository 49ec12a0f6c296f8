/**
 * Requests without a port, in the web's classes, for MSW, service workers and servers of Bun, Deno and Hono.
 * NOTE: the texts are Canticle's, because only code in this process reads them.
 */
import type { InProcess } from './in-process.js';
import { bytesOf } from '../body.js';
import type { LocalAnswer } from './local-request.js';
import { withCallerStack } from '../../daml/errors/own-frames.js';
import { isBytes } from '../../daml/errors/realms.js';
import { nodeGlobals } from '../../spec/loading/node-realm.js';

/**
 * Answers as `fetch` does.
 * @throws TypeError if the request's body was already read, or the connection ends before the answer
 */
export async function answerFetch(inProcess: InProcess, request: Request): Promise<Response> {
  requireUnread(request);
  const { origin, pathname, search } = new URL(request.url);
  const answer = inProcess.answer({
    method: request.method.toUpperCase(),
    target: pathname + search,
    root: origin,
    headers: [...request.headers],
    body: request.body ?? undefined,
    signal: request.signal,
  });
  return responseOf(await answer.catch(asFetch));
}

/** For a broken connection, fetch only reports that it failed. */
function asFetch(cause: NodeJS.ErrnoException): never {
  throw cause.code === 'ECONNRESET' ? new TypeError('fetch failed', { cause }) : cause;
}

function requireUnread(request: Request): void {
  if (typeof (request as Partial<Request> | undefined)?.url !== 'string')
    throw withCallerStack(
      new TypeError(
        'Failed to answer: canticle.fetch takes a Request, such as new Request(`http://localhost/v2/version`).',
      ),
    );
  if (request.bodyUsed)
    throw withCallerStack(
      new TypeError(
        `Failed to answer ${request.method} ${request.url}: its body has been read. Hand in a clone that was made before that: request.clone().`,
      ),
    );
}

/** Answers with these statuses may not have a body, not even an empty one. */
const BARE = [204, 205, 304];

function responseOf({ status, headers, body }: LocalAnswer): Response {
  // A response adds its own header for a text.
  const given = bytesOf(body);
  const isBare = BARE.includes(status) || (isBytes(given) && given.length === 0);
  // The code that is tested may look at the class that its environment has.
  const { Headers, Response } = 'Response' in globalThis ? globalThis : nodeGlobals;
  const named = new Headers();
  // Several cookies stay separate.
  for (const [name, value] of headers) named.append(name, value);
  return new Response(isBare ? null : given, { status, headers: named });
}
