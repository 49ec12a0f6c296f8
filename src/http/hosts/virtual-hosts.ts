/**
 * A port that selects services by the Host header, as the nginx in front of a LocalNet does. It matches the name
 * first, then the longest path among the name's routes. An unknown host gets the port's first entry. A request
 * without a route gets nginx's answer.
 * NOTE: nginx is not part of this simulator, so its error pages are shorter here.
 */
import type { WireAnswer } from '../answers.js';
import type { Service } from '../routing/service.js';
import type { OverHttp2 } from '../both-versions.js';
import type { Located, Place, RequestHead, Site } from '../sites.js';
import { ConnectionCount } from './connection-count.js';

export interface VirtualHost {
  /** In lower case, without a port. */
  readonly names: readonly string[];
  readonly routes: readonly Route[];
}

export interface Route {
  /** The prefix of the request's path, or the whole path if the match is exact. */
  readonly path: string;
  readonly isExact?: boolean;
  readonly to: Target | Page | 'status' | 'bad gateway';
}

interface Target {
  readonly site: Site;
  readonly service: Service;
  /** Whether pages of any origin may read the answers: nginx's `add_header`, for successful answers. */
  readonly isOpenToPages?: boolean;
  /** Whether the proxy itself answers OPTIONS. */
  readonly answersOptions?: boolean;
}

/** A page for people, in place of those that are not served. */
interface Page {
  /** A sentence of HTML. */
  readonly page: string;
}

/** nginx's default limit of a request body, in bytes. */
const MAX_BODY_BYTES = 1024 * 1024;
/** Only for these statuses: `add_header` without `always`. */
const DRESSED = new Set([200, 201, 204, 206, 301, 302, 303, 304, 307, 308]);
const PAGE_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': 'Origin, Content-Type, Accept',
};

export class VirtualHosts implements Place {
  private readonly count = new ConnectionCount();

  /** @param hosts the first is the default for unknown names @param overHttp2 where connections of HTTP/2 go */
  constructor(
    private readonly hosts: readonly VirtualHost[],
    readonly overHttp2?: OverHttp2,
  ) {}

  locate(target: string, head: RequestHead): Located | { readonly answer: WireAnswer } {
    this.count.requests += 1;
    const path = target.replace(/\?.*$/, '');
    const to = this.routeAt(hostname(head.header('host')), path)?.to;
    if (to === undefined) return { answer: refused(404, 'Not Found') };
    if (to === 'bad gateway') return { answer: refused(502, 'Bad Gateway') };
    if (to === 'status') return { answer: plain(this.count.text) };
    if ('page' in to) return { answer: html(200, `<p>${to.page}</p>`) };
    if (Number(head.header('content-length')) > MAX_BODY_BYTES)
      return { answer: refused(413, 'Request Entity Too Large') };
    if (to.answersOptions && head.method === 'OPTIONS') return { answer: preflight(head) };
    const { site, service, isOpenToPages = false } = to;
    return { site, target, service, added: (status) => added(isOpenToPages, status) };
  }

  connected(): () => void {
    return this.count.connected();
  }

  /** Streams are those of the participants' own ports. */
  closeStreams(): Promise<void> {
    return Promise.resolve();
  }

  private routeAt(name: string, path: string): Route | undefined {
    const host = this.hosts.find(({ names }) => names.includes(name)) ?? this.hosts[0]!;
    return host.routes
      .filter((route) => (route.isExact ? path === route.path : path.startsWith(route.path)))
      .sort(
        (a, b) => Number(b.isExact ?? 0) - Number(a.isExact ?? 0) || b.path.length - a.path.length,
      )[0];
  }
}

/** As nginx compares it: without a port or a dot at its end, in lower case. */
function hostname(host = ''): string {
  return host.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase();
}

function added(isOpenToPages: boolean, status: number): WireAnswer['headers'] {
  return isOpenToPages && DRESSED.has(status) ? PAGE_HEADERS : {};
}

function preflight(head: RequestHead): WireAnswer {
  return {
    status: 204,
    headers: {
      'access-control-allow-origin': head.header('origin') ?? '',
      'access-control-allow-methods': 'GET, POST, OPTIONS, PUT, DELETE',
      'access-control-allow-headers': '*',
      'access-control-max-age': '1728000',
    },
  };
}

const plain = (body: string): WireAnswer => ({
  status: 200,
  headers: { 'content-type': 'text/plain' },
  body,
});

const refused = (status: number, text: string): WireAnswer =>
  html(status, `<h1>${status} ${text}</h1>`);

const html = (status: number, body: string): WireAnswer => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: `<!doctype html><html><body>${body}</body></html>\n`,
});
