/**
 * The class of a LocalNet: a Canticle of several participants, each with a validator. As in a real LocalNet, each service has its own
 * port. start-localnet.ts creates one.
 */
import type { Party } from '../../daml/model/values.js';
import { withCallerStack } from '../../daml/errors/own-frames.js';
import type { OverHttp2 } from '../../http/both-versions.js';
import { Keycloak } from '../../http/keycloak/keycloak.js';
import type { Realm } from '../../http/keycloak/realm.js';
import { VirtualHosts } from '../../http/hosts/virtual-hosts.js';
import { SERVICES } from '../../http/routing/service.js';
import { JournaledMap } from '../../network/journal/journal.js';
import type { World } from '../../scenario/world.js';
import { spliceReleaseOf } from '../../spec/versions.js';
import type { ParticipantView } from '../../wallet/participant-view.js';
import type { CanticleUrls, Opening } from '../addresses.js';
import { Canticle } from '../canticle.js';
import type { GrpcOptions } from '../grpc/ports.js';
import type { CanticleParts } from '../serving-options.js';
import { environmentOf, type Environment } from './environment.js';
import { GRPC_HOSTS, hostsOf } from './hosts.js';
import { databaseOf, quickstartEnvironment } from './quickstart.js';
import { realmOf, type OAuth2Facts } from './realms.js';
import { SV, type NodeShape } from './shape.js';
import { AMULET, type SpliceDar } from './splice-dars.js';
import { unsafeToken } from './tokens.js';

/** One node of a LocalNet: a participant with its validator, and their URLs without a final slash. */
export interface LocalnetNode {
  /** `sv`, `app-provider`, `app-user`, or a name from the options. */
  readonly name: string;
  /** Its participant, for in-process calls of a test. */
  readonly participant: ParticipantView;
  /** The validator's party. */
  readonly party: Party;
  /** The participant's administrator; the validator acts as this user. */
  readonly user: string;
  /** The user of the validator's wallet; the first one if there are several. */
  readonly walletUser: string;
  /** Its login name; the user id if there is no login. */
  readonly walletUserName: string;
  /** URL of the JSON Ledger API. */
  readonly ledgerApi: string;
  /** `host:port` of the gRPC Ledger API; undefined if it is not served. */
  readonly grpc: string | undefined;
  /** `host:port` of the participant's gRPC admin API; undefined if it is not served. */
  readonly grpcAdmin: string | undefined;
  /** URL of the validator app: `…/api/validator`. */
  readonly validator: string;
  /** Base URL of the wallet's operations: `…/api/validator/v0/wallet`. */
  readonly wallet: string;
  /** URL of the port whose answer depends on the header Host. */
  readonly ui: string;
  /** Token endpoint and client, if clients get tokens by OAuth2. */
  readonly oauth2?: OAuth2Facts;
  /** A bearer token that does not expire. @param user its id, or its name in the realm; the validator's by default */
  token(user?: string): string;
}

/** The URLs of a LocalNet's services: those of its main node and of the super validator. */
export interface LocalnetUrls extends CanticleUrls {
  /** `…/api/sv` of the super validator. */
  readonly sv: string;
}

/** The parts of a LocalNet in addition to its world. */
export interface LocalnetParts extends CanticleParts {
  readonly nodes: readonly NodeShape[];
  /** By the node's name, if clients get tokens by OAuth2. */
  readonly realms: ReadonlyMap<string, Realm>;
  /** Creates the realm of the administrators of the others. */
  readonly master: () => Realm;
  readonly keycloakPort: number;
  /** The host name of the issuer in tokens; undefined for the name that the client used. */
  readonly keycloakHost: string | undefined;
  /** Ports of Scan and the SV app; undefined if only the port of `sv` serves them. */
  readonly scanPort: number | undefined;
  readonly svPort: number | undefined;
  /** Splice's packages, with those that were found. */
  readonly dars: readonly SpliceDar[];
}

const KEYCLOAK = 'keycloak';
const grpcApiOf = (node: string): string => `the gRPC Ledger API of ${node}`;
const adminApiOf = (node: string): string => `the gRPC admin API of ${node}`;

/** A port, for lists and errors. */
export interface LocalnetPort {
  /** Such as `app-user/validator`. */
  readonly name: string;
  /** Such as `validator of app-user`. */
  readonly what: string;
  /** The port number on this machine. */
  readonly port: number;
}

/** A LocalNet in one process: several validators, each with its participant. Create it with `startLocalnet` or `useLocalnet`. */
export class Localnet extends Canticle {
  /** The nodes, with the super validator first. */
  readonly nodes: readonly LocalnetNode[];
  /** Splice's packages, with the paths of those that were found. */
  readonly dars: readonly SpliceDar[];

  constructor(
    world: World,
    private readonly parts: LocalnetParts,
  ) {
    super(world, parts);
    this.dars = parts.dars;
    const { journal } = world.network;
    for (const [name, realm] of parts.realms)
      realm.storeUsersIn(new JournaledMap(journal, `realm-users/${name}`));
    this.nodes = parts.nodes.map((shape) => this.nodeOf(shape));
  }

  /** The node of the super validator. */
  get sv(): LocalnetNode {
    return this.node(SV);
  }

  /** The node app-provider. */
  get appProvider(): LocalnetNode {
    return this.node('app-provider');
  }

  /** The node app-user. */
  get appUser(): LocalnetNode {
    return this.node('app-user');
  }

  /** @throws Error for an unknown name */
  node(name: string): LocalnetNode {
    const found = this.nodes.find((each) => each.name === name);
    if (found !== undefined) return found;
    const names = this.nodes.map((each) => each.name).join(', ');
    throw withCallerStack(
      new Error(`This LocalNet has no node '${name}'. Its nodes are ${names}.`),
    );
  }

  /** Whether Splice's Amulet runs. Otherwise, a simplified Amulet runs. */
  get hasAmulet(): boolean {
    return this.dars.some(({ name, path }) => name === AMULET && path !== undefined);
  }

  /** The default node of clients: app-user, or the first node that is not the super validator. */
  get main(): LocalnetNode {
    const { nodes } = this;
    return (
      nodes.find(({ name }) => name === 'app-user') ??
      nodes.find(({ name }) => name !== SV) ??
      this.sv
    );
  }

  /** The URLs of Ledger API and validator are those of {@link main}. */
  override get urls(): LocalnetUrls {
    const { scanPort, svPort } = this.parts;
    const { ledgerApi, validator } = this.main;
    const scan = scanPort === undefined ? this.hostUrl('scan.localhost') : this.urlOf('scan');
    const sv = svPort === undefined ? this.hostUrl('sv.localhost') : this.urlOf('sv-app');
    return {
      ledgerApi,
      validator,
      scan: `${scan}/api/scan`,
      registry: scan,
      sv: `${sv}/api/sv`,
      control: `${ledgerApi}/canticle/v1`,
      inspector: `${ledgerApi}/canticle/`,
      ...this.gateway.urls((name) => this.urlOf(name)),
    };
  }

  /** URL of the main node's Ledger API. */
  override get url(): string {
    return this.urls.ledgerApi;
  }

  /** The variables of tools in the ecosystem, as `canticle env` prints them. @param node for variables without a node name */
  environment(node = this.main.name): Environment {
    const { scan, sv } = this.urls;
    const facts = this.nodes.map((each) => ({
      ...each,
      token: each.token(),
      walletToken: each.token(each.walletUser),
    }));
    const { dsoParty } = this.splice;
    const { version: spliceVersion } = spliceReleaseOf(this.releases.spliceVersion);
    const main = facts.find(({ name }) => name === this.node(node).name)!;
    return environmentOf(
      { nodes: facts, scan: scan.replace(/\/api\/scan$/, ''), sv, dsoParty, spliceVersion },
      main,
    );
  }

  /** The variables of cn-quickstart's back end. @throws Error without the option `quickstart` */
  get quickstart(): Environment {
    const { pqs, keycloakHost } = this.parts;
    if (keycloakHost === undefined)
      throw withCallerStack(new Error('Start this LocalNet with the option quickstart.'));
    const { appProvider, appUser } = this;
    return quickstartEnvironment({
      grpc: appProvider.grpc!,
      registry: this.urls.registry,
      parties: { provider: appProvider.party, user: appUser.party },
      keycloak: this.keycloakUrl,
      database: databaseOf(this.sqlApis, pqs),
    });
  }

  private get keycloakUrl(): string {
    return this.urlOf(KEYCLOAK, this.parts.keycloakHost);
  }

  protected override ledgerApiOf(participant: string): string {
    return this.node(participant).ledgerApi;
  }

  protected override async userToken(participant: string, user: string): Promise<string> {
    return this.node(participant).token(user);
  }

  protected override walletToken(
    participant: string,
    user: string,
    claims: Readonly<Record<string, unknown>>,
  ): string | undefined {
    const realm = this.parts.realms.get(participant);
    return realm === undefined
      ? super.walletToken(participant, user, claims)
      : realm.tokenOf(user, claims);
  }

  /** The open ports by node and service, in order. */
  get openPorts(): readonly LocalnetPort[] {
    const overHttp = this.openings().map(({ name, what }) => ({
      name,
      what,
      port: this.portOf(name),
    }));
    const portOf = (address: string) => Number(address.replace(/^.*:/, ''));
    const overGrpc = Object.entries(this.grpcApis).map(([name, address]) => ({
      name: `${name}/grpc`,
      what: grpcApiOf(name),
      port: portOf(address),
    }));
    const admin = Object.entries(this.grpcAdminApis).map(([name, address]) => ({
      name: `${name}/grpcAdmin`,
      what: adminApiOf(name),
      port: portOf(address),
    }));
    return [...overHttp, ...overGrpc, ...admin];
  }

  /** The host names that its ports answer, in order. */
  get hostNames(): readonly string[] {
    const names = this.parts.nodes.flatMap(({ name }) =>
      hostsOf(name, this.httpEntry.site(name)).flatMap((host) => host.names),
    );
    const { keycloakHost } = this.parts;
    return [...new Set([...names, ...(keycloakHost === undefined ? [] : [keycloakHost])])];
  }

  /** Adds the service to an error about a port. @param error the rejection of `listen` */
  explainedFailure(error: NodeJS.ErrnoException & { readonly port?: number }): Error {
    const overGrpc = this.parts.nodes.flatMap(({ name, ports }) => [
      { what: grpcApiOf(name), port: ports.grpc },
      { what: adminApiOf(name), port: ports.grpcAdmin },
    ]);
    const sql = { what: 'SQL', port: this.sqlPort };
    const opening = [...this.openings(), ...overGrpc, sql].find(({ port }) => port === error.port);
    if (error.code !== 'EADDRINUSE' || opening === undefined) return error;
    const why = `Failed to listen on port ${error.port} for ${opening.what}: the port is taken. Choose others with --port-offset or --ports auto (portOffset, ports: 'auto').`;
    return Object.assign(new Error(why, { cause: error }), { code: error.code });
  }

  /** The gRPC ports, by node. */
  get grpcPorts(): Pick<GrpcOptions, 'ledgerApiPorts' | 'adminApiPorts'> {
    const { nodes } = this.parts;
    const of = (service: 'grpc' | 'grpcAdmin') =>
      Object.fromEntries(nodes.map(({ name, ports }) => [name, ports[service]]));
    return { ledgerApiPorts: of('grpc'), adminApiPorts: of('grpcAdmin') };
  }

  protected override openings(): readonly (Opening & { readonly what: string })[] {
    const { nodes, scanPort, svPort } = this.parts;
    const { httpEntry } = this;
    const ofNodes = nodes.flatMap(({ name, ports }) => {
      const hosts = new VirtualHosts(hostsOf(name, httpEntry.site(name)), this.overGrpc(name));
      const { ledger, validator } = SERVICES;
      return [
        {
          name,
          what: `the JSON Ledger API of ${name}`,
          port: ports.ledgerApi,
          place: httpEntry.sites(name, ledger),
        },
        {
          name: `${name}/validator`,
          what: `the validator of ${name}`,
          port: ports.validator,
          place: httpEntry.sites(name, validator),
        },
        { name: `${name}/ui`, what: `the hosts of ${name}`, port: ports.ui, place: hosts },
      ];
    });
    const own = [
      { name: 'scan', what: 'Scan', port: scanPort, service: SERVICES.scan },
      { name: 'sv-app', what: 'the SV app', port: svPort, service: SERVICES.sv },
    ].flatMap(({ port, service, ...rest }) =>
      port === undefined ? [] : [{ ...rest, port, place: httpEntry.sites(SV, service) }],
    );
    const { realms, master, keycloakPort, keycloakHost } = this.parts;
    const keycloak = {
      name: KEYCLOAK,
      what: 'Keycloak',
      port: keycloakPort,
      place: new Keycloak([...realms.values()], master, keycloakHost),
    };
    return [...ofNodes, ...own, ...(realms.size > 0 ? [keycloak] : []), ...this.gateway.openings];
  }

  private get sqlPort(): number | undefined {
    const { pqs } = this.parts;
    return typeof pqs === 'object' ? pqs.port : undefined;
  }

  /** Passes gRPC connections from the hosts' port of a node to its gRPC server; undefined for sv, which has no such host. */
  private overGrpc(name: string): OverHttp2 | undefined {
    if (name === SV) return undefined;
    return {
      hosts: GRPC_HOSTS,
      take: (socket) => this.grpc.accept(name, socket, GRPC_HOSTS),
    };
  }

  /** @param realm of its users */
  private oauth2Of(node: string, realm: Realm): OAuth2Facts {
    const path = `/realms/${realm.options.name}`;
    const tokenUrl = `${this.urlOf(KEYCLOAK)}${path}/protocol/openid-connect/token`;
    const { id: clientId, secret: clientSecret } = realmOf(node).client;
    return { issuer: `${this.keycloakUrl}${path}`, tokenUrl, clientId, clientSecret };
  }

  private nodeOf({ name, user, walletUsers }: NodeShape): LocalnetNode {
    const realm = this.parts.realms.get(name);
    const oauth2Of = (of: Realm) => this.oauth2Of(name, of);
    const participant = this.participants.find((each) => each.name === name)!;
    const { party } = this.splice.validatorAt(participant.engine);
    const url = (service: string) => this.urlOf(service);
    const grpcOf = () => this.grpcApis[name];
    const grpcAdminOf = () => this.grpcAdminApis[name];
    return {
      name,
      participant,
      party,
      user,
      walletUser: walletUsers[0] ?? user,
      walletUserName: realm === undefined ? (walletUsers[0] ?? user) : name,
      get ledgerApi() {
        return url(name);
      },
      get grpc() {
        return grpcOf();
      },
      get grpcAdmin() {
        return grpcAdminOf();
      },
      get validator() {
        return `${url(`${name}/validator`)}/api/validator`;
      },
      get wallet() {
        return `${this.validator}/v0/wallet`;
      },
      get ui() {
        return url(`${name}/ui`);
      },
      get oauth2() {
        return realm && oauth2Of(realm);
      },
      token: (of = user) => realm?.tokenOf(of) ?? unsafeToken(of),
    };
  }

  private hostUrl(hostname: string): string {
    return this.urlOf(`${SV}/ui`, hostname);
  }
}
