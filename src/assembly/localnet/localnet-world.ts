/** The world of a LocalNet: the options of its network, and its initial state. */
import type { DamlPackage } from '../../daml/model/package.js';
import type { Party } from '../../daml/model/values.js';
import type { Realm } from '../../http/keycloak/realm.js';
import { durationOf } from '../../network/model/time-texts.js';
import type { World } from '../../scenario/world.js';
import { bootModel } from '../../splice/founding/boot-amulet.js';
import { AMULET_MODEL } from '../../splice/model/packages.js';
import { TRAFFIC_POLL, type TrafficOptions } from '../../splice/validators/traffic.js';
import { onboardUser } from '../../splice/validators/onboarding.js';
import type { AuthOptions } from '../../services/authorization/options.js';
import type { AmuletOptions } from '../../wallet/amulet.js';
import { ScenarioError } from '../../wallet/scenario-error.js';
import type { Upload, WorldOptions } from '../assemble.js';
import { handedOn } from '../../options/localnet.js';
import type { LocalnetOptions, LocalnetPackage } from './localnet-options.js';
import { validatorsOf } from './nodes.js';
import type { LoadedLocalnet } from './loaded-localnet.js';
import { addPeople } from './people.js';
import {
  APP_SYNCHRONIZER,
  isKnownName,
  LEDGER_API_USER,
  portsOf,
  SV,
  SYNCHRONIZER,
  type NodeShape,
} from './shape.js';
import { AMULET, type SpliceDar } from './splice-dars.js';
import { AUDIENCE, SECRET } from './tokens.js';

const FAVICON = 'https://www.hyperledger.org/hubfs/hyperledgerfavicon.png';

/** Microseconds. NOTE: a LocalNet sets several limits (L-TOP-004); this is the only one that clients can notice. */
const MAX_DEDUPLICATION_DURATION = 30_000_000n;

const SELF_SIGNED: AuthOptions = {
  services: [{ type: 'unsafe-jwt-hmac-256', secret: SECRET, targetAudience: AUDIENCE }],
};

export function worldOptions(
  options: LocalnetOptions,
  nodes: readonly NodeShape[],
  dars: readonly SpliceDar[],
): WorldOptions {
  const { auth, multiSync, instanceNames } = options;
  const names = nodes.map(({ name }) => name);
  const unknown = names.filter((name) => !isKnownName(name));
  return {
    ...others(options),
    synchronizers: [
      { alias: SYNCHRONIZER, identifier: 'global-domain', foundedBy: SV },
      ...(multiSync ? [{ alias: APP_SYNCHRONIZER }] : []),
    ],
    participants: nodes.map(({ name, identifier, synchronizers, canton, externalCalls }) => ({
      name,
      identifier,
      synchronizers,
      ...(canton && { canton }),
      ...(externalCalls && { externalCalls }),
    })),
    validators: nodes.map(
      ({ name, partyHint, user, walletUsers: [walletUser], ports, splice }) => ({
        participant: name,
        partyHint,
        user,
        walletUser,
        ...(splice && { splice }),
        // The port inside the containers does not change if the host uses any free ones.
        adminPort: ports.validator || portsOf(name, unknown.indexOf(name), 0).validator,
      }),
    ),
    packages: [...(needsModel(dars, options) ? AMULET_MODEL : []), ...ownPackages(options)],
    uploads: [...spliceUploads(dars, names), ...ownUploads(options, names)],
    traffic: trafficOf(options, dars),
    trafficControl: true,
    ownAreLate: true,
    instanceNames: { networkFaviconUrl: FAVICON, ...instanceNames },
    // With another administrator, the validator grants the right.
    additionalAdminUser: nodes.every(({ user }) => user === LEDGER_API_USER) && LEDGER_API_USER,
    auth: typeof auth === 'object' ? auth : SELF_SIGNED,
    enableVerboseHashing: true,
    maxDeduplicationDuration: MAX_DEDUPLICATION_DURATION,
    scan: { sees: 'dso' },
    furnish: (world) => furnish(world, nodes, dars, options),
  };
}

/** The options of a saved LocalNet that the file of its world does not contain. */
export function loadedOptions(
  options: LocalnetOptions,
  { world, nodes }: LoadedLocalnet,
): WorldOptions {
  const { auth } = options;
  const names = nodes.map(({ name }) => name);
  return {
    ...others(options),
    loaded: world,
    packages: ownPackages(options),
    uploads: ownUploads(options, names),
    auth: typeof auth === 'object' ? auth : SELF_SIGNED,
    enableVerboseHashing: true,
  };
}

/** Accepts tokens of a realm's users. */
export const takingFrom = ({ keys }: Realm): AuthOptions => ({
  services: [{ type: 'jwt-jwks', keys, targetAudience: AUDIENCE }],
});

/** The options that a LocalNet shares with a Canticle. */
function others(options: LocalnetOptions): WorldOptions {
  return Object.fromEntries(Object.entries(options).filter(([name]) => handedOn(name)));
}

function spliceUploads(dars: readonly SpliceDar[], names: readonly string[]): readonly Upload[] {
  return dars.flatMap(({ path, isOfSv }) =>
    path === undefined ? [] : [{ dar: path, to: isOfSv ? [SV] : names }],
  );
}

const hasAmulet = (dars: readonly SpliceDar[]): boolean =>
  dars.some(({ name, path }) => name === AMULET && path !== undefined);

/** False if the user uploads Amulet's DAR as a package. */
const needsModel = (dars: readonly SpliceDar[], { packages = [] }: LocalnetOptions): boolean =>
  !hasAmulet(dars) &&
  !packages.some((each) => isUpload(each) && /splice-amulet-[\d.]+\.dar$/.test(String(each.dar)));

const ownPackages = ({ packages = [] }: LocalnetOptions): readonly DamlPackage[] =>
  packages.filter((each): each is DamlPackage => !isUpload(each));

const isUpload = (given: DamlPackage | LocalnetPackage): given is LocalnetPackage => 'dar' in given;

/** @throws ScenarioError for an unknown node */
function ownUploads(
  { packages = [] }: LocalnetOptions,
  names: readonly string[],
): readonly Upload[] {
  return packages.filter(isUpload).map(({ dar, uploadTo = names }) => {
    const to = typeof uploadTo === 'string' ? [uploadTo] : uploadTo;
    const unknown = to.find((each) => !names.includes(each));
    if (unknown !== undefined)
      throw new ScenarioError(
        `uploadTo of a package names '${unknown}', which is not a node of this LocalNet. Use one of ${names.join(', ')}.`,
      );
    return { dar, to };
  });
}

function furnish(
  world: World,
  nodes: readonly NodeShape[],
  dars: readonly SpliceDar[],
  options: LocalnetOptions,
): void {
  const { network, splice, amulet } = world;
  const { dsoParty } = splice;
  // The SV app and Scan use the same user, and store their state in its annotations (L-USR-004).
  for (const { name, user } of nodes)
    if (name === SV) {
      const { users } = network.participant(name);
      users.grant(user, [{ kind: 'CanActAs', party: dsoParty }]);
      const { initialRound = 0 } = amuletOptions(options);
      users.update({ id: user, metadata: { annotations: svNotes(dsoParty, initialRound) } }, [
        'metadata.annotations',
      ]);
    }
  if (hasAmulet(dars)) amulet.boot(amuletOptions(options));
  else if (needsModel(dars, options)) bootModel(splice, amuletOptions(options));
  for (const { name, walletUsers } of nodes) {
    const validator = splice.validatorAt(network.participant(name));
    for (const userName of walletUsers)
      onboardUser(dsoParty, validator, { userName, party: validator.party, isUrgent: true });
  }
  addPeople(world, validatorsOf(options));
}

const svNotes = (dsoParty: Party, initialRound: number): Readonly<Record<string, string>> => ({
  'network.canton.global/sv1_initial_package_upload': 'true',
  'sv.app.network.canton.global/dso_party': dsoParty,
  'sv.app.network.canton.global/sv_name': SV,
  'sv.app.network.canton.global/initial_round': String(initialRound),
});

/** @throws ScenarioError if traffic cannot be bought, because Amulet does not run */
function trafficOf(
  options: LocalnetOptions,
  dars: readonly SpliceDar[],
): TrafficOptions | undefined {
  const { traffic = 'unmetered' } = options;
  if (traffic === 'unmetered') return undefined;
  if (needsModel(dars, options))
    throw new ScenarioError(
      "Validators buy traffic with Amulet, but Splice's DARs are missing: `canticle dars` lists them. Or remove traffic, or set it to unmetered.",
    );
  if (traffic === 'metered') return {};
  const { minTopupInterval, ...rest } = traffic;
  if (minTopupInterval === undefined) return rest;
  const interval = durationOf(minTopupInterval);
  if (interval < TRAFFIC_POLL)
    throw new ScenarioError(
      `The minTopupInterval of traffic must be at least 30 seconds, the interval at which validators check.`,
    );
  return { ...rest, minTopupInterval: interval };
}

/** Moves the tick into the configuration. */
function amuletOptions({ amulet = {} }: LocalnetOptions): AmuletOptions {
  const { tick, ...rest } = amulet;
  if (tick === undefined) return rest;
  const tickDuration = { microseconds: String(durationOf(tick)) };
  return { ...rest, config: { ...rest.config, tickDuration } };
}
