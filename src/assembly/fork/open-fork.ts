/** Reads what a fork needs, or finds it in its folder; asks the live side nothing where all is there. */
import { quickstartPackage } from '../../daml/define/quickstart.js';
import type { DamlPackage } from '../../daml/model/package.js';
import { BUILT_IN } from '../../network/open.js';
import { AMULET_MODEL } from '../../splice/model/packages.js';
import { TOKEN_PACKAGES } from '../../token/package.js';
import type { LoadedWorld } from '../worlds/load-world.js';
import type { ForkOptions } from './fork-options.js';
import { forkStore } from './fork-store.js';
import { forkedWorld, type Opening } from './forked-world.js';
import { LiveSide } from './live-side.js';
import { isComplete, readLive } from './read-live.js';

/** @throws ForkFailed: what was read by then stays in the folder, and the next start goes on from there */
export async function openFork(fork: ForkOptions, options: Opening): Promise<LoadedWorld> {
  const own: readonly DamlPackage[] = [
    ...BUILT_IN,
    ...TOKEN_PACKAGES,
    quickstartPackage,
    ...AMULET_MODEL,
    ...(options.packages ?? []),
  ];
  const store = forkStore(fork);
  if (fork.refresh === true) store.clear();
  if (isComplete(store)) fork.onProgress?.('read before: nobody is asked');
  else {
    const live = new LiveSide(fork.url, fork.token);
    await readLive(live, store, fork, new Set(own.map(({ id }) => id)));
  }
  return forkedWorld(store, fork, own, options);
}
