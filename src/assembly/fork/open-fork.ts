/** Reads the data of a fork, or finds it in its folder. If all data is stored, it sends no requests. */
import { spelledOut } from '../../daml/errors/printable.js';
import { quickstartPackage } from '../../daml/define/quickstart.js';
import type { DamlPackage } from '../../daml/model/package.js';
import type { NetworkOptions } from '../../network/network.js';
import { BUILT_IN } from '../../network/open.js';
import {
  DEFAULT_SPLICE_VERSION,
  spliceVersionOf,
  type SpliceVersion,
} from '../../spec/versions.js';
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
import { isScanRead, readScan, scanSide, type ScanHead } from './read-scan.js';
import { configuredDars, found, scannedIn, type Scanned } from './scanned.js';

/** Creates the world, from the options of a new network. */
export type Forked = (fresh: NetworkOptions) => LoadedWorld;

export interface OpenedFork {
  readonly forked: Forked;
  /** The release of its Scan, if Canticle knows it. */
  readonly splice?: SpliceVersion;
}

/** @throws ForkFailed; the folder keeps the data read so far, and the next start continues there */
export async function openFork(
  given: ForkOptions,
  options: Opening & { readonly splice?: SpliceVersion | undefined },
): Promise<OpenedFork> {
  const own: readonly DamlPackage[] = [
    ...BUILT_IN,
    ...TOKEN_PACKAGES,
    quickstartPackage,
    ...AMULET_MODEL,
    ...(options.packages ?? []),
  ];
  const { onProgress } = given;
  // Texts of a live system may contain any characters.
  const fork = { ...given, onProgress: (line: string) => onProgress?.(spelledOut(line)) };
  const store = forkStore(fork);
  if (fork.refresh === true) store.clear();
  await readInto(store, fork, new Set(own.map(({ id }) => id)));
  const { url, scan } = fork;
  const scanned = scan === undefined ? undefined : usable(() => scannedIn(store));
  const splice = scanned && releaseOfScan(scanned.head, options.splice, fork.onProgress);
  const release = splice === undefined ? {} : { splice };
  if (url === undefined) {
    const forked: Forked = (fresh) =>
      usable(() => scanWorld(scanned!, fork, { ...options, fresh }));
    return { forked, ...release };
  }
  const world = usable(() => forkedWorld(store, fork, own, options, scanned));
  return { forked: () => ({ ...world, withSource: usable }), ...release };
}

/** Reports the release of the fork. @param stated that of the options, for a Scan of an unknown release */
function releaseOfScan(
  { version }: ScanHead,
  stated: SpliceVersion | undefined,
  report: (line: string) => void,
): SpliceVersion | undefined {
  const known = version === undefined ? undefined : spliceVersionOf(version);
  const others =
    stated === undefined ? `${DEFAULT_SPLICE_VERSION}, the default` : `${stated}, as stated`;
  const what =
    version === undefined
      ? 'its Scan does not report its release'
      : `its Scan runs Splice ${version}`;
  const answers = `the fork answers as ${known ?? others}`;
  report(
    version === undefined || known !== undefined
      ? `${what}: ${answers}`
      : `${what}, which Canticle does not know: ${answers}`,
  );
  return known;
}

async function readInto(
  store: ForkStore,
  fork: ForkOptions,
  known: ReadonlySet<string>,
): Promise<void> {
  const { url, scan } = fork;
  const isRead =
    (url === undefined || isComplete(store)) && (scan === undefined || isScanRead(store));
  if (isRead) return fork.onProgress?.('the data is stored: no requests are sent');
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

/** Any error of the network about the data is a fault of the live side. */
function usable<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof ForkFailed) throw error;
    throw new ForkFailed(
      `Canticle cannot build a network from the data: ${(error as Error).message}`,
      undefined,
      error,
    );
  }
}

/** The world of the DSO in a new network. */
function scanWorld(
  { head, contracts, instanceNames }: Scanned,
  { parties = [], onProgress }: ForkOptions,
  { dars = [], cache, fresh }: ScanOpening,
): LoadedWorld {
  const configured = configuredDars(head, onProgress ?? (() => undefined));
  const world = contractsWorld(contracts, {
    parties: [head.dsoParty, ...parties],
    fresh,
    migrationId: head.migrationId,
    dars: [...dars, ...configured],
    cache,
  });
  return {
    ...world,
    // Available after `restore`.
    get splice() {
      const { initialRound } = head;
      return { ...world.splice, initialRound, ...(instanceNames && { instanceNames }) };
    },
    withSource: usable,
    restore: (own) => (network) => found(() => world.restore(own)(network)),
  };
}

interface ScanOpening extends Opening {
  readonly fresh: NetworkOptions;
}
