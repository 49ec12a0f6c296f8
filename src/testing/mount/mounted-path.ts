/** Maps a URL of another host to a path of an instance. */
import type { Canticle } from '../../assembly/canticle.js';
import { isDocument } from '../../services/documents.js';
import { withCallerStack } from '../../daml/errors/own-frames.js';

export interface BaseUrl {
  readonly origin: string;
  /** The participant of the Ledger API; the first one by default. */
  readonly participant?: string;
  /** Without a slash at its end: empty for a whole host. */
  readonly path: string;
}

/** A base URL, or the base URL of another participant of the instance. */
export type MountedUrl = string | { readonly url: string; readonly participant: string };

export function baseUrlOf({ participants }: Canticle, mounted: MountedUrl): BaseUrl {
  const { url, participant } =
    typeof mounted === 'string' ? { url: mounted, participant: undefined } : mounted;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw withCallerStack(
      new Error(
        `Failed to mount ${JSON.stringify(url)}: a base URL is like https://scan.example/api/scan.`,
      ),
    );
  const names = participants.map(({ name }) => name);
  if (participant !== undefined && !names.includes(participant))
    throw withCallerStack(
      new Error(
        `Failed to mount ${url}: there is no participant ${participant}, only ${names.join(', ')}.`,
      ),
    );
  const { origin, pathname } = new URL(url);
  return { origin, path: pathname.replace(/\/+$/, ''), participant };
}

export function isUnder({ path }: BaseUrl, target: string): boolean {
  return path === '' || pathOf(target) === path || target.startsWith(`${path}/`);
}

const pathOf = (target: string): string => target.split('?', 1)[0]!;

export interface MountedPath {
  readonly path: string;
  /** The URL that maps to the root of the instance. */
  readonly root: string;
  /** Whether the path is an operation or a document. */
  readonly served: boolean;
}

/** The path that the instance serves: the path itself, or the path without the fewest leading segments of the base. */
export function mountedPath(
  { router }: Canticle,
  base: BaseUrl,
  method: string,
  target: string,
): MountedPath {
  const owner = base.participant === undefined ? '' : `/participants/${base.participant}`;
  const candidates = suffixes(base.path).map((prefix) => ({
    path: prefix + target.slice(base.path.length),
    root: base.origin + base.path.slice(0, base.path.length - prefix.length),
  }));
  const isServed = (path: string): boolean =>
    router.match(method, path).kind !== 'unknown' || isDocument(path);
  const found = candidates.find(({ path }) => isServed(pathOf(path)));
  const meant = found ?? candidates.find(({ path }) => API_PREFIX.test(path)) ?? candidates.at(-1)!;
  return { ...meant, path: owner + meant.path, served: found !== undefined };
}

/** Identifies the API of an unknown path. */
const API_PREFIX = /^\/(api\/(scan|validator)|registry|canticle)\//;

/** `/a/b` → `/a/b`, `/b`, and the empty one. */
function suffixes(path: string): string[] {
  const segments = path.split('/').slice(1);
  return [...segments.map((_, index) => `/${segments.slice(index).join('/')}`), ''];
}
