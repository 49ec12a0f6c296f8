/**
 * The access of a browser's pages. A browser lets any page send simple requests to any host and open WebSockets
 * anywhere. With DNS rebinding, this machine can become a page's own host. So controls and streams check the
 * headers that state a page's origin. They, Scan and the registry also check the host name of the request. A
 * request without these headers does not come from a page. Scan, the registry and a validator answer pages of any
 * origin, as the real ones do. The Ledger API answers any caller, as a participant's does, and lets the pages of
 * allowed origins read its answers.
 */
import type { Api } from '../../spec/api.js';

type HeaderOf = (name: string) => string | undefined;

/** Addresses, and names that public name servers cannot resolve: names of this machine, or of a container's network. */
const OF_NO_SITE =
  /^(?:[\w-]{1,63}|.{1,240}\.localhost|.{1,240}\.internal|\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]{2,45}\])$/i;
const LOOPBACK = /^(?:localhost|.{1,240}\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

export class PageGuard {
  private readonly origins: ReadonlySet<string>;
  private readonly hosts: ReadonlySet<string>;

  /** @param allowed origins, such as `https://wallet.example`, or `*` for all */
  constructor(allowed: readonly string[]) {
    this.origins = new Set(allowed.map((origin) => origin.replace(/\/$/, '').toLowerCase()));
    this.hosts = new Set([...this.origins].flatMap((origin) => urlOf(origin)?.hostname ?? []));
  }

  /** The reason for not answering; undefined if it answers. */
  refusal(api: Api, header: HeaderOf): string | undefined {
    if (api !== 'control' && api !== 'scan' && api !== 'registry') return undefined;
    return (
      this.hostRefusal(header) ??
      (api === 'control' ? this.originRefusal(header, false) : undefined)
    );
  }

  /** The same of a WebSocket. NOTE: a participant opens it for any page. */
  streamRefusal(header: HeaderOf): string | undefined {
    if (header('origin') === undefined) return undefined;
    return this.hostRefusal(header) ?? this.originRefusal(header, true);
  }

  /**
   * The same for requests through a proxy.
   * @param addsCredentials whether it leaves with more rights than it came with
   */
  proxyRefusal(header: HeaderOf, addsCredentials: boolean): string | undefined {
    return this.hostRefusal(header) ?? this.originRefusal(header, !addsCredentials);
  }

  /** Whether a page from there may read answers of the API. */
  isShared(api: Api, origin: string): boolean {
    return (api !== 'control' && api !== 'ledger') || this.isAllowed(origin);
  }

  /** Whether the origin is local or allowed. */
  isFamiliar(origin: string): boolean {
    return this.isAllowed(origin) || LOOPBACK.test(urlOf(origin)?.hostname ?? '');
  }

  /** The hint for a page that is not allowed. */
  toAllow(origin: string): string {
    return `Pages from '${origin}' may not ask this. Allow them: --allow-origin ${origin}, or the option allowOrigins.`;
  }

  private isAllowed(origin: string): boolean {
    return this.origins.has('*') || this.origins.has(origin.toLowerCase());
  }

  private hostRefusal(header: HeaderOf): string | undefined {
    const host = header('host');
    if (host === undefined || this.origins.has('*')) return undefined;
    const hostname = urlOf(`http://${host}`)?.hostname ?? '';
    if (OF_NO_SITE.test(hostname) || this.hosts.has(hostname)) return undefined;
    return `The host '${host}' is not one of this machine. Allow it: --allow-origin http://${host}, or the option allowOrigins.`;
  }

  /** @param isLocalFree whether pages of this machine are allowed too */
  private originRefusal(header: HeaderOf, isLocalFree: boolean): string | undefined {
    const origin = header('origin');
    if (origin === undefined || this.isAllowed(origin)) return undefined;
    const url = urlOf(origin);
    if (url !== undefined && url.host === header('host')?.toLowerCase()) return undefined;
    if (isLocalFree && url !== undefined && LOOPBACK.test(url.hostname)) return undefined;
    return this.toAllow(origin);
  }
}

function urlOf(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
