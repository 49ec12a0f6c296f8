/** Creates a LocalNet from its options, with the nodes, packages, users and authorization of Splice's LocalNet. */
import { Realm } from '../../http/keycloak/realm.js';
import { MASTER } from '../../http/keycloak/admin.js';
import { assemble } from '../assemble.js';
import { inNamedReleases } from '../releases/named.js';
import { Localnet, type LocalnetParts } from './localnet.js';
import type { LocalnetOptions } from './localnet-options.js';
import { nodesOf } from './nodes.js';
import { loadedLocalnet } from './loaded-localnet.js';
import { KEYCLOAK_HOST, withQuickstart } from './quickstart.js';
import { loadedOptions, takingFrom, worldOptions } from './localnet-world.js';
import type { WalletGatewayOptions } from '../wallet-gateway/gateway-options.js';
import { WALLET_GATEWAY_PORT } from '../wallet-gateway/gateway-paths.js';
import { PQS_PORT, type PqsOptions } from '../pqs/pqs-options.js';
import { KEYCLOAK_PORT, SV, type NodeShape } from './shape.js';
import { spliceDars } from './splice-dars.js';

/** Opens the ports of a LocalNet that has none yet. If it cannot listen, rejects with the system's error and its `code`. */
export async function listenAll(
  localnet: Localnet,
  { host, idleTimeout, ports, basePort, grpc, tls, quickstart }: LocalnetOptions,
): Promise<void> {
  const isOnItsOwn = ports === 'localnet' || (basePort !== undefined && ports !== 'auto');
  const where = {
    grpc: (quickstart || (grpc ?? isOnItsOwn)) && localnet.grpcPorts,
    ...(host !== undefined && { host }),
    ...(idleTimeout !== undefined && { idleTimeout }),
    ...(tls !== undefined && { tls }),
  };
  try {
    await localnet.listen(where);
  } catch (error) {
    throw localnet.explainedFailure(error as NodeJS.ErrnoException);
  }
}

/** The same without a port. @param options that are complete: see localnet-checks.ts */
export function createLocalnet(given: LocalnetOptions): Localnet {
  const options = withQuickstart(given);
  const loaded = options.load === undefined ? undefined : loadedLocalnet(options.load, options);
  const dars = loaded?.dars ?? spliceDars(options.spliceDars, inNamedReleases(options).splice);
  const nodes = loaded?.nodes ?? nodesOf(options);
  const realms = realmsOf(nodes, options);
  const taken = [...realms].map(([name, realm]) => [name, takingFrom(realm)]);
  const { seed = 0, realClock = Date.now } = options;
  const master = () => new Realm(MASTER, seed, realClock);
  const parts = {
    nodes,
    dars,
    realms,
    master,
    ...ownPorts(options),
    walletGateway: gatewayOf(options, nodes),
    pqs: pqsOf(options),
    keycloakHost: options.quickstart ? KEYCLOAK_HOST : undefined,
    authOf: Object.fromEntries(taken),
    // Without another issuer, any client can create its own tokens, so a check of tokens would only exclude the
    // inspector.
    openControls: options.openControls ?? typeof options.auth !== 'object',
  };
  return assemble(
    loaded === undefined ? worldOptions(options, nodes, dars) : loadedOptions(options, loaded),
    (world, rest) => new Localnet(world, { ...rest, ...parts }),
  ).canticle;
}

function realmsOf(
  nodes: readonly NodeShape[],
  { seed = 0, realClock = Date.now }: LocalnetOptions,
): ReadonlyMap<string, Realm> {
  return new Map(
    nodes.flatMap(({ name, realm }) =>
      realm === undefined ? [] : [[name, new Realm(realm, seed, realClock)] as const],
    ),
  );
}

/** Its wallets are parties of app-user, or of the first node after the super validator. */
function gatewayOf(
  { walletGateway, ports, portOffset = 0 }: LocalnetOptions,
  nodes: readonly NodeShape[],
): WalletGatewayOptions | undefined {
  if (!walletGateway) return undefined;
  const options = walletGateway === true ? {} : walletGateway;
  const apps = nodes.filter(({ name }) => name !== SV);
  const main = apps.find(({ name }) => name === 'app-user') ?? apps[0] ?? nodes[0]!;
  const participant = options.participant ?? main.name;
  const user = nodes.find(({ name }) => name === participant)?.user;
  const port = ports === 'localnet' ? WALLET_GATEWAY_PORT + portOffset : 0;
  return { port, ...(user !== undefined && { user }), ...options, participant };
}

function pqsOf({ pqs, ports, portOffset = 0 }: LocalnetOptions): PqsOptions | undefined {
  if (!pqs) return undefined;
  const port = ports === 'localnet' ? PQS_PORT + portOffset : 0;
  return { port, ...(pqs === true ? {} : pqs) };
}

function ownPorts({
  ports = 'auto',
  portOffset = 0,
  scanPort,
  svPort,
}: LocalnetOptions): Pick<LocalnetParts, 'scanPort' | 'svPort' | 'keycloakPort'> {
  if (ports === 'localnet') return { scanPort, svPort, keycloakPort: KEYCLOAK_PORT + portOffset };
  return { scanPort: scanPort ?? 0, svPort: svPort ?? 0, keycloakPort: 0 };
}
