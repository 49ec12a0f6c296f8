/**
 * The packages that anyone in the network knows: what a node that speaks for the whole network reads values with, and any
 * other node a contract whose package it does not know.
 */
import type { PackageLookup } from '../daml/package.js';
import type { Network } from './network.js';

export function networkPackages(network: Network): PackageLookup {
  return {
    package: (id) => first(network.participants, ({ packages }) => packages.package(id)),
    packageIdForName: (name) =>
      first(network.participants, ({ packages }) => packages.packageIdForName(name)),
  };
}

function first<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
