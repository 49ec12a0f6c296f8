/**
 * Finds a LocalNet of another process, by the ports of a LocalNet, with or without an offset, or by the port file that
 * `canticle localnet` wrote. The LocalNet reports its nodes.
 */
import { readFileSync } from 'node:fs';
import type { NetworkFacts, NodeFacts } from '../../assembly/localnet/environment.js';
import {
  APP_NODES,
  KEYCLOAK_PORT,
  LEDGER_API_USER,
  portsOf,
  SV,
  type NodePorts,
} from '../../assembly/localnet/shape.js';
import { PASSWORD, realmName, realmOf } from '../../assembly/localnet/realms.js';
import { unsafeToken } from '../../assembly/localnet/tokens.js';
import type { ClientTls } from '../../client/http-side.js';
import { isJsonObject } from '../../daml/model/own-members.js';
import { aCount, anObjectOf, aText, mapOf, optional } from '../../spec/shapes.js';
import { causeOf, CommandFailed } from '../terminal.js';
import { request, schemeAt, tlsError, type LocalnetAddress } from './requests.js';
import type { WhereFlags } from './where-flags.js';

/** The services of a LocalNet by the names of its nodes, and its own ports. */
export interface Whereabouts extends LocalnetAddress {
  readonly nodes: readonly { readonly name: string; readonly ports: NodePorts }[];
  /** Ports of Scan and the SV app; undefined if only sv's proxy serves them. */
  readonly scan?: number;
  readonly sv?: number;
  readonly keycloak: number;
}

/** @param credentials for a LocalNet that serves TLS */
export async function whereaboutsOf(
  { host, portOffset = 0, portFile }: WhereFlags,
  credentials: ClientTls = {},
): Promise<Whereabouts> {
  const ports = portFile === undefined ? usualPorts(portOffset) : readPorts(portFile);
  const [first] = ports.nodes;
  const scheme = first === undefined ? 'http' : await schemeAt(host, first.ports.ledgerApi);
  return { host, credentials, scheme, ...ports };
}

type Ports = Omit<Whereabouts, keyof LocalnetAddress>;

function usualPorts(portOffset: number): Ports {
  const nodes = [SV, ...APP_NODES].map((name, index) => ({
    name,
    ports: portsOf(name, index, portOffset),
  }));
  return { nodes, keycloak: KEYCLOAK_PORT + portOffset };
}

interface PortFile {
  readonly [node: string]: {
    readonly jsonApi?: number;
    readonly grpc?: number;
    readonly grpcAdmin?: number;
    readonly validator?: number;
    readonly ui?: number;
    readonly http?: number;
  };
}

function readPorts(path: string): Ports {
  let read: PortFile;
  try {
    read = portsIn(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new CommandFailed(
      `failed to read the port file '${path}': ${causeOf(error)}. A LocalNet writes it while it runs: canticle localnet --port-file ${path}.`,
    );
  }
  const nodes = Object.entries(read).flatMap(
    ([name, { jsonApi, grpc = 0, grpcAdmin = 0, validator, ui }]) =>
      jsonApi === undefined || validator === undefined || ui === undefined
        ? []
        : [{ name, ports: { ledgerApi: jsonApi, grpc, grpcAdmin, validator, ui } }],
  );
  const own = (name: string) => read[name]?.http;
  return { nodes, scan: own('scan'), sv: own('sv-app'), keycloak: own('keycloak') ?? 0 };
}

const PORT = optional(aCount);
const PORT_FILE = mapOf(
  anObjectOf({
    jsonApi: PORT,
    grpc: PORT,
    grpcAdmin: PORT,
    validator: PORT,
    ui: PORT,
    http: PORT,
  }),
);

function portsIn(json: unknown): PortFile {
  const error = PORT_FILE(json, '');
  if (error !== undefined) throw new Error(error);
  return json as PortFile;
}

/** URL of a path of Scan, by its own port or by its host name at the proxy. */
export function scanUrl(where: Whereabouts): string {
  return ownUrl(where, where.scan, 'scan.localhost');
}

export function svUrl(where: Whereabouts): string {
  return ownUrl(where, where.sv, 'sv.localhost');
}

function ownUrl(where: Whereabouts, port: number | undefined, name: string): string {
  if (port !== undefined) return urlOf(where, port);
  return `${where.scheme}://${name}:${where.nodes.find((each) => each.name === SV)?.ports.ui}`;
}

export const urlOf = ({ scheme, host }: LocalnetAddress, port: number): string =>
  `${scheme}://${host}:${port}`;

/** The issuer of the tokens of a realm. */
export const issuerOf = (where: Whereabouts, node: string): string =>
  `${urlOf(where, where.keycloak)}/realms/${realmName(node)}`;

/** Requests its facts. @throws CommandFailed if no service answers */
export async function factsOf(where: Whereabouts): Promise<NetworkFacts> {
  const scan = scanUrl(where);
  const [dso, app, ...nodes] = await Promise.all([
    answerOf(where, `${scan}/api/scan/v0/dso-party-id`, ['dso_party_id']),
    answerOf(where, `${scan}/api/scan/version`, ['version']),
    ...where.nodes.map((node) => nodeFacts(where, node)),
  ]);
  return {
    nodes,
    scan,
    sv: `${svUrl(where)}/api/sv`,
    dsoParty: dso['dso_party_id']!,
    spliceVersion: app['version']!,
  };
}

async function nodeFacts(
  where: Whereabouts,
  { name, ports }: Whereabouts['nodes'][number],
): Promise<NodeFacts> {
  const validator = `${urlOf(where, ports.validator)}/api/validator`;
  const answer = await answerOf(where, `${validator}/v0/validator-user`, ['party_id', 'user_name']);
  const [party, user] = [answer['party_id']!, answer['user_name']!];
  const ledgerApi = urlOf(where, ports.ledgerApi);
  const at = (port: number) => (port === 0 ? undefined : `${where.host}:${port}`);
  const [grpc, grpcAdmin] = [at(ports.grpc), at(ports.grpcAdmin)];
  const common = { name, ledgerApi, grpc, grpcAdmin, validator, party, user };
  if (user !== LEDGER_API_USER) return { ...common, ...(await loggedIn(where, name)) };
  const [token, walletToken] = [unsafeToken(user), unsafeToken(name)];
  return { ...common, walletUser: name, token, walletToken };
}

/** The tokens of a node with a realm: the realm issues them to its validator and to the user of its wallet. */
async function loggedIn(where: Whereabouts, name: string) {
  const { client, walletUser } = realmOf(name);
  const issuer = issuerOf(where, name);
  const tokenUrl = `${issuer}/protocol/openid-connect/token`;
  const tokenFor = async (form: Readonly<Record<string, string>>): Promise<string> => {
    const answer = await request(where, tokenUrl, form).catch(() => undefined);
    const given = answer?.status === 200 ? answer.body : undefined;
    if (isJsonObject(given) && typeof given['access_token'] === 'string')
      return given['access_token'];
    throw new CommandFailed(
      `failed to get a token from ${tokenUrl}: ${answer?.status ?? 'no answer'}.`,
    );
  };
  const { id: clientId, secret: clientSecret } = client;
  return {
    walletUser,
    token: await tokenFor({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    }),
    walletToken: await tokenFor({
      grant_type: 'password',
      client_id: `${name}-unsafe`,
      username: name,
      password: PASSWORD,
    }),
    oauth2: { issuer, tokenUrl, clientId, clientSecret },
  };
}

/** @param members texts that the answer must have */
async function answerOf(
  where: Whereabouts,
  url: string,
  members: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  try {
    const { status, bytes } = await request(where, url);
    if (status !== 200) throw new Error(`it answers ${status}`);
    const json = JSON.parse(bytes.toString()) as Readonly<Record<string, string>>;
    const error = anObjectOf(Object.fromEntries(members.map((each) => [each, aText])))(json, '');
    if (error !== undefined) throw new Error(error);
    return json;
  } catch (error) {
    const problem = tlsError(error, where.credentials);
    if (problem !== undefined) throw new CommandFailed(`failed to query ${url}: ${problem}.`);
    throw new CommandFailed(
      `no LocalNet answers at ${url}: ${(error as Error).message}. Start one with canticle localnet, or pass --port-offset or --port-file.`,
    );
  }
}
