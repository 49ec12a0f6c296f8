/** The package versions that a request prefers, by package name. */
import { packageIdError } from '../../daml/model/identifiers.js';
import type { PackageId } from '../../daml/model/types.js';
import { invalidArgument } from '../model/request-errors.js';
import type { PackageStore } from './package-store.js';

/**
 * @throws LedgerError INVALID_ARGUMENT: for an invalid id, then for an unknown package, then for two packages with one
 * name
 */
export function preferredByName(
  packages: PackageStore,
  preference: readonly PackageId[],
): ReadonlyMap<string, PackageId> {
  for (const id of preference) {
    const error = packageIdError(id);
    if (error !== undefined)
      throw invalidArgument(
        `package_id_selection_preference parsing failed with \`${error}\`. The package_id_selection_preference field must contain non-empty and valid package ids`,
      );
  }
  const found = preference.map((id) => {
    const known = packages.package(id);
    if (known === undefined)
      throw invalidArgument(`user-specified pkg id (${id}) could not be found`);
    return known;
  });
  const preferred = new Map<string, PackageId>();
  for (const { name, id } of found) {
    if (preferred.has(name))
      throw invalidArgument(
        `duplicate preference for package-name ${name}: ${preferred.get(name)} vs ${id}`,
      );
    preferred.set(name, id);
  }
  return preferred;
}
