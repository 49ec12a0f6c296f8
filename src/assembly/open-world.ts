/** Opens the option `load`: a world that a Canticle saved, or active contracts that a participant exported. */
import { withCallerStack } from '../daml/errors/own-frames.js';
import { looksExported } from '../network/reading/acs-import.js';
import type { NetworkOptions } from '../network/network.js';
import { refuseBeside } from './options.js';
import type { CanticleOptions } from './canticle-options.js';
import { exportedFrom } from './worlds/acs-file.js';
import { contractsWorld } from './worlds/contracts-world.js';
import { savedWorld, readingWorld, unpackedAt, type LoadedWorld } from './worlds/load-world.js';
import { isBytes } from '../daml/errors/realms.js';

/**
 * @param fresh the options of a new network
 * @throws Error for an invalid file, TypeError for options that the file determines
 */
export function openedWorld(
  load: NonNullable<CanticleOptions['load']>,
  options: CanticleOptions,
  fresh: NetworkOptions,
): LoadedWorld {
  const isFile = typeof load === 'string' || isBytes(load);
  const { file, parties } = isFile ? { file: load, parties: undefined } : load;
  const bytes = unpackedAt(file);
  if (!looksExported(bytes)) {
    refuseBeside('world', options);
    if (parties !== undefined)
      throw withCallerStack(
        new TypeError(
          'Failed to create a Canticle: load.parties needs a file of active contracts, but this file is a whole world. Remove parties.',
        ),
      );
    return savedWorld(file, bytes, options);
  }
  refuseBeside('contracts', options);
  const { dars, cache } = options;
  const world = readingWorld(file, () =>
    contractsWorld(exportedFrom(bytes), { parties, fresh, dars, cache }),
  );
  return {
    ...world,
    // Available after `restore`.
    get splice() {
      return world.splice;
    },
    withSource: (make) => readingWorld(file, make),
    restore: (own) => world.restore(own),
  };
}
