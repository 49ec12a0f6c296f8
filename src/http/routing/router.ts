/**
 * Finds the operation for a method and a path. The operation table is the only registry: each API is mounted at its
 * base path, the registry under further prefixes as well. Only the path is matched; any host is accepted.
 */
import type { Api } from '../../spec/api.js';
import { APIS } from '../../spec/apis.js';
import { servedOperations, type Operation } from '../../spec/operations.js';
import { accessOf, type Access } from '../../services/authorization/splice-access.js';
import { decodedSegment, withoutDots, withoutEmptySegments } from './paths.js';
import { cantonIn, type SpokenReleases } from '../../spec/splice/spoken.js';
import type { ApiVersion } from '../../spec/versions.js';

export interface RouterOptions extends SpokenReleases {
  /** The prefix of the Ledger API's paths, with or without slashes at its ends (B-GEN-008). */
  readonly ledgerPathPrefix?: string;
  /** The prefixes of the registry's paths in addition to the root. */
  readonly registryPrefixes?: readonly string[];
  /** Whether the participant has traffic accounts. Without them, the paths of their operations are unknown (B-TRF-009). */
  readonly hasTrafficAccounts?: boolean;
}

export interface Match {
  readonly kind: 'operation';
  readonly api: Api;
  readonly operation: Operation;
  readonly path: Readonly<Record<string, string>>;
  /** The access that an app of Splice requires there; absent if it is open, and on the Ledger API. */
  readonly access: Access | undefined;
}

export type Routing =
  | Match
  /** There is something at that path, for these other methods. */
  | { readonly kind: 'wrongMethod'; readonly api: Api; readonly allowed: readonly string[] }
  | { readonly kind: 'unknown'; readonly api: Api }
  /** The path or the query has characters that need percent-encoding, or an invalid encoding. */
  | { readonly kind: 'malformed'; readonly api: Api };

interface Leaf {
  readonly operation: Operation;
  readonly parameters: readonly string[];
  readonly access: Access | undefined;
}

interface Node {
  readonly children: Map<string, Node>;
  parameter?: Node;
  readonly leaves: Map<string, Leaf>;
}

/** RFC 3986: the legal characters of a path or a query. Both servers are strict about it. */
const LEGAL_TARGET = /^(?:[\w\-.~!$&'()*+,;=:@/?]|%[0-9a-f]{2})*$/i;

/**
 * The validator has two of the registry's documents in its proxy, but no way to them (V-PRX-001). It does not know those of the
 * previews.
 */
const isProxied = ({ path }: Operation): boolean =>
  !/^\/registry\/(?:(?:transfer|allocation)-instruction\/v2|traffic-purchase|conditional-lock)\//.test(
    path,
  );

const isOfAccounts = ({ api, path }: Operation): boolean =>
  api === 'ledger' && path.startsWith('/v2/traffic/');

const newNode = (): Node => ({ children: new Map(), leaves: new Map() });
const SCAN_PROXY = '/api/validator/v0/scan-proxy';

/** The limit of cached mountings: a process has one or two. */
const MAX_ROUTERS = 16;
const routers = new Map<string, Router>();

/** The router of these mounts. It never changes once it is made, so all instances of a process share it. */
export function routerOf(options: RouterOptions = {}): Router {
  const { ledgerPathPrefix, registryPrefixes, hasTrafficAccounts = false } = options;
  const of = [ledgerPathPrefix, registryPrefixes, spokenOf(options), hasTrafficAccounts];
  const key = JSON.stringify(of);
  const known = routers.get(key);
  if (known !== undefined) return known;
  const made = new Router(options);
  if (routers.size < MAX_ROUTERS) routers.set(key, made);
  return made;
}

export type { Router };

const spokenOf = ({
  apiVersion,
  spliceVersion,
  validatorVersion,
  registryPreviews,
}: SpokenReleases): SpokenReleases => ({
  apiVersion,
  spliceVersion,
  validatorVersion,
  registryPreviews,
});

/** An API at its path. Its operations are routed at the first request below it. */
interface Mount {
  readonly api: Api;
  readonly prefix: string;
  readonly addAll: () => void;
}

const isBelow = (pathname: string, { prefix }: Mount): boolean =>
  pathname.startsWith(prefix) &&
  (pathname.length === prefix.length || pathname[prefix.length] === '/');

class Router {
  private readonly root = newNode();
  /** The release of the Ledger API at its paths. */
  readonly apiVersion: ApiVersion;
  /** The releases of all APIs at its paths. */
  readonly spoken: SpokenReleases;
  readonly ledgerPrefix: string;
  /** Earlier matches without path parameters, by method and target: at most one for each operation. */
  private readonly fixed = new Map<string, Map<string, Match>>();
  private readonly mounts: Mount[] = [];
  /** The mounts whose operations have no routes yet. */
  private readonly unasked: Set<Mount>;

  constructor({
    ledgerPathPrefix = '',
    registryPrefixes = [],
    hasTrafficAccounts = false,
    ...releases
  }: RouterOptions = {}) {
    this.spoken = spokenOf(releases);
    this.apiVersion = cantonIn(releases);
    this.ledgerPrefix = normalized(ledgerPathPrefix);
    const prefixes: [Api, string][] = [
      ['scan', APIS.scan.basePath],
      ['validator', APIS.validator.basePath],
      ['wallet', APIS.wallet.basePath],
      ['names', APIS.names.basePath],
      ['sv', APIS.sv.basePath],
      ['control', APIS.control.basePath],
      ...['', SCAN_PROXY, ...registryPrefixes].map((each): [Api, string] => [
        'registry',
        normalized(each),
      ]),
      ['ledger', this.ledgerPrefix],
    ];
    for (const [api, prefix] of prefixes)
      this.mounts.push({
        api,
        prefix: api === 'registry' ? `${prefix}/registry` : prefix,
        addAll: () => {
          for (const operation of servedOperations(api, this.spoken))
            if (
              (prefix !== SCAN_PROXY || isProxied(operation)) &&
              (hasTrafficAccounts || !isOfAccounts(operation))
            )
              this.add(prefix + operation.path, operation);
        },
      });
    this.mounts.sort((a, b) => b.prefix.length - a.prefix.length);
    this.unasked = new Set(this.mounts);
  }

  /** @param target the path, and the query that may come with it */
  match(method: string, target: string): Routing {
    const known = this.fixed.get(method)?.get(target);
    if (known !== undefined) return known;
    const mark = target.indexOf('?');
    const pathname = withoutDots(mark < 0 ? target : target.slice(0, mark));
    if (!LEGAL_TARGET.test(target)) return { kind: 'malformed', api: this.apiAt(pathname) };
    const routing = this.matchExactly(method, pathname);
    if (routing.kind === 'operation' && mark < 0 && !routing.operation.path.includes('{')) {
      let targets = this.fixed.get(method);
      if (targets === undefined) this.fixed.set(method, (targets = new Map<string, Match>()));
      targets.set(target, routing);
    }
    if (routing.kind !== 'unknown' || !pathname.includes('//')) return routing;
    const collapsed = this.matchExactly(method, withoutEmptySegments(pathname));
    return collapsed.api === 'ledger' ? collapsed : routing;
  }

  private matchExactly(method: string, pathname: string): Routing {
    for (const mount of this.unasked)
      if (isBelow(pathname, mount)) {
        this.unasked.delete(mount);
        mount.addAll();
      }
    const segments = pathname.slice(1).split('/');
    const values: string[] = [];
    // A HEAD is answered from the GET (B-GEN-011).
    const routedMethod = method === 'HEAD' ? 'GET' : method;
    // A literal segment that only other methods use gives way to a parameter (B-GEN-058).
    const node =
      this.find(this.root, segments, 0, values, routedMethod) ??
      this.find(this.root, segments, 0, values, undefined);
    const leaf = node?.leaves.get(routedMethod);
    if (leaf === undefined) {
      const [other] = node?.leaves.values() ?? [];
      if (node === undefined || other === undefined)
        return { kind: 'unknown', api: this.apiAt(pathname) };
      return {
        kind: 'wrongMethod',
        api: other.operation.api,
        allowed: [...node.leaves.keys()].sort(),
      };
    }
    const path: Record<string, string> = {};
    for (const [index, name] of leaf.parameters.entries())
      path[name] = decodedSegment(values[index] ?? '');
    const { operation, access } = leaf;
    return { kind: 'operation', api: operation.api, operation, path, access };
  }

  /** A path without the Ledger API's prefix; undefined for a path of that API that lacks it. */
  withoutPrefix(api: Api, pathname: string): string | undefined {
    if (api !== 'ledger') return pathname;
    return pathname.startsWith(this.ledgerPrefix)
      ? pathname.slice(this.ledgerPrefix.length)
      : undefined;
  }

  /** The API that sets the format of the answer for a path. */
  private apiAt(pathname: string): Api {
    const mount = this.mounts.find((each) => isBelow(pathname, each));
    return mount?.api ?? 'ledger';
  }

  private add(path: string, operation: Operation): void {
    const parameters: string[] = [];
    let node = this.root;
    for (const segment of path.slice(1).split('/')) {
      if (segment.startsWith('{')) {
        parameters.push(segment.slice(1, -1));
        node = node.parameter ??= newNode();
      } else {
        let child = node.children.get(segment);
        if (child === undefined) node.children.set(segment, (child = newNode()));
        node = child;
      }
    }
    const method = operation.method.toUpperCase();
    const taken = node.leaves.get(method);
    if (taken !== undefined)
      throw new Error(
        `Failed to route ${operation.operationId}: ${taken.operation.operationId} has ${method} ${path}.`,
      );
    node.leaves.set(method, {
      operation,
      parameters,
      access: accessOf(operation, path.startsWith(`${SCAN_PROXY}/`)),
    });
  }

  private find(
    node: Node,
    segments: readonly string[],
    at: number,
    values: string[],
    method: string | undefined,
  ): Node | undefined {
    const segment = segments[at];
    if (segment === undefined) return hasLeaf(node, method) ? node : undefined;
    const child = node.children.get(decodedSegment(segment));
    const found = child && this.find(child, segments, at + 1, values, method);
    if (found !== undefined) return found;
    // A slash at the end is not an empty name: the Ledger API answers from the collection (B-GEN-042).
    if (segment === '')
      return at === segments.length - 1 && hasLeaf(node, method)
        ? ledgerCollection(node)
        : undefined;
    if (node.parameter === undefined) return undefined;
    const length = values.length;
    values.push(segment);
    const below = this.find(node.parameter, segments, at + 1, values, method);
    if (below === undefined) values.length = length;
    return below;
  }
}

/** @param method undefined for any */
function hasLeaf({ leaves }: Node, method: string | undefined): boolean {
  return method === undefined ? leaves.size > 0 : leaves.has(method);
}

function ledgerCollection(node: Node): Node | undefined {
  const [leaf] = node.leaves.values();
  return leaf?.operation.api === 'ledger' ? node : undefined;
}

function normalized(prefix: string): string {
  const inner = prefix.replace(/^\/+|\/+$/g, '');
  return inner === '' ? '' : `/${inner}`;
}
