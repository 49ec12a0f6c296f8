/** A running Canticle as the bytes of a file, from which another one goes on just as this one would. */
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
import type { ApiVersion } from '../../spec/versions.js';
import type { Splice } from '../../splice/splice.js';
import { packWorld, packed, type WorldHead } from './world-file.js';

/** How a world is saved. */
export interface SaveOptions {
  /**
   * Whether the packages of DARs are in the file; true by default. Without, whoever loads it names the DARs: for files that are
   * handed on where their DARs may not be.
   */
  readonly packages?: boolean;
  /**
   * `world`, the default; or `acs`: the active contracts of one participant alone, as Canton's ExportAcs writes them, for its
   * ImportAcs, or to be loaded here.
   */
  readonly format?: (typeof SAVE_FORMATS)[number];
  /** Of `acs`: the name of the participant; the first one by default. */
  readonly participant?: string;
  /** Of `acs`: whose contracts; those of all whom the participant hosts by default. */
  readonly parties?: readonly Party[];
}

export const SAVE_FORMATS = ['world', 'acs'] as const;

/**
 * @throws LedgerError INVALID_ARGUMENT for a participant that there is not, or options of the other format; what
 *   {@link worldBytes} throws
 */
export function savedBytes(
  network: Network,
  splice: Splice,
  apiVersion: ApiVersion,
  options: SaveOptions = {},
): Buffer {
  const { format = 'world', participant, parties, packages } = options;
  if (!SAVE_FORMATS.includes(format))
    throw invalidArgument(`A world is saved as one of ${SAVE_FORMATS.join(', ')}.`);
  if (format === 'acs') {
    if (packages !== undefined)
      throw invalidArgument('A file of active contracts has no packages to leave out.');
    const of = participant ?? network.participants[0]!.name;
    return packed(exportedAtEnd(network.participant(of), parties));
  }
  if (participant !== undefined || parties !== undefined)
    throw invalidArgument(
      'A world is saved whole: participant and parties are chosen of active contracts (format acs).',
    );
  return worldBytes(network, splice, apiVersion, options);
}

/** @throws Error, LedgerError for a world that cannot be saved now: see networkBytes */
function worldBytes(
  network: Network,
  splice: Splice,
  apiVersion: ApiVersion,
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
      apiVersion,
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

/** Each once, sorted by its hash; and the hash by each of the bytes that participants keep. */
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
      // What one participant has of a DAR, another may have as TypeScript declared it.
      if (!all.has(id) || !isFromTypeScript(found)) all.set(id, found);
    }
  return [...all.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
}

function networkHead({ options, synchronizers, startTime, protocol }: Network) {
  const { seed = 0, participants = [{ name: 'sandbox' }] } = options;
  const { additionalAdminUser, languages, maxDeduplicationDuration } = options;
  const { trafficControl, offsetGaps } = options;
  return {
    seed,
    start: String(startTime),
    protocolVersion: protocol.version,
    synchronizers: synchronizers.map((each) => ({
      alias: each.alias,
      identifier: each.id.slice(0, each.id.lastIndexOf('::')),
      id: each.givenId,
      foundedBy: each.foundedBy,
      assignmentExclusivityTimeout: String(each.assignmentExclusivityTimeout),
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
