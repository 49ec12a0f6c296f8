/**
 * The result of `useCanticle` if CANTICLE_UPSTREAM is set: the part of a Canticle that a real participant has. Its URLs are those of a
 * proxy in this process, which adds the token and validates messages against the schema. Other members throw an error with their name.
 */
import { randomBytes } from 'node:crypto';
import type { Canticle } from '../../assembly/canticle.js';
import { readNamedFile } from '../../assembly/dar-files.js';
import type { StartOptions } from '../../assembly/canticle-options.js';
import { openProxy, type RecordingProxy } from '../../bridge/recording-proxy.js';
import { AnswerWatch } from '../../bridge/upstream/answer-watch.js';
import { LivePlace } from '../../bridge/upstream/live-place.js';
import { ParticipantClient } from '../../bridge/upstream/participant-client.js';
import { driveNow, type Requests } from '../../client/requests.js';
import { SyncSide } from '../../client/sync-side.js';
import { withCallerStack } from '../../daml/errors/own-frames.js';
import { UpstreamParticipant } from './upstream-participant.js';
import { refusing, withRefusals, type Upstream } from './upstream-setting.js';
import { nodeGlobals } from '../../spec/loading/node-realm.js';

/** Options that make a world that no client of a participant can make. */
const WORLDS = ['load', 'fork', 'amulet', 'scenario', 'faults', 'initScript', 'packages'] as const;

export class UpstreamCanticle {
  /** As tests hold it. */
  readonly facade: Canticle;
  private readonly run = randomBytes(4).toString('hex');
  private readonly requests: SyncSide;
  private readonly participant: UpstreamParticipant;
  private readonly client: ParticipantClient;
  private known: LivePlace | undefined;
  private proxy: RecordingProxy | undefined;
  private tests = 0;
  private drawn = 0;
  private readonly watch = new AnswerWatch(() => this.known?.apiVersion);

  constructor(
    private readonly upstream: Upstream,
    private readonly options: StartOptions,
  ) {
    this.requireAble();
    this.requests = new SyncSide(upstream.url, { token: upstream.token });
    const place = () => this.place;
    this.client = new ParticipantClient({
      get userId() {
        return place().user ?? 'participant_admin';
      },
      get rightsTo() {
        return place().user;
      },
      newCommandId: () => `upstream-${this.run}-${(this.drawn += 1)}`,
    });
    this.participant = new UpstreamParticipant({
      client: this.client,
      place,
      run: (requests) => this.runRequests(requests),
      suffix: () => `${this.run}-${this.tests}`,
    });
    this.facade = this.seen();
  }

  /** Starts the proxy, and uploads the archives of the options. */
  async open(): Promise<void> {
    const { url, token } = this.upstream;
    this.proxy = await openProxy({
      target: new URL(url),
      host: '127.0.0.1',
      port: 0,
      token,
      allowOrigins: this.options.allowOrigins,
      onExchange: (entry) => this.watch.entry(entry),
    });
    for (const dar of this.options.dars ?? [])
      this.participant.uploadDar(typeof dar === 'string' ? readNamedFile(dar) : dar);
  }

  beginTest(): void {
    this.tests += 1;
    this.participant.beginTest();
  }

  /** @throws Error for answers that do not fit their schema */
  async endTest(): Promise<void> {
    const faults = await this.watch.errors();
    if (faults.length === 0) return;
    const lines = faults.slice(0, 20).map((each) => `  ${each}`);
    throw withCallerStack(
      new Error(
        `CANTICLE_UPSTREAM sent responses that do not match the schema:\n${lines.join('\n')}`,
      ),
    );
  }

  async close(): Promise<void> {
    await this.proxy?.close();
    this.proxy = undefined;
    this.requests.close();
    await this.endTest();
  }

  private requireAble(): void {
    const given = WORLDS.find((name) => this.options[name] !== undefined);
    const several = (this.options.participants?.length ?? 1) > 1;
    const what = given ?? (several ? 'several participants' : undefined);
    if (what === undefined) return;
    throw withCallerStack(
      new Error(
        `Failed to run on CANTICLE_UPSTREAM: a client cannot set the option ${what} on a real participant. Remove it, or skip the suite when CANTICLE_UPSTREAM is set.`,
      ),
    );
  }

  private get place(): LivePlace {
    const findPlace = (): LivePlace =>
      this.runRequests(LivePlace.of(this.upstream.token !== undefined));
    try {
      return (this.known ??= findPlace());
    } catch (error) {
      throw withCallerStack(
        new Error(
          `Failed to run on CANTICLE_UPSTREAM, ${this.upstream.url}: ${(error as Error).message}`,
          { cause: error },
        ),
      );
    }
  }

  private runRequests<T>(requests: Requests<T>): T {
    return driveNow(requests, (request) => {
      const answer = this.requests.send(request);
      this.watch.answer(request.method, request.path, answer);
      return answer;
    });
  }

  private proxyUrl(): string {
    if (this.proxy === undefined)
      throw withCallerStack(
        new Error(
          'Failed to read urls: they have no value before the first beforeAll. Read them inside tests and hooks.',
        ),
      );
    const { pathname } = new URL(this.upstream.url);
    return `http://127.0.0.1:${this.proxy.port}${pathname.replace(/\/+$/, '')}`;
  }

  private seen(): Canticle {
    const { upstream } = this;
    const participant = withRefusals(this.participant, 'participant.', upstream);
    const proxyUrl = () => this.proxyUrl();
    const urls = {
      get ledgerApi() {
        return proxyUrl();
      },
    };
    const known = {
      participant,
      participants: [participant],
      urls: withRefusals(urls, 'urls.', upstream),
      get url() {
        return proxyUrl();
      },
      get ledgerApis() {
        return { [participant.name]: proxyUrl() };
      },
      fetch: (request: Request) => {
        const { pathname, search } = new URL(request.url);
        const { fetch, Request } = nodeGlobals;
        return fetch(new Request(proxyUrl() + pathname + search, request));
      },
      accessToken: (request: { readonly sub?: string } = {}) => this.accessToken(request.sub),
      listen: () => Promise.resolve(),
      unref: () => undefined,
      close: () => Promise.resolve(),
    };
    return withRefusals(known, '', upstream) as unknown as Canticle;
  }

  /** There is one token, and this process cannot sign others. */
  private async accessToken(sub: string | undefined): Promise<string> {
    const { token } = this.upstream;
    if (token !== undefined && (sub === undefined || sub === this.place.user)) return token;
    return (refusing(`accessToken of ${String(sub)}`, this.upstream) as () => string)();
  }
}
