/** A LocalNet out of a file of its world: the nodes that are in it, their users, and which of Splice's packages they have. */
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
import { spliceDars, type SpliceDar } from './splice-dars.js';
import { isBytes } from '../../daml/errors/realms.js';

/** What a LocalNet is made of that was saved. */
export interface LoadedLocalnet {
  readonly world: SavedWorld;
  /** In their order, sv's first. */
  readonly nodes: readonly NodeShape[];
  /** Of the packages in it. */
  readonly dars: readonly SpliceDar[];
}

/** @throws Error for a file that is none, or of no LocalNet; TypeError for options that mean nothing beside it */
export function loadedLocalnet(
  load: NonNullable<WorldOptions['load']>,
  options: LocalnetOptions,
): LoadedLocalnet {
  refuseBeside('localnet', options, LOCALNET);
  // Where the file has no DARs, they are those of the folder.
  const folder = spliceDars(options.spliceDars).flatMap(({ path }) => path ?? []);
  const isFile = typeof load === 'string' || isBytes(load);
  const world = loadedWorld(isFile ? load : load.file, {
    dars: [...(options.dars ?? []), ...folder],
    ...cacheOf(options),
  });
  return { world, nodes: nodesIn(world, options), dars: darsIn(world) };
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
        `Failed to load the world: it is not that of a LocalNet, whose first participant is ${SV}; \`load\` of a Canticle takes it.`,
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
        `Failed to create a Canticle: the users of the world that is loaded are those of auth ${mode}, not of ${auth}.`,
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

/** As of a folder: the newest of each. */
function darsIn({ packages }: SavedWorld): readonly SpliceDar[] {
  return spliceDars(false).map((each) => {
    const [newest] = packages
      .filter(({ name, language }) => name === each.name && language !== 'typescript')
      .map(({ version }) => version)
      .sort((one, other) => compareVersions(other, one));
    return newest === undefined
      ? each
      : { ...each, version: newest, path: `${each.name}-${newest}` };
  });
}
