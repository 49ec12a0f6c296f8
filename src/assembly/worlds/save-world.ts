/** Saves a running Canticle as the bytes of a file, from which another one continues. */
import { createHash } from 'node:crypto';
import { isFromTypeScript, type DamlPackage } from '../../daml/model/package.js';
import type { PackageId } from '../../daml/model/types.js';
import { formatTimestampMicros } from '../../daml/model/time.js';
import type { Party } from '../../daml/model/values.js';
import type { Network } from '../../network/network.js';
import { exportedAtEnd } from '../../network/reading/acs-file.js';
import { invalidArgument } from '../../network/model/request-errors.js';
import type { StoredDar } from '../../network/packages/dar-store.js';
import { networkBytes } from '../../network/worlds/save.js';
import { releaseName } from '../../spec/versions.js';
import type { Releases } from '../../spec/releases/releases.js';
import type { Splice } from '../../splice/splice.js';
import { packWorld, packed, type WorldHead } from './world-file.js';

/** Options of saving. */
export interface SaveOptions {
  /**
   * Whether the file contains the packages of DARs; true by default. Otherwise, the user who loads it must pass the DARs: for DARs that
   * you may not distribute.
   */
  readonly packages?: boolean;
  /**
   * `world`, the default. Or `acs`: only the active contracts of one participant, as Canton's ExportAcs writes them, for its
   * ImportAcs, or for `load`.
   */
  readonly format?: (typeof SAVE_FORMATS)[number];
  /** With `acs`: the name of the participant; the first one by default. */
  readonly participant?: string;
  /** With `acs`: the parties whose contracts to save; by default all that the participant hosts. */
  readonly parties?: readonly Party[];
}

export const SAVE_FORMATS = ['world', 'acs'] as const;

/**
 * @throws LedgerError INVALID_ARGUMENT for an unknown participant, or options of the other format; also as {@link worldBytes}
 */
export function savedBytes(
  network: Network,
  splice: Splice,
  releases: Releases,
  options: SaveOptions = {},
): Buffer {
  const { format = 'world', participant, parties, packages } = options;
  if (!SAVE_FORMATS.includes(format))
    throw invalidArgument(
      `The format must be one of ${SAVE_FORMATS.join(', ')}, not '${String(format)}'.`,
    );
  if (format === 'acs') {
    if (packages !== undefined)
      throw invalidArgument("The option packages cannot be used with format 'acs'.");
    const of = participant ?? network.participants[0]!.name;
    return packed(exportedAtEnd(network.participant(of), parties));
  }
  if (participant !== undefined || parties !== undefined)
    throw invalidArgument(
      "The options participant and parties can be used only with format 'acs'.",
    );
  return worldBytes(network, splice, releases, options);
}

/** @throws Error, LedgerError for a world that cannot be saved in its current state: see networkBytes */
function worldBytes(
  network: Network,
  splice: Splice,
  releases: Releases,
  { packages: isWhole = true }: SaveOptions = {},
): Buffer {
  const packages = packagesOf(network);
  const { hashes, dars } = darsOf(network);
  const inDars = new Set(dars.flatMap(({ packageIds }) => packageIds));
  const isInside = (each: DamlPackage): boolean =>
    isWhole && !isFromTypeScript(each) && !inDars.has(each.id);
  const state = networkBytes(network, hashes);
  return packWorld(
    {
      time: formatTimestampMicros(network.clock.now()),
      ...releasesHead(releases),
      network: networkHead(network),
      splice: spliceHead(splice),
      ledgerEnds: Object.fromEntries(network.participants.map(({ name, log }) => [name, log.end])),
      dars: dars.map(({ sha256, main, bytes }) => ({
        sha256,
        main: main.id,
        ...(isWhole && { bytes: bytes.length }),
      })),
      packages: packages.map((each) => ({
        id: each.id,
        name: each.name,
        version: each.version,
        language: each.languageVersion,
        bytes: isInside(each) ? each.archive!.length : undefined,
      })) as WorldHead['packages'],
    },
    [
      ...(isWhole ? dars.map(({ bytes }) => bytes) : []),
      ...packages.filter(isInside).map(({ archive }) => archive!),
    ],
    state,
  );
}

/** The DARs, each once and sorted by its hash; and the hash for each bytes object of a participant. */
function darsOf({ participants }: Network) {
  const hashes = new Map<object, string>();
  const dars = new Map<string, StoredDar & { readonly sha256: string }>();
  for (const { packages } of participants)
    for (const dar of packages.dars.all()) {
      const sha256 = hashes.get(dar.bytes) ?? createHash('sha256').update(dar.bytes).digest('hex');
      hashes.set(dar.bytes, sha256);
      dars.set(sha256, { ...dar, sha256 });
    }
  return { hashes, dars: [...dars.keys()].sort().map((sha256) => dars.get(sha256)!) };
}

function packagesOf({ participants }: Network): readonly DamlPackage[] {
  const all = new Map<PackageId, DamlPackage>();
  for (const { packages } of participants)
    for (const id of packages.ids()) {
      const found = packages.package(id)!;
      // One participant may have a package from a DAR, and another the same from TypeScript.
      if (!all.has(id) || !isFromTypeScript(found)) all.set(id, found);
    }
  return [...all.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** A release of Splice is absent if it is not stated, so that it may follow the default. */
function releasesHead({ apiVersion, stated: { splice, nodes } }: Releases) {
  return { apiVersion: releaseName(apiVersion), spliceVersion: splice, nodes };
}

function networkHead({ options, synchronizers, startTime }: Network) {
  const { version: protocolVersion } = synchronizers[0]!.protocol;
  const { seed = 0, participants = [{ name: 'sandbox' }] } = options;
  const { additionalAdminUser, languages, maxDeduplicationDuration } = options;
  const { trafficControl, offsetGaps } = options;
  return {
    seed,
    start: String(startTime),
    protocolVersion,
    synchronizers: synchronizers.map((each) => ({
      alias: each.alias,
      identifier: each.id.slice(0, each.id.lastIndexOf('::')),
      id: each.givenId,
      foundedBy: each.foundedBy,
      assignmentExclusivityTimeout: String(each.assignmentExclusivityTimeout),
      protocolVersion:
        each.protocol.version === protocolVersion ? undefined : each.protocol.version,
    })),
    participants,
    additionalAdminUser,
    trafficControl: trafficControl === true ? true : undefined,
    offsetGaps: offsetGaps === true ? true : undefined,
    maxDeduplicationDuration:
      maxDeduplicationDuration === undefined ? undefined : String(maxDeduplicationDuration),
    languages,
  } as WorldHead['network'];
}

function spliceHead(splice: Splice): WorldHead['splice'] {
  const { scanSees, externalHashesSince, instanceNames, forcedAcsSnapshots, saved } = splice;
  const { trafficOptions: traffic } = splice;
  return {
    ...saved,
    startedAt: String(saved.startedAt),
    scanSees,
    externalHashesSince: String(externalHashesSince),
    instanceNames,
    forcedAcsSnapshots,
    ...(traffic && { traffic: { ...traffic, ...textOf(traffic.minTopupInterval) } }),
  } as WorldHead['splice'];
}

const textOf = (minTopupInterval: bigint | undefined) =>
  minTopupInterval === undefined ? undefined : { minTopupInterval: String(minTopupInterval) };
