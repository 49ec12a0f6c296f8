/** Adds packages to a participant: from a DAR, which is checked and vetted, or directly without checks. */
import { lazy } from '../../daml/errors/lazy.js';
import type { Dar } from '../../daml/dar/dar-file.js';
import { ledgerError } from '../../daml/errors/ledger-error.js';
import { loggedIn, PLAIN, type LoggingContext } from '../../daml/errors/logging-context.js';
import { tooLong } from '../../daml/model/identifiers.js';
import type { DamlPackage, PackageLookup } from '../../daml/model/package.js';
import type { PackageId } from '../../daml/model/types.js';
import type { SynchronizerId } from '../model/ids.js';
import type { Participant } from '../participant.js';
import { synchronizerForVetting } from './vetting.js';
import { vetPackages } from './vetting-update.js';
import type * as DarFile from '../../daml/dar/dar-file.js';

const darFile = lazy(() => require('../../daml/dar/dar-file.js') as typeof DarFile);

const UNCHECKED = { allowIncompatible: true, allowUnvettedDependencies: true };

/**
 * Adds packages without checks and vets them, by default on every connected synchronizer.
 * @param inOrder whether the vetted packages keep the given order
 */
export function addPackages(
  participant: Participant,
  packages: readonly DamlPackage[],
  synchronizerIds: readonly SynchronizerId[] = participant.connected,
  inOrder = false,
): void {
  for (const added of packages) participant.packages.add(added);
  const ids = packages.map(({ id }) => id);
  for (const synchronizerId of synchronizerIds)
    vetPackages(participant, synchronizerId, ids, { ...UNCHECKED, inOrder });
}

/** Stores a DAR and adds its packages, as {@link addPackages} does. */
export function storeDar(participant: Participant, bytes: Uint8Array, read: Dar): void {
  participant.packages.dars.add(read, bytes);
  addPackages(participant, read.packages);
}

/**
 * The packages of a DAR, without storing them. Known packages are returned as they are.
 * @param name the DAR's name in errors (B-PKG-018)
 * @throws LedgerError for an invalid DAR
 */
export function readDar({ packages, shared }: Participant, bytes: Uint8Array, name?: string): Dar {
  const { checkedPackages: checked, languages = {} } = shared;
  return darFile().readDar(bytes, packages, {
    checked,
    languages,
    ...(name !== undefined && { name }),
  });
}

/** The most characters of a DAR's description. */
const LONGEST_DESCRIPTION = 255;

export interface UploadOptions {
  /** Whether to vet the packages at once, on `synchronizerId` or on the only connected synchronizer. */
  readonly vetAll?: boolean;
  readonly synchronizerId?: SynchronizerId | undefined;
  /** Errors also use this name for the file. */
  readonly description?: string | undefined;
  /** The required id of its main package. */
  readonly expectedId?: PackageId | undefined;
}

/** The log context of vetting during an upload (B-ERR-041). */
const VETTING: LoggingContext = { ...PLAIN, entries: { action: 'package-vetting' } };

/**
 * The package service's UploadDarFile. It keeps the packages even if vetting them fails because they are not valid
 * upgrades.
 * @throws LedgerError for an unknown or ambiguous synchronizer, an invalid DAR, a missing dependency, or a package
 * that is incompatible with vetted versions (B-PKG-001 to B-PKG-005)
 */
export function uploadDarFile(
  participant: Participant,
  bytes: Uint8Array,
  options: UploadOptions = {},
): DamlPackage {
  const { vetAll = true, description = '', expectedId } = options;
  const where = vetAll ? synchronizerForVetting(participant, options.synchronizerId) : undefined;
  if (description.length > LONGEST_DESCRIPTION)
    throw ledgerError('INVALID_DAR_FILE_NAME', {
      cause: 'Dar file name is invalid',
      context: { reason: tooLong('string', LONGEST_DESCRIPTION, description) },
    });
  const dar = readDar(participant, bytes, options.description);
  const { main, packages } = dar;
  if (expectedId !== undefined && expectedId !== main.id)
    throw ledgerError(
      'MAIN_PACKAGE_IN_DAR_DOES_NOT_MATCH_EXPECTED',
      `The main package of the uploaded DAR is '${main.id}' while the provided expected value is '${expectedId}'`,
    );
  addPackages(participant, packages, []);
  participant.packages.dars.add(dar, bytes, options.description);
  const ids = packages.map(({ id }) => id);
  if (where !== undefined) loggedIn(VETTING, () => vetPackages(participant, where, ids));
  return main;
}

/**
 * Throws the errors of `uploadDarFile`, but stores nothing (B-PKG-012).
 * @param name the file's name in errors
 */
export function validateDarFile(
  participant: Participant,
  bytes: Uint8Array,
  synchronizerId: SynchronizerId | undefined,
  name: string,
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
