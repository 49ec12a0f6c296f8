/** Reads what a fork needs, or finds it in its folder; asks the live side nothing where all is there. */
import { spelledOut } from '../../daml/errors/printable.js';
import { quickstartPackage } from '../../daml/define/quickstart.js';
import type { DamlPackage } from '../../daml/model/package.js';
import type { NetworkOptions } from '../../network/network.js';
import { BUILT_IN } from '../../network/open.js';
import { DEFAULT_API_VERSION, type ApiVersion } from '../../spec/versions.js';
import { AMULET_MODEL } from '../../splice/model/packages.js';
import { TOKEN_PACKAGES } from '../../token/package.js';
import { contractsWorld } from '../worlds/contracts-world.js';
import type { LoadedWorld } from '../worlds/load-world.js';
import { ForkFailed } from './fork-failed.js';
import type { ForkOptions } from './fork-options.js';
import { forkStore, type ForkStore } from './fork-store.js';
import { forkedWorld, type Opening } from './forked-world.js';
import { LiveSide } from './live-side.js';
import { isComplete, readLive } from './read-live.js';
import { Reading } from './reading.js';
import { isScanRead, readScan, scanSide } from './read-scan.js';
import { configuredDars, found, scannedIn, type Scanned } from './scanned.js';

/** Made once it is known what a new network would be opened with. */
export type Forked = (fresh: NetworkOptions) => LoadedWorld;

/** @throws ForkFailed: what was read by then stays in the folder, and the next start goes on from there */
export async function openFork(
  given: ForkOptions,
  options: Opening & { readonly apiVersion?: ApiVersion },
): Promise<Forked> {
  const own: readonly DamlPackage[] = [
    ...BUILT_IN,
    ...TOKEN_PACKAGES,
    quickstartPackage,
    ...AMULET_MODEL,
    ...(options.packages ?? []),
  ];
  const { onProgress } = given;
  // What a live side says may be shown as it is, a line each.
  const fork = { ...given, onProgress: (line: string) => onProgress?.(spelledOut(line)) };
  const store = forkStore(fork);
  if (fork.refresh === true) store.clear();
  await readInto(store, fork, new Set(own.map(({ id }) => id)));
  const { url, scan } = fork;
  const scanned = scan === undefined ? undefined : usable(() => scannedIn(store));
  if (url === undefined)
    return (fresh) => usable(() => scanWorld(scanned!, fork, { ...options, fresh }));
  const world = usable(() => forkedWorld(store, fork, own, options, scanned));
  return () => ({ ...world, withSource: usable });
}

async function readInto(
  store: ForkStore,
  fork: ForkOptions,
  known: ReadonlySet<string>,
): Promise<void> {
  const { url, scan } = fork;
  const isRead =
    (url === undefined || isComplete(store)) && (scan === undefined || isScanRead(store));
  if (isRead) return fork.onProgress?.('read before: nobody is asked');
  const reading = new Reading(fork);
  try {
    if (url !== undefined && !isComplete(store))
      await readLive(new LiveSide(url, reading, fork.token), store, fork, known);
    if (scan !== undefined && !isScanRead(store))
      await readScan(scanSide(scan, reading), store, fork);
  } finally {
    reading.end();
  }
}

/** What no network can be made of is a fault of the live side, whatever the network finds first. */
function usable<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof ForkFailed) throw error;
    throw new ForkFailed(
      `no network can be made of what was read: ${(error as Error).message}`,
      undefined,
      error,
    );
  }
}

/** The DSO's world alone, in a network of its own. */
function scanWorld(
  { head, contracts, instanceNames }: Scanned,
  { parties = [], onProgress }: ForkOptions,
  { dars = [], cache, apiVersion = DEFAULT_API_VERSION, fresh }: ScanOpening,
): LoadedWorld {
  const configured = configuredDars(head, onProgress ?? (() => undefined));
  const world = contractsWorld(contracts, {
    parties: [head.dsoParty, ...parties],
    fresh,
    apiVersion,
    migrationId: head.migrationId,
    dars: [...dars, ...configured],
    cache,
  });
  return {
    ...world,
    // Known once it is restored.
    get splice() {
      return { ...world.splice, ...(instanceNames && { instanceNames }) };
    },
    withSource: usable,
    restore: (own) => (network) => found(() => world.restore(own)(network)),
  };
}

interface ScanOpening extends Opening {
  readonly apiVersion?: ApiVersion;
  readonly fresh: NetworkOptions;
}
