/**
 * Active contracts of elsewhere as a world that is opened: their ids, blobs, offsets and synchronizers are theirs, whoever they name is
 * hosted here, and what else a world has is that of a new one.
 */
import type { DamlPackage, PackageLookup } from '../../daml/model/package.js';
import type { PackageId } from '../../daml/model/types.js';
import type { Party, Timestamp } from '../../daml/model/values.js';
import type { Network, NetworkOptions } from '../../network/network.js';
import type { ExportedActiveContract } from '../../network/reading/acs-import.js';
import type { SynchronizerOptions } from '../../network/synchronizer.js';
import { plantWorld, type PlantedContract, type PlantedParty } from '../../network/worlds/plant.js';
import { namespaceOf } from '../../network/model/ids.js';
import { AMULET_MODEL } from '../../splice/model/packages.js';
import type { ApiVersion } from '../../spec/versions.js';
import { packagesById, type PackageSources, type WantedPackage } from './packages-by-id.js';
import type { BareWorld } from './load-world.js';
import {
  UNLISTED,
  dsoIn,
  inOrder,
  latestOf,
  lookupOf,
  plantedContract,
  withStakeholders,
} from './planted.js';

/** What is said beside the contracts. */
export interface ContractsOptions extends PackageSources {
  /** Who is here beside those whom contracts name. */
  readonly parties?: readonly Party[] | undefined;
  /** What a new network is opened with. */
  readonly fresh: NetworkOptions;
  readonly apiVersion: ApiVersion;
  /** The running one, where it is told. */
  readonly migrationId?: number | undefined;
}

/** @throws Error that says what is wrong with them, as the end of a sentence */
export function contractsWorld(
  exported: readonly ExportedActiveContract[],
  { parties = [], fresh, apiVersion, migrationId, ...sources }: ContractsOptions,
): BareWorld {
  const { start, seed, protocolVersion, languages, participants, additionalAdminUser } = fresh;
  const { maxDeduplicationDuration, trafficControl } = fresh;
  let dsoParty: Party | undefined;
  return {
    network: {
      seed,
      protocolVersion,
      languages,
      participants,
      additionalAdminUser,
      maxDeduplicationDuration,
      trafficControl,
      start: leastOf([...exported.map(({ createdAt }) => createdAt), start]),
      synchronizers: synchronizersOf(exported),
    },
    get splice() {
      return { dsoParty };
    },
    apiVersion,
    restore: (own) => (network) => {
      const packages = packagesById(wantedIn(exported), own, sources);
      const lookup = lookupOf(packages);
      const contracts = inOrder(exported.map((each) => contractOf(each, lookup)));
      const latest = latestOf(contracts, undefined);
      if (start !== undefined && latest !== undefined && start < latest)
        throw new Error('it has contracts that are newer than the time to start at');
      dsoParty = dsoIn(contracts) ?? `DSO::${namespaceOf(exported[0]!.synchronizerId)}`;
      plantWorld(network, {
        offset: exported.reduce((last, { offset }) => Math.max(last, offset), 0),
        time: start ?? latest ?? network.startTime,
        packages: usedOf(packages, exported),
        vetted: new Map(),
        migrationId,
        parties: partiesOf(network, contracts, [dsoParty, ...parties]),
        users: [],
        contracts,
      });
    },
  };
}

/** @param failed makes the error of why it is not taken */
export function contractOf(
  { contractId, offset, nodeId, synchronizerId, reassignmentCounter, read }: ExportedActiveContract,
  packages: PackageLookup,
  failed: (why: string) => Error = (why) => new Error(why),
): PlantedContract {
  const position = { contractId, offset, nodeId, synchronizerId, reassignmentCounter };
  return plantedContract(position, () => read(packages), failed);
}

function leastOf(times: readonly (Timestamp | undefined)[]): Timestamp | undefined {
  const known = times.filter((each) => each !== undefined);
  return known.length === 0 ? undefined : known.reduce((one, other) => (other < one ? other : one));
}

/** By the first part of their ids, in the order in which contracts name them. */
function synchronizersOf(exported: readonly ExportedActiveContract[]): SynchronizerOptions[] {
  const aliases = new Set<string>();
  return [...new Set(exported.map(({ synchronizerId }) => synchronizerId))].map((id) => {
    const name = id.slice(0, id.indexOf('::'));
    let alias = name;
    for (let count = 2; aliases.has(alias); count += 1) alias = `${name}-${count}`;
    aliases.add(alias);
    return { alias, id };
  });
}

/** The packages of their templates. */
export function wantedIn(exported: readonly ExportedActiveContract[]): readonly WantedPackage[] {
  const all = exported.map(({ creationPackage }) => [creationPackage.id, creationPackage] as const);
  return [...new Map(all).values()];
}

/** The model of Amulet is there where its contracts are: elsewhere it would stand in the way of Amulet itself. */
function usedOf(
  packages: ReadonlyMap<PackageId, DamlPackage>,
  exported: readonly ExportedActiveContract[],
): readonly DamlPackage[] {
  const model = new Set(AMULET_MODEL.map(({ id }) => id));
  const isUsed = exported.some(({ creationPackage: { id } }) => model.has(id));
  return [...packages.values()].filter(({ id }) => isUsed || !model.has(id));
}

function partiesOf(
  { participants: [first] }: Network,
  contracts: readonly PlantedContract[],
  others: readonly Party[],
): readonly PlantedParty[] {
  const host = first!.name;
  const named = others.map((party) => ({ ...UNLISTED, party, host }));
  return withStakeholders(named, contracts, host);
}
