/**
 * A client for tests over real HTTP: starts a Canticle on a free port, sends requests, and checks each answer
 * against its schema and each error against its code's category. An internal error fails the test that caused it.
 * Suites with thousands of messages send them without a port, in 50% of the time: `test/http/entry-points` checks that the
 * answers are equal.
 */
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import {
  type Canticle,
  createCanticle,
  type JournalEntry,
  startCanticle,
  type StartOptions,
} from 'canticle';
import { routerOf, type Router } from '../../src/http/index.js';
import { type Api, APIS } from '../../src/spec/index.js';
import { expectCategory, isRefusal } from './error-categories.js';
import { expectValid } from './validate.js';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Parsed JSON, text, or bytes, by its content type. */

  readonly body: any;
}

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
}

export class TestClient {
  private readonly agent = new Agent({ keepAlive: true });
  private readonly router: Router;
  /** The newest entry at the last read of the journal. */
  private newest: JournalEntry | undefined;

  constructor(
    readonly canticle: Canticle,
    options: StartOptions,
    private readonly hasPort = true,
  ) {
    const { pathPrefix, registryPrefixes, apiVersion, canton = apiVersion } = options;
    this.router = routerOf({ ledgerPathPrefix: pathPrefix, registryPrefixes, apiVersion: canton });
  }

  /** @param path from the root: `/v2/parties` */
  ledger(method: string, path: string, body?: unknown, sent?: Sent): Promise<Answer> {
    return this.call(method, path, body, sent);
  }

  /** @param path after `/api/scan`: `/v0/dso-party-id` */
  scan(method: string, path: string, body?: unknown, sent?: Sent): Promise<Answer> {
    return this.call(method, APIS.scan.basePath + path, body, sent);
  }

  /** @param path from the root: `/registry/metadata/v1/info` */
  registry(method: string, path: string, body?: unknown, sent?: Sent): Promise<Answer> {
    return this.call(method, path, body, sent);
  }

  /** @param path after `/api/validator`: `/v0/scan-proxy/dso-party-id` */
  validator(method: string, path: string, body?: unknown, sent?: Sent): Promise<Answer> {
    return this.call(method, APIS.validator.basePath + path, body, sent);
  }

  /** @param path after `/canticle`: `/v1/snapshots` */
  control(method: string, path: string, body?: unknown, sent?: Sent): Promise<Answer> {
    return this.call(method, APIS.control.basePath + path, body, sent);
  }

  /** Sends and checks: texts and bytes unchanged, other values as JSON. */
  async call(method: string, path: string, body?: unknown, sent: Sent = {}): Promise<Answer> {
    const since = (this.newestEntry()?.id ?? 0) + 1;
    const answer = await this.send(method, path, body, sent);
    const entries = this.canticle.requests.list({ since });
    const failed = entries.find(({ outcome }) => outcome === 'failed');
    if (failed !== undefined) throw new Error(`${method} ${path} met a bug: ${failed.explanation}`);
    // No document lists the errors of unreadable requests; they have the API's common form.
    const match = this.router.match(method, pathOf(path));
    if (entries.some(({ validation }) => !validation.ok))
      expectRefusalForm(answer, match.api, true);
    else if (method !== 'HEAD') await this.validate(match, answer);
    if (match.api === 'ledger' && isRefusal(answer.body))
      expectCategory(answer.body, answer.status);
    return answer;
  }

  /** The journal's newest entry. The search starts at the previous newest entry, so that a long history has no cost. */
  newestEntry(): JournalEntry | undefined {
    const { requests } = this.canticle;
    this.newest = requests.list({ since: this.newest?.id }).at(-1);
    return this.newest;
  }

  /** Sends without checks. */
  send(method: string, path: string, body?: unknown, { headers = {} }: Sent = {}): Promise<Answer> {
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    const payload = body === undefined || raw ? body : JSON.stringify(body);
    const type: Record<string, string> =
      body === undefined
        ? {}
        : { 'content-type': body instanceof Uint8Array ? OCTETS : 'application/json' };
    const all = { ...type, ...headers };
    return this.hasPort
      ? this.sendOverPort(method, path, payload, all)
      : this.sendInProcess(method, path, payload, all);
  }

  private async sendInProcess(
    method: string,
    path: string,
    body: string | Uint8Array | undefined,
    headers: Record<string, string>,
  ): Promise<Answer> {
    const answer = await this.canticle.handle({ method, path, body, headers });
    const parsed = parse(answer.headers['content-type'], answer.body);
    return { status: answer.status, headers: answer.headers, body: parsed };
  }

  private sendOverPort(
    method: string,
    path: string,
    payload: string | Uint8Array | undefined,
    headers: Record<string, string>,
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const { agent } = this;
      const outgoing = httpRequest(
        this.canticle.url + path,
        { method, agent, headers },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('error', reject);
          incoming.on('end', () => {
            const bytes = Buffer.concat(chunks);
            const parsed = parse(incoming.headers['content-type'], bytes);
            resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: parsed });
          });
        },
      );
      outgoing.on('error', reject);
      // A GET may have a body, but node:http adds no framing header for it.
      if (payload !== undefined) outgoing.setHeader('content-length', Buffer.byteLength(payload));
      outgoing.end(payload);
    });
  }

  async close(): Promise<void> {
    this.agent.destroy();
    await this.canticle.close();
  }

  private async validate(
    match: ReturnType<Router['match']>,
    { status, headers, body }: Answer,
  ): Promise<void> {
    if (match.kind !== 'operation') return;
    const { operationId, api, responses } = match.operation;
    // A target or header that is too long is rejected before routing.
    if (status === 414 || status === 431) return;
    // Splice checks limits by hand, and answers 400 where no document says so (S-GEN-020).
    if (status === 400 && api !== 'ledger' && !('400' in responses))
      return expectRefusalForm({ status, headers, body }, api);
    // For 400 the Ledger API's document states the text of a request that cannot be read; other errors are its default.
    const isDefault = api === 'ledger' && status === 400 && typeof body === 'object';
    const { apiVersion } = this.router;
    await expectValid(operationId, isDefault ? OTHER_STATUS : status, body, api, apiVersion);
  }
}

const pathOf = (target: string): string => new URL(target, 'http://host').pathname;

const OCTETS = 'application/octet-stream';

/** A status that no document lists. */
const OTHER_STATUS = 499;

/** @param isUnread whether the request was unreadable: then Splice's servers answer in plain text */
function expectRefusalForm({ status, headers, body }: Answer, api: Api, isUnread = false): void {
  const isText = headers['content-type'] === 'text/plain; charset=UTF-8';
  // If Splice's router has no route, its apps have their own texts (V-GEN-009).
  const isWorded =
    api === 'control' || (api !== 'ledger' && (!isUnread || (status === 404 && !isText)));
  const fits = isWorded ? typeof body?.error === 'string' : isText;
  if (!fits || status < 400)
    throw new Error(`Not how ${api} refuses a request: ${status} ${JSON.stringify(body)}`);
}

function parse(contentType: string | undefined, bytes: Buffer): unknown {
  if (contentType?.startsWith('application/json'))
    return bytes.length === 0 ? undefined : (JSON.parse(bytes.toString()) as unknown);
  return contentType?.startsWith('application/octet-stream') ? bytes : bytes.toString();
}

/** A new Canticle with a client. Close it after the test. */
export async function startClient(options: StartOptions = {}): Promise<TestClient> {
  return new TestClient(await startCanticle(options), options);
}

/** The same, without a port. */
export function clientInProcess(options: StartOptions = {}): TestClient {
  return new TestClient(createCanticle(options), options, false);
}
