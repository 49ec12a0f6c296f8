/** How packages come to a participant: from a DAR, checked and vetted, or as they are. */
import { readDar as read, type Dar } from '../../daml/dar/dar-file.js';
import type { DamlPackage, PackageLookup } from '../../daml/model/package.js';
import type { SynchronizerId } from '../ids.js';
import type { Participant } from '../participant.js';
import { synchronizerForVetting } from './vetting.js';
import { vetPackages } from './vetting-update.js';

const UNCHECKED = { allowIncompatible: true, allowUnvettedDependencies: true };

/** Adds packages and vets them, on every connected synchronizer unless told otherwise. Nothing is checked. */
export function addPackages(
  participant: Participant,
  packages: readonly DamlPackage[],
  synchronizerIds: readonly SynchronizerId[] = participant.connected,
): void {
  for (const added of packages) participant.packages.add(added);
  const ids = packages.map(({ id }) => id);
  for (const synchronizerId of synchronizerIds)
    vetPackages(participant, synchronizerId, ids, UNCHECKED);
}

/** Keeps a DAR and adds its packages, as {@link addPackages} does. */
export function keepDar(participant: Participant, bytes: Uint8Array, read: Dar): void {
  participant.packages.dars.add(read, bytes);
  addPackages(participant, read.packages);
}

/**
 * The packages of a DAR, those that are known here as they are; keeps nothing.
 * @param name as errors call the DAR (B-PKG-018)
 * @throws LedgerError for a broken one
 */
export function readDar({ packages, shared }: Participant, bytes: Uint8Array, name?: string): Dar {
  const { checkedPackages: checked, languages } = shared;
  return read(bytes, packages, { checked, languages, name });
}

/**
 * What the package service's UploadDarFile does. Keeps the packages even where they are then not vetted, as they are no upgrades of what is.
 * @param vetAll whether the packages are vetted at once, on `synchronizerId` or on the only one connected
 * @throws LedgerError for a synchronizer that cannot be told, a broken DAR, a missing dependency, or a package that cannot be
 *   vetted beside others of its name (B-PKG-001 to B-PKG-005)
 */
export function uploadDarFile(
  participant: Participant,
  bytes: Uint8Array,
  options: {
    vetAll?: boolean;
    synchronizerId?: SynchronizerId;
    description?: string;
    /** As errors call the DAR; its description, where absent. */
    name?: string;
  } = {},
): DamlPackage {
  const { vetAll = true } = options;
  const where = vetAll ? synchronizerForVetting(participant, options.synchronizerId) : undefined;
  const dar = readDar(participant, bytes, options.name ?? options.description);
  const { main, packages } = dar;
  addPackages(participant, packages, []);
  participant.packages.dars.add(dar, bytes, options.description);
  const ids = packages.map(({ id }) => id);
  if (where !== undefined) vetPackages(participant, where, ids);
  return main;
}

/** Refuses what `uploadDarFile` would refuse; keeps nothing (B-PKG-012). */
export function validateDarFile(
  participant: Participant,
  bytes: Uint8Array,
  synchronizerId?: SynchronizerId,
  name?: string,
): DamlPackage {
  const where = synchronizerForVetting(participant, synchronizerId);
  const { main, packages } = readDar(participant, bytes, name);
  const added = new Map(packages.map((each) => [each.id, each]));
  const lookup: PackageLookup = {
    package: (id) => added.get(id) ?? participant.packages.package(id),
    packageIdForName: (name) => participant.packages.packageIdForName(name),
  };
  vetPackages(participant, where, [...added.keys()], { dryRun: true, packages: lookup });
  return main;
}
