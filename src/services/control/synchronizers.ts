/** Pauses and resumes synchronizers, as if they were down. */
import type { Network } from '../../network/network.js';
import { noSynchronizer, type Synchronizer } from '../../network/synchronizer.js';
import { HttpRefusal, type SomeHandlers } from '../handler.js';

function named(network: Network, name: string): Synchronizer {
  const found = network.synchronizer(name);
  if (found === undefined) throw new HttpRefusal(404, noSynchronizer(name, network.synchronizers));
  return found;
}

const shown = ({ inFlight }: Network, { alias, id, isPaused }: Synchronizer) => ({
  alias,
  id,
  paused: isPaused,
  inFlight: inFlight.on(id).length,
});

export const synchronizers = {
  pauseSynchronizer: ({ network }, { path }) => {
    const synchronizer = named(network, path.synchronizer);
    network.pause(synchronizer);
    return shown(network, synchronizer);
  },

  resumeSynchronizer: ({ network }, { path }) => {
    const synchronizer = named(network, path.synchronizer);
    network.resume(synchronizer);
    return shown(network, synchronizer);
  },
} satisfies SomeHandlers<'control'>;
