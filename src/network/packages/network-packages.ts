/**
 * The packages that any participant knows. A node for the whole network reads values with them; other nodes use them
 * for contracts of packages that they do not have.
 */
import type { PackageLookup } from '../../daml/model/package.js';
import type { PackageStore } from './package-store.js';

/** @param holders the owners of packages; called when needed */
export function networkPackages(
  holders: () => readonly { readonly packages: PackageStore }[],
): PackageLookup {
  return {
    package: (id) => first(holders(), ({ packages }) => packages.package(id)),
    packageIdForName: (name) => first(holders(), ({ packages }) => packages.packageIdForName(name)),
  };
}

function first<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
