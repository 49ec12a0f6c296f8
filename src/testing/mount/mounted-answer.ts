/** Answers requests to a mounted base URL in this process, and reports unknown operations. */
import type { Canticle } from '../../assembly/canticle.js';
import type { JournalEntry } from '../../services/request-journal.js';
import { mountedPath, type BaseUrl } from './mounted-path.js';

/** Handles a request that matches no operation: see the options of the mounts. */
export type Unmatched = 'fail' | 'answer';

/** As it was sent. */
export interface SentRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
  readonly signal?: AbortSignal;
}

/** If no operation matches, rejects with an error that names the nearest one, unless the request is answered anyway. */
export async function answerMounted(
  canticle: Canticle,
  base: BaseUrl,
  unmatched: Unmatched,
  { method, target, headers, bytes, signal }: SentRequest,
): ReturnType<Canticle['handle']> {
  const { path, root, served } = mountedPath(canticle, base, method, target);
  const mayFail = !served && method !== 'OPTIONS' && unmatched === 'fail';
  const since = mayFail ? (canticle.requests.list().at(-1)?.id ?? 0) + 1 : undefined;
  const body = bytes.length === 0 ? undefined : bytes;
  const answered = await canticle.handle({ method, path, headers, body, root, signal });
  // Without an operation, the issuer or a route of the application may have answered.
  const entry =
    since === undefined
      ? undefined
      : canticle.requests
          .list({ outcome: 'unmatched', since })
          .find((each) => each.method === method && path.endsWith(each.path));
  if (entry !== undefined) throw unmatchedError(entry, base.origin + target);
  return answered;
}

function unmatchedError({ method, explanation = '' }: JournalEntry, url: string): Error {
  return new Error(
    `Failed to answer ${method} ${url}: Canticle has no such operation. ${explanation} The option unmatched: 'answer' answers 404 instead.`,
  );
}
