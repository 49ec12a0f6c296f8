/** Opens the file of a world: the options of its network, and its packages from the file or from the caller. */
import { readDar } from '../../daml/dar/dar-file.js';
import { readPayloads } from '../../daml/dar/payloads.js';
import { withCallerStack } from '../../daml/errors/own-frames.js';
import type { DamlPackage } from '../../daml/model/package.js';
import type { PackageId } from '../../daml/model/types.js';
import type { Network, NetworkOptions } from '../../network/network.js';
import { looksExported } from '../../network/reading/acs-import.js';
import { restoreNetwork } from '../../network/worlds/restore.js';
import type { StatedReleases } from '../../spec/releases/releases.js';
import type { SpliceOptions } from '../../splice/splice.js';
import type { TrafficOptions } from '../../splice/validators/traffic.js';
import { readBoundedFile } from '../bounded-file.js';
import { checkedPackages } from '../cache/fact-files.js';
import { readNamedFile } from '../dar-files.js';
import { fileError, unreadable } from '../file-errors.js';
import {
  MAX_WORLD_FILE,
  partsIn,
  unpackedFile,
  type WorldPackage,
  type WorldParts,
} from './world-file.js';

/** The parts of a world before its network exists. */
export interface BareWorld {
  /** The options of its network. */
  readonly network: NetworkOptions;
  /** The options of its Splice. */
  readonly splice: SpliceOptions;
  /** Its releases; those of the options by default. */
  readonly releases?: StatedReleases;
  /** @param own packages that are always available @returns a function that restores the state of the file */
  readonly restore: (own: readonly DamlPackage[]) => (network: Network) => void;
}

/** A world from a file, or from a live participant. */
export interface LoadedWorld extends BareWorld {
  /** Adds the origin of the world to any error about it. */
  readonly withSource: <T>(make: () => T) => T;
}

/** An opened file, with its packages. */
export interface SavedWorld extends LoadedWorld {
  /** Sorted by id. */
  readonly packages: readonly WorldPackage[];
}

/** Sources of packages that the file does not contain. */
interface Bringing {
  readonly dars?: readonly (Uint8Array | string)[];
  readonly cache?: string | false;
}

/** @param source the file's path, or its bytes @throws Error with the reason */
export function loadedWorld(source: string | Uint8Array, options: Bringing): SavedWorld {
  const bytes = unpackedAt(source);
  if (looksExported(bytes))
    return readingWorld(source, () => {
      throw new Error(
        'it has only the active contracts of a participant. Use `load` of a Canticle instead',
      );
    });
  return savedWorld(source, bytes, options);
}

/** Adds the name of the file to any error about it. */
export function readingWorld<T>(source: string | Uint8Array, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const what = typeof source === 'string' ? `the world '${source}'` : 'the world';
    throw withCallerStack(unreadable(what, error, fileError(error).replace(/\.$/, '')));
  }
}

/** The uncompressed bytes of a file. @throws as {@link loadedWorld} */
export const unpackedAt = (source: string | Uint8Array): Buffer =>
  readingWorld(source, () =>
    unpackedFile(
      typeof source === 'string' ? readBoundedFile(source, MAX_WORLD_FILE) : source,
      looksExported,
    ),
  );

/** @param bytes the uncompressed bytes of the source @throws as {@link loadedWorld} */
export function savedWorld(
  source: string | Uint8Array,
  bytes: Buffer,
  options: Bringing,
): SavedWorld {
  const withSource = <T>(read: () => T): T => readingWorld(source, read);
  const parts = withSource(() => partsIn(bytes));
  return {
    withSource,
    network: withSource(() => networkOptions(parts)),
    splice: withSource(() => spliceOptions(parts)),
    releases: releasesIn(parts),
    packages: parts.head.packages,
    restore: (own) => (network) => restore(network, parts, own, options),
  };
}

function releasesIn({ head: { apiVersion, spliceVersion, nodes } }: WorldParts): StatedReleases {
  return { canton: apiVersion, splice: spliceVersion, ...(nodes && { nodes }) };
}

function networkOptions({ head: { network } }: WorldParts): NetworkOptions {
  const { start, synchronizers, maxDeduplicationDuration: longest, ...others } = network;
  const { languages } = others;
  return {
    ...others,
    // Older files have only the names.
    languages: Array.isArray(languages) ? { known: languages as string[] } : languages,
    start: BigInt(start),
    synchronizers: synchronizers.map((each) => ({
      ...each,
      assignmentExclusivityTimeout: BigInt(each.assignmentExclusivityTimeout),
    })),
    ...(longest === undefined ? {} : { maxDeduplicationDuration: BigInt(longest) }),
  };
}

function spliceOptions({ head: { splice } }: WorldParts): SpliceOptions {
  const { scanSees, externalHashesSince, instanceNames, forcedAcsSnapshots, ...rest } = splice;
  const { traffic, ...saved } = rest;
  const interval = traffic?.minTopupInterval;
  return {
    scanSees,
    traffic:
      traffic &&
      ({
        ...(traffic as Omit<typeof traffic, 'minTopupInterval'>),
        ...(interval === undefined ? {} : { minTopupInterval: BigInt(interval) }),
      } as TrafficOptions),
    externalHashesSince: BigInt(externalHashesSince),
    instanceNames,
    forcedAcsSnapshots,
    saved: { ...saved, startedAt: BigInt(saved.startedAt) },
  };
}

function restore(
  network: Network,
  { head, dars: inside, archives, state }: WorldParts,
  own: readonly DamlPackage[],
  { dars = [], cache }: Bringing,
): void {
  const checked = checkedPackages(cache);
  const known = new Map<PackageId, DamlPackage>(own.map((each) => [each.id, each]));
  const add = (packages: readonly DamlPackage[]): void => {
    for (const each of packages) known.set(each.id, each);
  };
  const byMain = new Map<PackageId, Uint8Array>();
  const addDar = (bytes: Uint8Array): void => {
    const { main, packages } = readDar(bytes, { package: (id) => known.get(id) }, { checked });
    add(packages);
    byMain.set(main.id, bytes);
  };
  for (const bytes of inside.values()) addDar(bytes);
  add(readPayloads(archives, checked, known));
  const isMissing = ({ id }: WorldPackage): boolean => !known.has(id);
  const lacksDar = head.dars.some(({ main }) => !byMain.has(main));
  for (const dar of lacksDar || head.packages.some(isMissing) ? dars : [])
    addDar(typeof dar === 'string' ? readNamedFile(dar) : dar);
  const missing = head.packages.filter(
    (each) =>
      isMissing(each) || head.dars.some(({ main }) => main === each.id && !byMain.has(main)),
  );
  if (missing.length > 0) throw new Error(missingText(missing));
  const required = <T>(found: T | undefined, what: string): T => {
    if (found === undefined) throw new Error(`it is damaged: it has no ${what}`);
    return found;
  };
  // The DAR may differ from the original one, but has the same main package.
  const mains = new Map(head.dars.map(({ sha256, main }) => [sha256, main]));
  restoreNetwork(network, state, {
    packageOf: (id) => required(known.get(id), `package ${id}`),
    darOf: (sha256) =>
      required(inside.get(sha256) ?? byMain.get(mains.get(sha256)!), `DAR ${sha256}`),
  });
}

function missingText(missing: readonly WorldPackage[]): string {
  const names = missing.map(({ name, version, id }) => `${name} ${version} (${id.slice(0, 12)}…)`);
  return `it needs packages that it does not contain: ${names.join(', ')}. Pass their DARs as \`dars\`, and those of TypeScript as \`packages\``;
}
