/**
 * Opens a world from exported active contracts. They keep their ids, blobs, offsets and synchronizers. All parties that they name are
 * hosted here. The rest of the world is new.
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

/** Options in addition to the contracts. */
export interface ContractsOptions extends PackageSources {
  /** Further parties, which no contract names. */
  readonly parties?: readonly Party[] | undefined;
  /** The options of a new network. */
  readonly fresh: NetworkOptions;
  /** The current migration id, if it is known. */
  readonly migrationId?: number | undefined;
}

/** @throws Error whose message ends a sentence */
export function contractsWorld(
  exported: readonly ExportedActiveContract[],
  { parties = [], fresh, migrationId, ...sources }: ContractsOptions,
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
      synchronizers: exported.length === 0 ? fresh.synchronizers : synchronizersOf(exported),
    },
    get splice() {
      return { dsoParty };
    },
    restore: (own) => (network) => {
      const packages = packagesById(wantedIn(exported), own, sources);
      const lookup = lookupOf(packages);
      const contracts = inOrder(exported.map((each) => contractOf(each, lookup)));
      const latest = latestOf(contracts, undefined);
      if (start !== undefined && latest !== undefined && start < latest)
        throw new Error('it has contracts that are newer than the initial time');
      dsoParty = dsoIn(contracts) ?? `DSO::${namespaceOf(network.synchronizers[0]!.id)}`;
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

/** @param failed creates the error from its reason */
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

/** Named by the first part of their ids, in the order in which contracts name them. */
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

/** Leaves out the simplified Amulet unless its contracts exist: otherwise Splice's Amulet could not be added. */
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
