/** What `load` names, opened by what it is: a world that a Canticle saved, or active contracts that a participant exported. */
import { withCallerStack } from '../daml/errors/own-frames.js';
import type { Party } from '../daml/model/values.js';
import { looksExported } from '../network/reading/acs-import.js';
import type { NetworkOptions } from '../network/network.js';
import { DEFAULT_API_VERSION } from '../spec/versions.js';
import { refuseBeside } from './options.js';
import type { CanticleOptions } from './start.js';
import { exportedFrom } from './worlds/acs-file.js';
import { contractsWorld } from './worlds/contracts-world.js';
import { savedWorld, readingWorld, unpackedAt, type LoadedWorld } from './worlds/load-world.js';
import { isBytes } from '../daml/errors/realms.js';

/** Active contracts that a participant exported, and who is there beside those whom they name. */
export interface LoadOptions {
  /** Its path, or its bytes. */
  readonly file: string | Uint8Array;
  /** Ids of parties that have no contracts, and are hosted here as well. */
  readonly parties?: readonly Party[];
}

/**
 * @param fresh what a new network would be opened with
 * @throws Error that says what is wrong with the file, TypeError for what means nothing beside it
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
          'Failed to create a Canticle: parties are named beside active contracts alone, and this file is a whole world.',
        ),
      );
    return savedWorld(file, bytes, options);
  }
  refuseBeside('contracts', options);
  const { dars, cache, apiVersion = DEFAULT_API_VERSION } = options;
  const world = readingWorld(file, () =>
    contractsWorld(exportedFrom(bytes), { parties, fresh, apiVersion, dars, cache }),
  );
  return {
    ...world,
    // Known once it is restored.
    get splice() {
      return world.splice;
    },
    withSource: (make) => readingWorld(file, make),
    restore: (own) => world.restore(own),
  };
}
