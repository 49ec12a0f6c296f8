/** Loads a LocalNet from the file of its world: its nodes, their users, and its Splice packages. */
import { withCallerStack } from '../../daml/errors/own-frames.js';
import { compareVersions } from '../../daml/model/versions.js';
import type { WorldOptions } from '../assemble.js';
import { loadedWorld, type SavedWorld } from '../worlds/load-world.js';
import { LOCALNET } from '../../options/localnet.js';
import { refuseBeside } from '../options.js';
import type { LocalnetOptions } from './localnet-options.js';
import { portsOfNode } from './nodes.js';
import { realmOf } from './realms.js';
import { isKnownName, SV, SYNCHRONIZER, type NodeShape } from './shape.js';
import { darsOfAnyRelease, spliceDars, type SpliceDar } from './splice-dars.js';
import { isBytes } from '../../daml/errors/realms.js';

/** The parts of a saved LocalNet. */
export interface LoadedLocalnet {
  readonly world: SavedWorld;
  /** In the order of the participants, with sv first. */
  readonly nodes: readonly NodeShape[];
  /** Splice's DARs whose packages are in the world. */
  readonly dars: readonly SpliceDar[];
}

/** @throws Error for an invalid file, or one that is not a LocalNet; TypeError for options that a loaded world determines */
export function loadedLocalnet(
  load: NonNullable<WorldOptions['load']>,
  options: LocalnetOptions,
): LoadedLocalnet {
  refuseBeside('localnet', options, LOCALNET);
  // If the file has no DARs, uses those of the folder.
  const folder = darsOfAnyRelease(options.spliceDars);
  const isFile = typeof load === 'string' || isBytes(load);
  const world = loadedWorld(isFile ? load : load.file, {
    dars: [...(options.dars ?? []), ...folder],
    ...cacheOf(options),
  });
  return { world, nodes: nodesIn(world, options), dars: darsIn(world, options) };
}

const cacheOf = ({ cache }: LocalnetOptions) => (cache === undefined ? {} : { cache });

function nodesIn({ network, splice }: SavedWorld, options: LocalnetOptions): readonly NodeShape[] {
  const { participants = [], synchronizers = [] } = network;
  const validators = splice.saved!.validators;
  const [first] = participants;
  const [global] = synchronizers;
  if (first?.name !== SV || global?.alias !== SYNCHRONIZER || global.foundedBy !== SV)
    throw withCallerStack(
      new Error(
        `Failed to load the world: it is not a LocalNet, because its first participant is not ${SV}. Use \`load\` of a Canticle instead.`,
      ),
    );
  const isOAuth2 = participants.some(
    ({ name }, place) => name !== SV && validators[place]!.user === realmOf(name).user,
  );
  const { auth } = options;
  const mode = isOAuth2 ? 'oauth2' : 'shared-secret';
  if (typeof auth === 'string' && auth !== mode)
    throw withCallerStack(
      new TypeError(
        `Failed to create a Canticle: the loaded world has the users of auth ${mode}, not of auth ${auth}. Remove auth, or set it to ${mode}.`,
      ),
    );
  const others = participants.filter(({ name }) => !isKnownName(name));
  return participants.map((each, index) => {
    const { name, identifier = name, synchronizers: connected } = each;
    const { user, walletUser, party } = validators[index]!;
    const hasRealm = isOAuth2 && name !== SV && typeof auth !== 'object';
    return {
      name,
      identifier,
      partyHint: party.slice(0, party.lastIndexOf('::')),
      user,
      walletUsers: walletUser === user ? [] : [walletUser],
      synchronizers: connected ?? synchronizers.map(({ alias }) => alias),
      ports: portsOfNode(name, index, others.indexOf(each), options),
      ...(hasRealm && { realm: realmOf(name, options).realm }),
    };
  });
}

/** As if they were in a folder: the newest version of each. */
function darsIn(
  { packages, releases }: SavedWorld,
  { splice = releases?.splice }: LocalnetOptions,
): readonly SpliceDar[] {
  return spliceDars(false, splice).map((each) => {
    const [newest] = packages
      .filter(({ name, language }) => name === each.name && language !== 'typescript')
      .map(({ version }) => version)
      .sort((one, other) => compareVersions(other, one));
    return newest === undefined
      ? each
      : { ...each, version: newest, path: `${each.name}-${newest}` };
  });
}
