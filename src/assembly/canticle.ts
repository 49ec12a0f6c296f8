/** The class of an instance: the network, its views and its controls. start.ts creates one. */
import { lazy } from '../daml/errors/lazy.js';
import type { Express } from 'express';
import type { Network } from '../network/network.js';
import { Authenticator } from '../services/authorization/authenticator.js';
import { Issuer, type TokenRequest } from '../http/issuer.js';
import type { AuthOptions } from '../services/authorization/options.js';
import { participantAudience } from '../services/authorization/token-format.js';
import { releaseOf } from '../spec/versions.js';
import { Dispatcher } from '../http/dispatch.js';
import { HttpEntry } from '../http/http-entry.js';
import { answerFetch } from '../http/in-process/fetch.js';
import { handle, type InProcessAnswer, type InProcessRequest } from '../http/in-process/handle.js';
import {
  openWebSocket,
  type InProcessWebSocket,
  type InProcessWebSocketListener,
  type InProcessWebSocketRequest,
} from '../http/in-process/web-socket.js';
import { InProcess } from '../http/in-process/in-process.js';
import { PageGuard } from '../http/pages/page-guard.js';
import { RequestJournal } from '../services/request-journal.js';
import { routerOf, type Router } from '../http/routing/router.js';
import { IDLE_TIMEOUT_MS, listen, type ListenOptions, type RunningServer } from '../http/server.js';
import { CHECKPOINT_DELAYS, Checkpoints } from '../services/streams/checkpoints.js';
import { Streams, type OpenStream } from '../http/streams/streams.js';
import type { Scenario } from '../scenario/builder.js';
import type { Amulet } from '../wallet/amulet.js';
import type { ParticipantView } from '../wallet/participant-view.js';
import type { TestToken } from '../wallet/test-token.js';
import type { World } from '../scenario/world.js';
import type { Automation } from '../splice/automation/automation.js';
import type { Splice } from '../splice/splice.js';
import type { LedgerApiAccess } from '../services/handler.js';
import { callable, type CanticleUrls, type Opening, type PortOptions } from './addresses.js';
import { saveCompiledCode } from './cache/fact-files.js';
import { readFixture } from './fixture-files.js';
import { Controls } from './controls.js';
import { GrpcPorts } from './grpc/ports.js';
import { serveInspector } from './pages/inspector.js';
import { PqsHolder } from './pqs/pqs-holder.js';
import { readReader } from './pages/reader-files.js';
import type { CanticleParts } from './serving-options.js';
import type { Releases } from '../spec/releases/releases.js';
import type { SaveOptions } from './worlds/save-world.js';
import { withCallerStack } from '../daml/errors/own-frames.js';
import { fromEnvironment } from '../options/environment.js';
import type * as ExchangeFiles from './rehearsal/exchange-file.js';
import { GatewayHolder } from './wallet-gateway/gateway-holder.js';
import type { WalletControl } from '../services/wallet-control.js';
import type * as Scenarios from '../scenario/builder.js';

const exchangeFiles = lazy(() => require('./rehearsal/exchange-file.js') as typeof ExchangeFiles);
const scenarios = lazy(() => require('../scenario/builder.js') as typeof Scenarios);

/** An instance: a whole network with its participants, its APIs and its controls. Create it with `createCanticle` or `startCanticle`. */
export class Canticle extends Controls {
  /** All requests to the ledger, over any transport, with the newest last. A revert keeps them. */
  readonly requests = new RequestJournal();
  /** Views of the participants for tests, in the order of the options. */
  readonly participants: readonly ParticipantView[];
  /** @internal Finds the operation for a path of the first participant. NOTE: as for `network`. */
  readonly router: Router;
  /** @internal NOTE: as for `network`. */
  readonly releases: Releases;
  /** @internal The ledger below the views. NOTE: not public, may change at any time. */
  readonly network: Network;
  /** @internal The world of the DSO, below its views. NOTE: as for `network`. */
  readonly splice: Splice;
  /** The automation of the DSO and the validators: pause it, resume it, run it once, or turn it off. */
  readonly automation: Automation;
  /** @internal The entry point of all requests: for `canticle/express`. */
  readonly httpEntry: HttpEntry;
  private readonly world: World;
  private verbs: Scenario | undefined;
  private readonly inProcess: InProcess;
  private readonly onClose: () => void;
  private readonly issuer: Issuer;
  protected readonly gateway: GatewayHolder;
  protected readonly sql: PqsHolder;
  /** By the participant's name, in the order of the options. The URL of the first one serves all APIs. */
  private servers = new Map<string, RunningServer>();
  protected readonly grpc: GrpcPorts;
  protected host = '';
  private scheme = 'http';

  constructor(world: World, options: CanticleParts) {
    super();
    const { network, splice, participants } = world.target;
    this.onClose = options.onClose;
    this.network = network;
    this.splice = splice;
    this.automation = splice.automation;
    this.participants = participants;
    this.world = world;
    this.releases = options.releases;
    // Its state is part of the network's.
    this.gateway = this.gatewayOf(options);
    this.sql = new PqsHolder(options.pqs, network.participants, options.cache);
    world.dappWallet = this.gateway.wallet;
    network.startHere();
    const { requests, releases } = this;
    const { spliceVersion, registryPreviews } = releases;
    const routerAt = (name: string) =>
      routerOf({
        ...options,
        ...{ spliceVersion, registryPreviews, ...releases.at(name) },
        hasTrafficAccounts: network.participant(name).trafficAccounts !== undefined,
      });
    this.router = routerAt(network.participants[0]!.name);
    const delays = { ...CHECKPOINT_DELAYS, ...options.checkpoints };
    const checkpoints = new Checkpoints(network.participants, delays);
    const { auth: authOptions, issuer: issuerOptions = {}, realClock } = options;
    const { openControls = false, allowOrigins = [] } = options;
    const pages = new PageGuard(allowOrigins);
    const {
      enableVerboseHashing = false,
      requestTimeout,
      journal = 'brief',
      updateOrder,
    } = options;
    const strict = network.participants.find(
      ({ name }) => releaseOf(releases.at(name).apiVersion).rejectsTokensWithoutAudience,
    );
    this.issuer = new Issuer(
      network.options.seed ?? 0,
      authOptions?.services ?? [],
      issuerOptions,
      realClock,
      strict && participantAudience(strict.id),
    );
    const { issuer } = this;
    const taking = (taken?: AuthOptions) =>
      taken && new Authenticator(taken, issuer.keys, realClock);
    const auth = taking(authOptions);
    const apart = Object.entries(options.authOf ?? {}).map(([name, own]) => [name, taking(own)]);
    const authAt = (name: string): Authenticator | undefined =>
      (Object.fromEntries(apart) as Record<string, Authenticator>)[name] ?? auth;
    const folder = fromEnvironment('CANTICLE_REHEARSAL');
    const watch = folder ? exchangeFiles().watchInstance(folder, releases) : undefined;
    const streaming = { checkpoints, updateOrder, watch, settled: this.sql.settled };
    const served = { releases, requestTimeout, enableVerboseHashing, auth, issuer, ...streaming };
    const overGrpc = { network, requests, enableVerboseHashing, ...streaming };
    this.grpc = new GrpcPorts(overGrpc, (name) => ({ ...releases.at(name), auth: authAt(name) }));
    const participantNames = network.participants.map(({ name }) => name);
    const open = { participantNames, readReader, readFixture, journal, openControls, pages };
    const dump = (how: SaveOptions): Uint8Array => this.dump(how);
    const access: LedgerApiAccess = {
      ledgerApiOf: (name) => this.ledgerApiOf(name),
      needsToken: (name) => authAt(name) !== undefined,
      tokenOf: async (name, userId) => this.userToken(name, userId),
    };
    const wallet = () => this.gateway.controlIfAny;
    const beside = { inspector: serveInspector, wallet, sql: this.sql.ifAny };
    const shared = {
      network,
      splice,
      requests,
      dump,
      access,
      ...beside,
      ...open,
      ...served,
    };
    const sites = network.participants.map((participant) => {
      const { name } = participant;
      const own = { ...shared, participant, ...releases.at(name), auth: authAt(name) };
      const dispatcher = new Dispatcher(own, routerAt(name));
      return [
        participant.name,
        { dispatcher, streams: new Streams(own, dispatcher.calls) },
      ] as const;
    });
    this.httpEntry = new HttpEntry(new Map(sites), this.gateway.beside);
    this.inProcess = new InProcess(this.httpEntry);
  }

  private gatewayOf({ walletGateway, auth, authOf, releases }: CanticleParts): GatewayHolder {
    const { network, world, requests } = this;
    return new GatewayHolder(walletGateway, (participant = this.participant.name) => ({
      ...{ network, world, requests },
      participant,
      releases,
      site: (name) => this.httpEntry.site(name),
      ledgerApi: () => (this.servers.size === 0 ? undefined : this.addressOf(participant)),
      userToken: async (userId, claims) => this.walletToken(participant, userId, claims),
      needsTokens: (authOf?.[participant] ?? auth) !== undefined,
    }));
  }

  private addressOf(participant: string): string {
    return this.ledgerApiOf(participant) ?? this.urlOf(participant);
  }

  /** A token of the wallet's user that does not expire; undefined if this instance cannot sign one. */
  protected walletToken(
    _participant: string,
    sub: string,
    claims: Readonly<Record<string, unknown>>,
  ): string | undefined {
    // Without a time, the same seed and calls give the same token.
    const given = { ...claims, iat: undefined };
    return this.issuer.canSign
      ? this.issuer.token({ sub, expiresIn: null, claims: given })
      : undefined;
  }

  /** The test's control of the wallet that dApps use. @throws Error without the option `walletGateway` */
  get walletGateway(): WalletControl {
    return this.gateway.control;
  }

  /** The URL of a participant's JSON Ledger API, if it is not below {@link url}. */
  protected ledgerApiOf(_participant: string): string | undefined {
    return undefined;
  }

  /** A bearer token for a user; undefined if this instance cannot sign one. */
  protected async userToken(_participant: string, sub: string): Promise<string | undefined> {
    return this.issuer.canSign ? this.issuer.token({ sub }) : undefined;
  }

  /** The first participant. The root URL serves its Ledger API. */
  get participant(): ParticipantView {
    return this.participants[0]!;
  }

  /** The built-in test token. This instance serves its registry. */
  get token(): TestToken {
    return this.world.token;
  }

  /** Splice's token, if it was started: see {@link Amulet.boot}. */
  get amulet(): Amulet {
    return this.world.amulet;
  }

  /** The verbs of scenario files, and the names that the scenario of this instance defined. */
  get scenario(): Scenario {
    return (this.verbs ??= scenarios().scenarioOf(this.world));
  }

  /**
   * An Express application, to which you can add middleware and routes at any time. They handle requests before the ledger does, over any
   * port, through {@link fetch}, {@link handle} or a mount, and for WebSockets. The ledger answers requests that they do not handle.
   * Express is loaded on the first access. A revert does not change the application.
   */
  get app(): Express {
    return this.httpEntry.app;
  }

  /**
   * Answers a web request in this process, as the port would: for MSW, for the `fetch` option of a client, for servers of Bun, Deno or
   * Hono. It accepts any host, and needs no `this`. If the signal of the request is aborted, it rejects with the reason of the signal.
   * Open WebSockets with {@link webSocket}, over a port, or through `canticle/express`.
   */
  readonly fetch = (request: Request): Promise<Response> => answerFetch(this.inProcess, request);

  /** Answers a request as the port would. */
  handle(request: InProcessRequest): Promise<InProcessAnswer> {
    return handle(this.inProcess, request);
  }

  /**
   * Opens a WebSocket in this process, as over the port: for code between a client and the instance, such as `canticle/msw`. A rejected
   * WebSocket closes with 1006.
   */
  webSocket(
    request: InProcessWebSocketRequest,
    listener: InProcessWebSocketListener,
  ): InProcessWebSocket {
    return openWebSocket(this.inProcess, request, listener);
  }

  /**
   * Opens the port, and one for each further participant. On failure, rejects with the system's error, such as EADDRINUSE, and closes all
   * ports.
   */
  async listen({
    host = '127.0.0.1',
    port = 0,
    ports = {},
    idleTimeout = IDLE_TIMEOUT_MS,
    grpc = false,
    tls,
  }: Partial<ListenOptions> & PortOptions = {}): Promise<void> {
    this.host = callable(host);
    this.scheme = tls === undefined ? 'http' : 'https';
    try {
      for (const { name, place, ...opening } of this.openings(port, ports)) {
        const where = { host, port: opening.port, idleTimeout, tls };
        this.servers.set(name, await listen(this.httpEntry, place, where));
      }
      await this.sql.listen(host, tls);
      if (grpc !== false) await this.grpc.listen(host, this.host, grpc === true ? {} : grpc, tls);
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** The ports that {@link listen} opens: one for each participant, by its name. */
  protected openings(port: number, ports: Readonly<Record<string, number>>): readonly Opening[] {
    const ofParticipants = this.participants.map(({ name }) => {
      const isFirst = name === this.participant.name;
      const place = this.httpEntry.sites(isFirst ? undefined : name);
      return { name, place, port: ports[name] ?? (isFirst ? port : 0) };
    });
    return [...ofParticipants, ...this.gateway.openings];
  }

  /** The port of all APIs. */
  get port(): number {
    return this.portOf(this.participant.name);
  }

  /** The port of each participant's Ledger API, by its name, in the order of the options. */
  get ports(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.participants.map(({ name }) => [name, this.portOf(name)]));
  }

  protected portOf(name: string): number {
    const server = this.servers.get(name);
    if (server === undefined)
      throw withCallerStack(
        new Error(
          'The port is not available: this Canticle does not listen. An instance of startCanticle listens; one of useCanticle listens from the first beforeAll on. Call useCanticle outside of hooks and tests, and read urls inside them. handle and fetch need no port.',
        ),
      );
    return server.port;
  }

  /** @param name of a port of {@link openings} @param hostname for clients */
  protected urlOf(name: string, hostname = this.host): string {
    return `${this.scheme}://${hostname}:${this.portOf(name)}`;
  }

  /** A token that the Ledger API accepts, if authorization uses a secret or the built-in issuer. */
  async accessToken(request: TokenRequest): Promise<string> {
    return this.issuer.token(request);
  }

  /** The open WebSockets, by participant. */
  get streams(): readonly OpenStream[] {
    return this.httpEntry.sites().streams.flatMap(({ open }) => open);
  }

  /** The URL of each participant's Ledger API, by its name. */
  get ledgerApis(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.participants.map(({ name }) => [name, this.urlOf(name)]));
  }

  /** `host:port` of the gRPC Ledger API of each participant, by its name; empty without the option `grpc`. */
  get grpcApis(): Readonly<Record<string, string>> {
    return this.grpc.addresses;
  }

  /** `host:port` of the gRPC admin API of each participant, by its name. */
  get grpcAdminApis(): Readonly<Record<string, string>> {
    return this.grpc.adminAddresses;
  }

  /** The root URL, without a final slash: `http://127.0.0.1:7575`. */
  get url(): string {
    return this.urlOf(this.participant.name);
  }

  /** The base URL of each API. */
  get urls(): CanticleUrls {
    const { url } = this;
    return {
      ledgerApi: url,
      scan: `${url}/api/scan`,
      registry: url,
      validator: `${url}/api/validator`,
      control: `${url}/canticle/v1`,
      inspector: `${url}/canticle/`,
      grpc: this.grpcApis[this.participant.name],
      grpcAdmin: this.grpcAdminApis[this.participant.name],
      ...this.gateway.urls((name) => this.urlOf(name)),
    };
  }

  /** The process may end while a port is open. For test runners, which may skip their last hooks. */
  unref(): void {
    for (const server of [...this.servers.values(), this.grpc, this.sql]) server.unref();
  }

  /** Closes all connections at once. You may call it again, and without a port. */
  async close(): Promise<void> {
    this.onClose();
    const servers = [...this.servers.values(), this.grpc];
    this.servers.clear();
    await Promise.all(servers.map((server) => server.close()));
    // Streams that came over another server, such as the user's Express.
    await this.httpEntry.sites().closeStreams();
    await Promise.all([this.gateway.close(), this.sql.close()]);
    saveCompiledCode();
  }
}
