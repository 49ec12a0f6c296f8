/** Which operation an exchange is of: by its path, or by the end of it, where an API stands below a path of its own. */
import type { Api } from '../spec/api.js';
import type { Operation } from '../spec/operations.js';
import { channels } from '../spec/channels.js';
import type { Router } from '../http/routing/router.js';

export interface Asked {
  readonly api: Api;
  /** Undefined where there is none: a path that leads nowhere, another method. */
  readonly operation: Operation | undefined;
  /** Path and query, from where the API stands. */
  readonly target: string;
}

/** Paths of these are some API's, whether something is there or not. */
const OF_AN_API = /^\/(?:v2|api\/scan|api\/validator|api\/sv|registry)\//;
const MAX_PREFIX = 6;

/** Undefined for what is of no API. @param url absolute */
export function askedOf(
  router: Router,
  method: string,
  url: string,
  isStream = false,
): Asked | undefined {
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
