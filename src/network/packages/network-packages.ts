/**
 * The packages that anyone in the network knows: what a node that speaks for the whole network reads values with, and any
 * other node a contract whose package it does not know.
 */
import type { PackageLookup } from '../../daml/model/package.js';
import type { PackageStore } from './package-store.js';

/** @param holders those who know packages; asked for when they are needed */
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
