/**
 * References to packages in vetting requests: by id, by name and version, by name alone, or by all three (B-VET-009 to
 * B-VET-011).
 */
import { packageIdError, packageNameError } from '../../daml/model/identifiers.js';
import { ledgerError } from '../../daml/errors/ledger-error.js';
import { scalaOrder, textHash } from '../../daml/errors/scala-order.js';
import { scalaSet } from '../../daml/errors/scala-text.js';
import type { PackageId } from '../../daml/model/types.js';
import { packageVersionError } from '../../daml/model/versions.js';
import { abbreviatedHash } from '../model/ids.js';
import type { PackageStore } from '../packages/package-store.js';

/** At least the id or the name. If both are present, the version is present too; a version needs a name. */
export interface PackageReference {
  readonly id?: PackageId;
  readonly name?: string;
  readonly version?: string;
}

/** The reference, or the error of converting its protobuf message. An empty text means absent. */
export function readReference(
  packageId = '',
  packageName = '',
  packageVersion = '',
): PackageReference | { readonly error: string } {
  const idError = packageId ? packageIdError(packageId) : undefined;
  if (idError !== undefined) return { error: `ValueConversionError(package_id,${idError})` };
  const nameError = packageName ? packageNameError(packageName) : undefined;
  if (nameError !== undefined) return { error: `ValueConversionError(package_name,${nameError})` };
  const versionError = packageVersion ? packageVersionError(packageVersion) : undefined;
  if (versionError !== undefined)
    return { error: `ValueConversionError(package_version,${versionError})` };
  const [id, name, version] = [packageId, packageName, packageVersion].map(
    (text) => text || undefined,
  );
  const isComplete =
    id === undefined ? name !== undefined : (name === undefined) === (version === undefined);
  return isComplete
    ? { id, name, version }
    : {
        error:
          'InvariantViolation(Some(package_name),Either package_id must be set, or package_name and package_version must be set, or all three must be set.)',
      };
}

/**
 * The ids of the packages: one, or any number for unvetting.
 * @throws LedgerError UNRESOLVED_VETTING_REFERENCE, AMBIGUOUS_VETTING_REFERENCE
 */
export function resolveReference(
  packages: PackageStore,
  reference: PackageReference,
  isUnvetted: boolean,
): readonly PackageId[] {
  const found = matching(packages, reference);
  if ('error' in found) {
    if (isUnvetted) return [];
    throw ledgerError('UNRESOLVED_VETTING_REFERENCE', {
      cause: `The vetted package reference ${printed(reference)} does not match any package in the package store. Reason: ${found.error}`,
      context: { reason: found.error, reference: printed(reference) },
    });
  }
  if (isUnvetted || found.ids.length === 1) return found.ids;
  const { ids, ofName = ids.length } = found;
  const inOrder = scalaOrder(ids, textHash, ofName);
  throw ledgerError('AMBIGUOUS_VETTING_REFERENCE', {
    cause: `The package reference ${printed(reference)} matches multiple packages: Seq(${inOrder.map(abbreviatedHash).join(', ')})`,
    context: {
      reference: printed(reference),
      matchingPackages: scalaSet(ids, { largest: ofName }),
    },
  });
}

function matching(
  packages: PackageStore,
  { id, name, version }: PackageReference,
): { readonly ids: readonly PackageId[]; readonly ofName?: number } | { readonly error: string } {
  if (id !== undefined) {
    const found = packages.package(id);
    if (found === undefined || !packages.has(id))
      return { error: `No packages with package ID ${id}` };
    if (name === undefined || (found.name === name && found.version === version))
      return { ids: [id] };
    return {
      error: `Package with package ID ${id} has name ${found.name} and version ${found.version}, but filter specifies name ${name} and version ${version}`,
    };
  }
  const ids = packages.arrivalsOf(name!);
  if (ids.length === 0)
    return {
      error:
        version === undefined
          ? `No packages with name ${name}`
          : `Name ${name} did not match any packages.`,
    };
  if (version === undefined) return { ids };
  const sameVersion = ids.filter((each) => packages.package(each)!.version === version);
  return sameVersion.length > 0
    ? { ids: sameVersion, ofName: ids.length }
    : { error: `No packages with name ${name} have version ${version}.` };
}

function printed({ id, name, version }: PackageReference): string {
  if (id !== undefined && name === undefined) return `package-id: '${id}'`;
  if (version === undefined) return `package-name: '${name}'`;
  return id === undefined
    ? `NameAndVersion(name = ${name}, version = ${version})`
    : `All(id = ${id}, name = ${name}, version = ${version})`;
}
