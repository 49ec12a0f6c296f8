/** How packages come to a participant: from a DAR, checked and vetted, or as they are. */
import { lazy } from '../../daml/errors/lazy.js';
import type { Dar } from '../../daml/dar/dar-file.js';
import { ledgerError } from '../../daml/errors/ledger-error.js';
import { loggedIn, PLAIN, type LoggingContext } from '../../daml/errors/logging-context.js';
import { tooLong } from '../../daml/model/identifiers.js';
import type { DamlPackage, PackageLookup } from '../../daml/model/package.js';
import type { PackageId } from '../../daml/model/types.js';
import type { SynchronizerId } from '../ids.js';
import type { Participant } from '../participant.js';
import { synchronizerForVetting } from './vetting.js';
import { vetPackages } from './vetting-update.js';
import type * as DarFile from '../../daml/dar/dar-file.js';

const darFile = lazy(() => require('../../daml/dar/dar-file.js') as typeof DarFile);

const UNCHECKED = { allowIncompatible: true, allowUnvettedDependencies: true };

/**
 * Adds packages and vets them, on every connected synchronizer unless told otherwise. Nothing is checked.
 * @param inOrder whether what is vetted stands in the order given
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

/** Keeps a DAR and adds its packages, as {@link addPackages} does. */
export function keepDar(participant: Participant, bytes: Uint8Array, read: Dar): void {
  participant.packages.dars.add(read, bytes);
  addPackages(participant, read.packages);
}

/** The packages of a DAR, those that are known here as they are; keeps nothing. @param name as refusals call it (B-PKG-018) @throws LedgerError for a broken one */
export function readDar({ packages, shared }: Participant, bytes: Uint8Array, name?: string): Dar {
  const { checkedPackages: checked, languages = {} } = shared;
  return darFile().readDar(bytes, packages, {
    checked,
    languages,
    ...(name !== undefined && { name }),
  });
}

/** Most characters of a DAR's description. */
const LONGEST_DESCRIPTION = 255;

export interface UploadOptions {
  /** Whether the packages are vetted at once, on `synchronizerId` or on the only one connected. */
  readonly vetAll?: boolean;
  readonly synchronizerId?: SynchronizerId | undefined;
  /** Refusals of the file call it so as well. */
  readonly description?: string | undefined;
  /** The id that its main package is to have. */
  readonly expectedId?: PackageId | undefined;
}

/** What is logged while an upload vets (B-ERR-041). */
const VETTING: LoggingContext = { ...PLAIN, entries: { action: 'package-vetting' } };

/**
 * What the package service's UploadDarFile does. Keeps the packages even where they are then not vetted, as they are no upgrades of what is.
 * @throws LedgerError for a synchronizer that cannot be told, a broken DAR, a missing dependency, or a package that cannot be
 *   vetted beside others of its name (B-PKG-001 to B-PKG-005)
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

/** Refuses what `uploadDarFile` would refuse; keeps nothing (B-PKG-012). @param name as refusals call the file */
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
