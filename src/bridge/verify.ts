/**
 * Sends the requests of a recording to another system, one exchange after another, and compares the answers with
 * the recorded answers. It replaces ids, offsets, times and hashes of the recording with those of the other system.
 */
import { headersOf } from '../client/requests.js';
import { mediaTypeOf, type HttpAnswer, type HttpSide } from '../client/http-side.js';
import { streamed } from '../client/stream-side.js';
import { routerOf, type Router } from '../http/routing/router.js';
import type { ApiVersion } from '../spec/versions.js';
import { compareJson, type Difference } from '../recording/compare.js';
import {
  answeredBody,
  headerOf,
  isWebSocket,
  jsonIn,
  sentBody,
  textOf,
  type HarEntry,
} from '../recording/har.js';
import { Identities } from '../recording/identities.js';
import { VerificationReport, type Outcome, type Verification } from '../recording/report.js';
import { userOf } from '../recording/secrets.js';
import { answerError, schemaError } from './schema-error.js';
import { callOf, type KnownCall } from './operation-of.js';
import { PartyNames } from './party-names.js';

export interface ParticipantAddress {
  readonly name: string;
  /** Only its host, port and path count, so that it is also the address of WebSockets. */
  readonly url: URL;
}

export interface VerifyOptions {
  /** The version of the Ledger API whose schema is used. */
  readonly apiVersion?: ApiVersion | undefined;
  readonly system: HttpSide;
  /** The releases of participants that the system serves below `/participants/NAME`, by their names. */
  readonly participants?: Readonly<Record<string, ApiVersion>>;
  /** Participants that have their own addresses in the recording. */
  readonly addresses?: readonly ParticipantAddress[];
  /**
   * A token for the user; undefined if none is available.
   * @param user undefined if the recording does not contain it
   */
  readonly tokenOf: (user: string | undefined) => Promise<string | undefined>;
  /** Whether the system requires tokens. */
  readonly isGuarded: boolean;
  /** The idle time in milliseconds after which a WebSocket ends. */
  readonly quiet: number;
  /** Whether to check its answers against their schemas, too: for systems other than Canticle. */
  readonly isLive: boolean;
  /**
   * Whether to stop if the system no longer answers, or no longer accepts the token, because later requests depend
   * on the answers.
   */
  readonly isOneStory?: boolean;
}

/** An exchange to compare, or the reason why it is not comparable. */
export type Verifiable =
  | {
      readonly entry: HarEntry;
      /** The owner of the exchange, such as a step. */
      readonly of?: string;
    }
  | { readonly operation: string; readonly request: string; readonly why: string };

/** The exchanges of a recording, unchanged. */
export async function* asRecorded(entries: AsyncIterable<HarEntry>): AsyncGenerator<Verifiable> {
  for await (const entry of entries) yield { entry };
}

/** @throws RecordingError if the file is truncated, after its complete exchanges are verified */
export async function verify(
  all: AsyncIterable<Verifiable>,
  options: VerifyOptions,
): Promise<Verification> {
  const { isOneStory = false } = options;
  const report = new VerificationReport();
  const run = new VerifyRun(options);
  for await (const each of all) {
    if (!('entry' in each)) {
      report.add(each.operation, each.request, notComparable(each.why));
      continue;
    }
    const { entry, of } = each;
    const { method, url } = entry.request;
    const { routed, router } = calledOf(options, method, url, isWebSocket(entry));
    const path = `${method} ${new URL(url).pathname}`;
    const request = of === undefined ? path : `${path} (${of})`;
    const name =
      routed?.operation === undefined
        ? path
        : `${routed.api} ${routed.operation.operationId}${isWebSocket(entry) ? ' (WebSocket)' : ''}`;
    const error = routed && (await schemaError(routed, entry, router));
    const { outcome, answer, silence } = await run.outcome(routed, entry);
    const isHeld = options.isLive && routed !== undefined && answer !== undefined;
    const live = isHeld ? await answerError(routed, answer, router) : undefined;
    report.add(name, request, outcome, error, live);
    if (isOneStory && silence !== undefined) {
      report.stop(`${silence} The last request was ${request}. Later requests were not sent.`);
      break;
    }
  }
  return report.whole;
}

const OF_PARTICIPANT = /^\/participants\/([^/]+)(?=\/)/;

/** The call, and the router of the release of its participant. */
function calledOf(
  { apiVersion, participants = {}, addresses = [] }: VerifyOptions,
  method: string,
  text: string,
  isStream: boolean,
): { readonly routed: KnownCall | undefined; readonly router: Router } {
  const url = new URL(text);
  const name =
    OF_PARTICIPANT.exec(url.pathname)?.[1] ??
    addresses.find((each) => isBelow(url, each.url))?.name ??
    '';
  const own = Object.hasOwn(participants, name) ? participants[name] : undefined;
  const spoken = own ?? apiVersion;
  const router = routerOf(spoken && { apiVersion: spoken });
  const routed = callOf(router, method, text, isStream);
  if (own === undefined || routed === undefined) return { routed, router };
  return { routed: { ...routed, target: `/participants/${name}${routed.target}` }, router };
}

/** Whether the address of a request is that of a participant, or below it. */
function isBelow(request: URL, { host, pathname }: URL): boolean {
  return request.host === host && request.pathname.startsWith(pathname.replace(/\/*$/, '/'));
}

/** The result of an exchange. */
interface Compared {
  readonly outcome: Outcome;
  /** The received answer, except for a WebSocket. */
  readonly answer?: HttpAnswer;
  /** Why the system will not answer any more, as a sentence. */
  readonly silence?: string;
}

/** Statuses of proxies in front of the system. */
const OF_PROXIES: ReadonlySet<number> = new Set([407, 502, 504]);

/** Characters. */
const SHOWN_OF_REFUSAL = 200;

const isRefused = (status: number): boolean => status >= 400;
const notComparable = (why: string): Outcome => ({ kind: 'notComparable', why });
const outcomeOf = (differences: readonly Difference[]): Outcome =>
  differences.length === 0 ? { kind: 'equal' } : { kind: 'different', differences };

class VerifyRun {
  private readonly identities = new Identities();
  private readonly names: PartyNames;

  constructor(private readonly options: VerifyOptions) {
    this.names = new PartyNames(this.identities, options.system);
  }

  async outcome(routed: KnownCall | undefined, entry: HarEntry): Promise<Compared> {
    const why = reasonNot(routed, entry, this.options.isGuarded);
    if (why !== undefined) return { outcome: notComparable(why) };
    try {
      return isWebSocket(entry)
        ? { outcome: await this.stream(routed!, entry) }
        : await this.exchange(routed!, entry);
    } catch (error) {
      // A network error of this machine or the other side. Other errors are bugs, and are thrown.
      const { code, message } = error as NodeJS.ErrnoException;
      if (typeof code !== 'string') throw error;
      const reason = message || code;
      const silence = `It stopped answering: ${reason}.`;
      return { outcome: notComparable(`no answer now: ${reason}`), silence };
    }
  }

  private async token(entry: HarEntry): Promise<string | undefined> {
    const { headers } = entry.request;
    const given =
      headerOf(headers, 'authorization') ?? headerOf(headers, 'sec-websocket-protocol') ?? '';
    return this.options.tokenOf(userOf(given));
  }

  private async exchange({ target }: KnownCall, entry: HarEntry): Promise<Compared> {
    const { method, headers: recordedHeaders } = entry.request;
    const token = await this.token(entry);
    const sent = sentBody(entry.request);
    const contentType =
      headerOf(recordedHeaders, 'content-type') ?? entry.request.postData?.mimeType;
    const isJson = sent !== undefined && contentType?.includes('json') === true;
    await this.names.learn(target + (isJson ? sent.toString() : ''), token);
    const accept = headerOf(recordedHeaders, 'accept');
    const answer = await this.options.system.request({
      method,
      target: this.target(target),
      body: isJson ? Buffer.from(this.jsonText(sent.toString())) : sent,
      headers: {
        ...(contentType && { 'content-type': contentType }),
        ...(accept && { accept }),
        ...headersOf({}, token),
      },
    });
    const outcome = this.compared(entry, answer);
    if (answer.status !== 401 || entry.response.status === 401) return { outcome, answer };
    return { outcome, answer, silence: 'It does not accept the token, or no longer accepts it.' };
  }

  private compared({ response }: HarEntry, answer: HttpAnswer): Outcome {
    const recorded = answeredBody(response);
    const differences: Difference[] = [];
    const both = (at: string, before: string, now: string) => {
      if (before !== now) differences.push({ at, recorded: before, now });
    };
    both('status', String(response.status), String(answer.status));
    // Does not compare the bodies of an answer and an error.
    if (isRefused(response.status) !== isRefused(answer.status)) {
      const refusal = (isRefused(answer.status) ? answer.bytes : recorded) ?? '';
      return outcomeOf([
        { ...differences[0]!, why: refusal.toString().slice(0, SHOWN_OF_REFUSAL) },
      ]);
    }
    if (recorded === undefined)
      return differences.length > 0
        ? outcomeOf(differences)
        : notComparable(
            response.content.comment ?? 'the recording does not contain the body of its answer',
          );
    const mediaType = mediaTypeOf(
      headerOf(response.headers, 'content-type') ?? response.content.mimeType,
    );
    if (recorded.length > 0 || answer.bytes.length > 0)
      both('content-type', mediaType, answer.mediaType);
    const [before, now] = [recorded.toString(), answer.bytes.toString()];
    const [left, right] = [jsonIn(before), jsonIn(now)];
    if (left !== undefined && right !== undefined)
      differences.push(...compareJson(left.value, right.value, this.identities));
    else if (!recorded.equals(answer.bytes))
      differences.push(...compareJson(before, now, this.identities));
    return outcomeOf(differences);
  }

  private async stream({ target }: KnownCall, entry: HarEntry): Promise<Outcome> {
    const messages = entry._webSocketMessages;
    if (messages === undefined) return notComparable('the recording does not contain its messages');
    const token = await this.token(entry);
    const sent = messages.filter(({ type }) => type === 'send').map(textOf);
    await this.names.learn(sent.join(' '), token);
    const recorded = elements(messages.filter(({ type }) => type === 'receive').map(textOf));
    const got: string[] = [];
    const { system, quiet } = this.options;
    const end = await streamed(system.base, this.target(target), {
      ...{ token, quiet },
      sent: sent.map((text) => this.jsonText(text)),
      take: (text) => {
        got.push(text);
        // An additional element would be a difference, but an endless stream does not show that it has no more.
        return recorded.length > 0 && elements(got).length >= recorded.length;
      },
    });
    if (end.kind === 'refused') got.push(JSON.stringify(`refused with ${end.status}`));
    return outcomeOf(compareJson(recorded, elements(got), this.identities));
  }

  private target(recorded: string): string {
    const [path, ...query] = recorded.split('?');
    const part = (text: string, key = '') => {
      const plain = decoded(text);
      const now = this.identities.text(plain, key);
      return now === plain ? text : encodeURIComponent(now);
    };
    const segments = path!.split('/').map((each) => part(each));
    const parameters = query
      .join('?')
      .split('&')
      .map((each) => {
        const [name, ...value] = each.split('=');
        return value.length === 0 ? each : `${name}=${part(value.join('='), name)}`;
      });
    return segments.join('/') + (query.length === 0 ? '' : `?${parameters.join('&')}`);
  }

  /** The text as JSON; unchanged if it is not JSON. */
  private jsonText(text: string): string {
    const json = jsonIn(text);
    return json === undefined ? text : JSON.stringify(this.identities.json(json.value));
  }
}

function reasonNot(
  routed: KnownCall | undefined,
  { request, response }: HarEntry,
  isGuarded: boolean,
): string | undefined {
  const { status } = response;
  if (request.method === 'OPTIONS') return 'it is a preflight request of a browser';
  if (routed === undefined) return 'Canticle does not serve this API';
  if (status === 0) return 'the recording has no answer';
  if (OF_PROXIES.has(status)) return `${status} is the answer of a proxy`;
  if (status === 304) return '304: the client had the answer in its cache';
  if ((status === 401 || status === 403) && !isGuarded)
    return `${status}: this world has no authorization, so callers need no token`;
  return undefined;
}

/** The elements without checkpoints, whose timing varies. */
const elements = (texts: readonly string[]): unknown[] =>
  texts
    .map((text) => jsonIn(text)?.value ?? text)
    .filter(
      (each) =>
        !/^\{"(?:update|completionResponse)":\{"OffsetCheckpoint"/.test(JSON.stringify(each)),
    );

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
