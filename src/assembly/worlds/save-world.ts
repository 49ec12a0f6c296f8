/** A running Canticle as the bytes of a file, from which another one goes on just as this one would. */
import { createHash } from 'node:crypto';
import { isFromTypeScript, type DamlPackage } from '../../daml/model/package.js';
import type { PackageId } from '../../daml/model/types.js';
import { formatTimestampMicros } from '../../daml/model/time.js';
import type { Network } from '../../network/network.js';
import type { StoredDar } from '../../network/packages/dar-store.js';
import { networkBytes } from '../../network/worlds/save.js';
import type { ApiVersion } from '../../spec/versions.js';
import type { Splice } from '../../splice/splice.js';
import { packWorld, type WorldHead } from './world-file.js';

/** How a world is saved. */
export interface SaveOptions {
  /**
   * Whether the packages of DARs are in the file; true by default. Without, whoever loads it names the DARs: for files that are
   * handed on where their DARs may not be.
   */
  readonly packages?: boolean;
}

/** @throws Error, LedgerError for a world that cannot be saved now: see networkBytes */
export function worldBytes(
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
        bytes: isInside(each) ? each.archive.length : undefined,
      })) as WorldHead['packages'],
    },
    [
      ...(isWhole ? dars.map(({ bytes }) => bytes) : []),
      ...packages.filter(isInside).map(({ archive }) => archive),
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
