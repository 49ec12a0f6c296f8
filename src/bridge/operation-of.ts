/** Finds the operation of an exchange from its path, or from the end of the path if the API has a path prefix. */
import type { Api } from '../spec/api.js';
import type { Operation } from '../spec/operations.js';
import { channels } from '../spec/channels.js';
import type { Router } from '../http/routing/router.js';

export interface KnownCall {
  readonly api: Api;
  /** Undefined for an unknown path or method. */
  readonly operation: Operation | undefined;
  /** The path and query, without the prefix of the API. */
  readonly target: string;
}

/** Path prefixes of APIs. A path with such a prefix belongs to an API even if it is unknown. */
const OF_AN_API = /^\/(?:v2|api\/scan|api\/validator|api\/sv|registry)\//;
const MAX_PREFIX = 6;

/** Undefined for a path outside all APIs. @param url the absolute URL */
export function callOf(
  router: Router,
  method: string,
  url: string,
  isStream = false,
): KnownCall | undefined {
  const { pathname, search } = new URL(url);
  const segments = pathname.split('/').slice(1);
  const candidates = segments
    .slice(0, MAX_PREFIX)
    .map((_, index) => `/${segments.slice(index).join('/')}`);
  for (const path of candidates) {
    const found = router.match(isStream ? 'POST' : method, path);
    if (found.kind !== 'operation') continue;
    const { api, operation } = found;
    if (isStream && !channels(router.apiVersion).some((each) => each.path === operation.path))
      continue;
    return { api, operation, target: path + search };
  }
  const path = candidates.find((each) => OF_AN_API.test(each));
  if (path === undefined) return undefined;
  return { api: router.match(method, path).api, operation: undefined, target: path + search };
}
