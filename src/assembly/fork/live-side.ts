/**
 * The live side of a fork: its JSON Ledger API, and its Scan, of which nothing is ever asked but to read. The list of what may be asked is closed.
 * NOTE: the texts are ours: they are told to whoever starts a fork.
 */
import { isJsonObject } from '../../daml/model/own-members.js';
import type { Shape } from '../../spec/shapes.js';
import { ForkFailed } from './fork-failed.js';
import type { Reading } from './reading.js';
import { wholeStream } from './whole-stream.js';
import { isError } from '../../daml/errors/realms.js';
import { nodeGlobals } from '../../spec/loading/node-realm.js';

/** Every request that a fork makes. None of them changes anything. */
const READS = [
  ['GET', /^\/v2\/version$/],
  ['GET', /^\/v2\/state\/ledger-end$/],
  ['GET', /^\/v2\/state\/(connected-synchronizers|latest-pruned-offsets)$/],
  ['GET', /^\/v2\/parties\/participant-id$/],
  ['GET', /^\/v2\/(parties|users)(\?|$)/],
  ['GET', /^\/v2\/users\/[^/]+\/rights$/],
  ['GET', /^\/v2\/packages(\/[0-9a-f]{64}(\/status)?)?$/],
  ['POST', /^\/v2\/package-vetting\/list$/],
  ['POST', /^\/v2\/state\/active-contracts-page$/],
  ['WS', /^\/v2\/state\/active-contracts$/],
  ['GET', /^\/v2\/idps$/],
  ['POST', /^\/v2\/updates\/update-by-offset$/],
  ['GET', /^\/api\/scan\/v0\/(dso|dso-party-id|featured-apps|closed-rounds)$/],
  [
    'GET',
    /^\/api\/scan\/v0\/(amulet-price\/votes|splice-instance-names|migrations\/last|acs\/[^/?]+)$/,
  ],
  ['GET', /^\/api\/scan\/v0\/admin\/(sv\/voterequests|validator\/licenses\?[^/]*)$/],
  ['POST', /^\/api\/scan\/v0\/(amulet-rules|external-party-amulet-rules|ans-rules)$/],
  ['POST', /^\/api\/scan\/v0\/open-and-issuing-mining-rounds$/],
  // Which contracts a transfer would need: nothing is transferred.
  ['POST', /^\/registry\/transfer-instruction\/v1\/transfer-factory$/],
] as const;

/** Milliseconds that an answer may take. */
const PATIENCE = 60_000;
/** Bytes of one answer. */
const MAX_ANSWER = 256 * 1024 * 1024;

export class LiveSide {
  private readonly base: string;
  private bytesReceived = 0;

  constructor(
    url: string,
    private readonly reading: Reading,
    private readonly token: string | undefined,
    private readonly kind: 'a JSON Ledger API' | 'a Scan' = 'a JSON Ledger API',
  ) {
    if (!/^https?:\/\//.test(url))
      throw new ForkFailed(`'${url}' is no URL of ${kind}, such as http://localhost:7575.`);
    this.base = url.replace(/\/+$/, '');
  }

  /** Bytes of all answers. */
  get received(): number {
    return this.bytesReceived;
  }

  /** @param shape of all that is used of the answer @throws ForkFailed for one of another shape */
  async get<T>(path: string, shape: Shape): Promise<T> {
    return this.json(path, shape, await this.ask('GET', path));
  }

  async post<T>(path: string, shape: Shape, body: unknown): Promise<T> {
    return this.json(path, shape, await this.ask('POST', path, body));
  }

  private json<T>(path: string, shape: Shape, bytes: Buffer): T {
    let found: unknown;
    try {
      found = JSON.parse(bytes.toString('utf8'));
    } catch {
      // What is no JSON is told below.
    }
    if (isJsonObject(found)) {
      const fault = shape(found, '');
      if (fault === undefined) return found as T;
      throw new ForkFailed(
        `${this.base}${path} was answered with what ${this.kind} does not answer: ${fault.slice(0, SHOWN)}.`,
      );
    }
    throw new ForkFailed(
      `${this.base}${path} was answered with what is no JSON: ${bytes.toString('utf8', 0, 60).trim()}. Is there ${this.kind}?`,
    );
  }

  bytes(path: string): Promise<Buffer> {
    return this.ask('GET', path);
  }

  /** The same, or undefined where the caller may not ask, or there is nothing of the kind. */
  async ifAllowed<T>(ask: () => Promise<T>): Promise<T | undefined> {
    try {
      return await ask();
    } catch (error) {
      const { status } = error as ForkFailed;
      if (status === 401 || status === 403 || status === 404 || status === 405) return undefined;
      throw error;
    }
  }

  /** What a WebSocket gives for one request, until it ends. @param take each of its messages */
  async stream<T>(
    path: string,
    shape: Shape,
    request: unknown,
    take: (message: T) => void,
  ): Promise<void> {
    requireRead('WS', path);
    const target = this.base.replace(/^http/, 'ws') + path;
    const each = (message: unknown): void => {
      const told = isJsonObject(message) ? (message as Partial<Refusal>) : {};
      const { code, cause, grpcCodeValue } = told;
      if (typeof code !== 'string') {
        const fault = shape(message, '');
        if (fault === undefined) return take(message as T);
        throw new ForkFailed(`WebSocket ${path} sent what it does not send: ${fault}.`);
      }
      const status = REFUSED[grpcCodeValue ?? -1] ?? 500;
      throw new ForkFailed(
        `WebSocket ${path} was answered with ${`${code}: ${cause}`.slice(0, SHOWN)}.${nextStep(status, path, this.token !== undefined)}`,
        status,
      );
    };
    await this.reading.during(undefined, (signal) =>
      wholeStream(target, this.token, request, each, signal),
    );
  }

  private async ask(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Buffer> {
    requireRead(method, path);
    const headers: Record<string, string> = { accept: '*/*' };
    if (this.token !== undefined) headers['authorization'] = `Bearer ${this.token}`;
    if (body !== undefined) headers['content-type'] = 'application/json';
    const target = this.base + path;
    let response: Response;
    let bytes: Buffer;
    try {
      const { fetch } = nodeGlobals;
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      [response, bytes] = await this.reading.during(PATIENCE, async (signal) => {
        const come = await fetch(target, { method, headers, signal, redirect: 'error', ...sent });
        return [come, await boundedBody(come)];
      });
      this.bytesReceived += bytes.length;
    } catch (error) {
      if (error instanceof ForkFailed) throw error;
      const { cause = error } = error as Error;
      const why = isError(cause) ? cause.message : String(cause);
      throw new ForkFailed(`${target} cannot be reached: ${why}.`);
    }
    if (response.status === 200) return bytes;
    throw new ForkFailed(
      `${method} ${path} was answered with ${response.status}: ${reasonIn(bytes)}.${nextStep(response.status, path, this.token !== undefined)}`,
      response.status,
    );
  }
}

function requireRead(method: (typeof READS)[number][0], path: string): void {
  if (!READS.some(([verb, pattern]) => verb === method && pattern.test(path)))
    throw new Error(`A fork asks nothing like ${method} ${path}: it only reads.`);
}

/** What a stream is refused with, in its last message. */
interface Refusal {
  readonly code: string;
  readonly cause: string;
  readonly grpcCodeValue: number;
}

/** HTTP statuses for gRPC's codes that say something about the caller. */
const REFUSED: Readonly<Record<number, number>> = { 7: 403, 16: 401 };

/** What may be done about it. */
function nextStep(status: number, path: string, hasToken: boolean): string {
  if (status === 401)
    return hasToken
      ? ' It does not take the token, or no longer.'
      : ' It asks for a token: say which (token, --token).';
  if (status === 403 && path.startsWith('/v2/state/active-contracts'))
    return ' The token may not read as everybody that was asked for: say whose contracts are wanted (parties, --party), or give one of a user who can read as any party.';
  return '';
}

async function boundedBody({ body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_ANSWER) throw new ForkFailed(`an answer has more than ${MAX_ANSWER} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const SHOWN = 300;

function reasonIn(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  try {
    const { code, cause } = JSON.parse(text) as { code?: unknown; cause?: unknown };
    if (typeof code === 'string') return `${code}: ${String(cause)}`.slice(0, SHOWN);
  } catch {
    // It is told as it is.
  }
  return text.slice(0, SHOWN);
}
