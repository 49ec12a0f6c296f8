/** From what a user asks of a LocalNet to one that runs: its nodes, packages, users and authorization as Splice's LocalNet has them. */
import type { World } from '../../scenario/world.js';
import { onboardUser } from '../../splice/validators/onboarding.js';
import type { InstanceNames } from '../../splice/instance-names.js';
import { assemble, type Upload, type WorldOptions } from '../assemble.js';
import type { StartOptions } from '../start.js';
import { Localnet } from './localnet.js';
import {
  APP_NODES,
  APP_SYNCHRONIZER,
  LEDGER_API_USER,
  partyHintOf,
  portsOf,
  SV,
  SYNCHRONIZER,
  type NodeShape,
} from './shape.js';
import { AMULET, spliceDars, type SpliceDar } from './splice-dars.js';
import { AUDIENCE, SECRET } from './tokens.js';

/** What LocalNets have instead, or cannot have. */
type Theirs =
  | 'participants'
  | 'synchronizers'
  | 'port'
  | 'ports'
  | 'validator'
  | 'amulet'
  | 'scan'
  | 'pathPrefix'
  | 'registryPrefixes'
  | 'additionalAdminUser'
  | 'enableVerboseHashing';

export interface LocalnetOptions extends Omit<StartOptions, Theirs> {
  /** `auto`, the default: any free ones. `localnet`: those of a LocalNet, such as 2975 for the JSON Ledger API of app-user. */
  readonly ports?: 'auto' | 'localnet';
  /** Added to each of a LocalNet's ports. */
  readonly portOffset?: number;
  /** A port of Scan's own; a LocalNet has none outside its containers. With `auto` there is one all the same. */
  readonly scanPort?: number;
  /** A port of the SV app's own, likewise. */
  readonly svPort?: number;
  /**
   * The folder of Splice's DARs, of which the newest are taken; by default what CANTICLE_DARS says, else `~/.canticle/dars`. False for
   * none: then the test token stands in for Amulet, as it does where they are missing.
   */
  readonly spliceDars?: string | false;
  /** What people call the network, its coin and its names; a LocalNet's own by default (L-ENV-002). */
  readonly instanceNames?: Partial<InstanceNames>;
  /** Whether there is a second synchronizer, `app-synchronizer`, which all but sv are connected to. */
  readonly multiSync?: boolean;
}

/** What others would not understand, or take for something else. */
const OWN_OPTIONS = [
  'ports',
  'portOffset',
  'scanPort',
  'svPort',
  'spliceDars',
  'multiSync',
  'host',
  'idleTimeout',
] as const satisfies readonly (keyof LocalnetOptions)[];

const FAVICON = 'https://www.hyperledger.org/hubfs/hyperledgerfavicon.png';

/** NOTE: of Canton's and Splice's own limits this is the only one that a LocalNet sets and a test sees (L-TOP-004); microseconds. */
const MAX_DEDUPLICATION_DURATION = 30_000_000n;

/**
 * @throws TypeError for options that there are not, LedgerError for those that no network can be made of; what listening refuses has
 *   the system's `code`
 */
export async function startLocalnet(options: LocalnetOptions = {}): Promise<Localnet> {
  const localnet = createLocalnet(options);
  await listenAll(localnet, options);
  return localnet;
}

/** Opens the ports of a LocalNet that has none yet. Rejects as {@link startLocalnet} does. */
export async function listenAll(
  localnet: Localnet,
  { host, idleTimeout }: Pick<LocalnetOptions, 'host' | 'idleTimeout'>,
): Promise<void> {
  const where = {
    ...(host !== undefined && { host }),
    ...(idleTimeout !== undefined && { idleTimeout }),
  };
  try {
    await localnet.listen(where);
  } catch (error) {
    throw localnet.explainedFailure(error as NodeJS.ErrnoException);
  }
}

/** The same without a port, until its `listen` is called. */
export function createLocalnet(options: LocalnetOptions = {}): Localnet {
  const dars = spliceDars(options.spliceDars);
  const nodes = nodesOf(options);
  const { scanPort, svPort } = ownPorts(options);
  const parts = { nodes, dars, scanPort, svPort };
  return assemble(
    worldOptions(options, nodes, dars),
    (world, rest) => new Localnet(world, { ...rest, ...parts }),
  ).canticle;
}

function ownPorts({ ports = 'auto', scanPort, svPort }: LocalnetOptions) {
  return ports === 'auto' ? { scanPort: scanPort ?? 0, svPort: svPort ?? 0 } : { scanPort, svPort };
}

function nodesOf({
  ports = 'auto',
  portOffset = 0,
  multiSync = false,
}: LocalnetOptions): readonly NodeShape[] {
  return [SV, ...APP_NODES].map((name, index) => ({
    name,
    identifier: name === SV ? SV : 'participant',
    partyHint: partyHintOf(name),
    user: LEDGER_API_USER,
    walletUsers: [name],
    synchronizers: multiSync && name !== SV ? [SYNCHRONIZER, APP_SYNCHRONIZER] : [SYNCHRONIZER],
    ports:
      ports === 'auto' ? { ledgerApi: 0, validator: 0, ui: 0 } : portsOf(name, index, portOffset),
  }));
}

function worldOptions(
  options: LocalnetOptions,
  nodes: readonly NodeShape[],
  dars: readonly SpliceDar[],
): WorldOptions {
  const names = nodes.map(({ name }) => name);
  return {
    ...others(options),
    synchronizers: [
      { alias: SYNCHRONIZER, identifier: 'global-domain', foundedBy: SV },
      ...(options.multiSync ? [{ alias: APP_SYNCHRONIZER }] : []),
    ],
    participants: nodes.map(({ name, identifier, synchronizers }) => ({
      name,
      identifier,
      synchronizers,
    })),
    validators: nodes.map(({ name, partyHint, user, walletUsers: [walletUser] }) => ({
      participant: name,
      partyHint,
      user,
      walletUser,
    })),
    uploads: uploadsOf(dars, names),
    instanceNames: { networkFaviconUrl: FAVICON, ...options.instanceNames },
    additionalAdminUser: LEDGER_API_USER,
    auth: options.auth ?? {
      services: [{ type: 'unsafe-jwt-hmac-256', secret: SECRET, targetAudience: AUDIENCE }],
    },
    enableVerboseHashing: true,
    maxDeduplicationDuration: MAX_DEDUPLICATION_DURATION,
    scan: { sees: 'dso' },
    furnish: (world) => furnish(world, nodes, dars),
  };
}

function uploadsOf(dars: readonly SpliceDar[], names: readonly string[]): readonly Upload[] {
  return dars.flatMap(({ path, isOfSv }) =>
    path === undefined ? [] : [{ dar: path, to: isOfSv ? [SV] : names }],
  );
}

function furnish(
  { network, splice, amulet }: World,
  nodes: readonly NodeShape[],
  dars: readonly SpliceDar[],
): void {
  const { dsoParty } = splice;
  for (const { name, user } of nodes) {
    const participant = network.participant(name);
    // The SV app and Scan are that user as well (L-USR-004).
    if (name === SV) participant.users.grant(user, [{ kind: 'CanActAs', party: dsoParty }]);
  }
  if (dars.some(({ name, path }) => name === AMULET && path !== undefined)) amulet.boot();
  for (const { name, walletUsers } of nodes) {
    const validator = splice.validatorAt(network.participant(name));
    for (const userName of walletUsers)
      onboardUser(dsoParty, validator, { userName, party: validator.party });
  }
}

/** What a LocalNet is asked for as any Canticle is. */
function others(options: LocalnetOptions): WorldOptions {
  const own: readonly string[] = OWN_OPTIONS;
  return Object.fromEntries(Object.entries(options).filter(([name]) => !own.includes(name)));
}
