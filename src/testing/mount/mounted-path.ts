/** Which path of an instance a URL stands for, when a client believes to talk to a host of its own. */
import type { Canticle } from '../../assembly/canticle.js';
import { documentAt } from '../../services/documents.js';

export interface BaseUrl {
  readonly origin: string;
  /** Whose Ledger API it is; the first one's where absent. */
  readonly participant?: string;
  /** Without a slash at its end: empty for a whole host. */
  readonly path: string;
}

/** A base URL, or one that stands for a further participant of the instance. */
export type MountedUrl = string | { readonly url: string; readonly participant: string };

export function baseUrlOf({ participants }: Canticle, mounted: MountedUrl): BaseUrl {
  const { url, participant } =
    typeof mounted === 'string' ? { url: mounted, participant: undefined } : mounted;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new Error(
      `Failed to mount ${JSON.stringify(url)}: a base URL is like https://scan.example/api/scan.`,
    );
  const names = participants.map(({ name }) => name);
  if (participant !== undefined && !names.includes(participant))
    throw new Error(
      `Failed to mount ${url}: there is no participant ${participant}, only ${names.join(', ')}.`,
    );
  const { origin, pathname } = new URL(url);
  return { origin, path: pathname.replace(/\/+$/, ''), participant };
}

export function isUnder({ path }: BaseUrl, target: string): boolean {
  return path === '' || pathOf(target) === path || target.startsWith(`${path}/`);
}

const pathOf = (target: string): string => target.split('?', 1)[0]!;

/**
 * Where the instance serves what was asked for: the path as it stands, or without as few of the base's leading segments as
 * it takes. `undefined` inside `served` where nothing is served there.
 */
export function mountedPath(
  { router }: Canticle,
  base: BaseUrl,
  method: string,
  target: string,
): { readonly path: string; readonly served: boolean } {
  const owner = base.participant === undefined ? '' : `/participants/${base.participant}`;
  const candidates = suffixes(base.path).map((prefix) => prefix + target.slice(base.path.length));
  for (const path of candidates) {
    const found = router.match(method, pathOf(path));
    if (found.kind !== 'unknown' || documentAt(pathOf(path), router.apiVersion) !== undefined)
      return { path: owner + path, served: true };
  }
  const ofAnApi = candidates.find((path) => API_PREFIX.test(path));
  return { path: owner + (ofAnApi ?? candidates.at(-1)!), served: false };
}

/** What tells the API of a path that leads nowhere. */
const API_PREFIX = /^\/(api\/(scan|validator)|registry|canticle)\//;

/** `/a/b` → `/a/b`, `/b`, and the empty one. */
function suffixes(path: string): string[] {
  const segments = path.split('/').slice(1);
  return [...segments.map((_, index) => `/${segments.slice(index).join('/')}`), ''];
}
