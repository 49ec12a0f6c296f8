/**
 * The packages that a transaction needs besides those of its templates, and their Daml-LF versions, by protocol
 * version.
 */
import { disallowedLanguageVersion } from '../../daml/archive/dar-refusals.js';
import { LANGUAGE_VERSIONS, STABLE_PACKAGE_IDS } from '../../daml/archive/lf-version.js';
import {
  isFromTypeScript,
  type DamlPackage,
  type PackageLookup,
} from '../../daml/model/package.js';
import type { Transaction } from '../../daml/model/transaction.js';
import type { PackageId } from '../../daml/model/types.js';
import { packagesIn } from './party-packages.js';
import { PROTOCOL_VERSIONS, type Protocol } from '../model/protocol.js';

/** The packages and all their dependencies, dependencies first. Unknown ones are left out. */
export function withDependencies(
  packages: PackageLookup,
  ids: readonly PackageId[],
): readonly DamlPackage[] {
  if (ids.length === 1) return closureOf(packages, ids[0]!);
  return [...new Set(ids.flatMap((id) => closureOf(packages, id)))];
}

/** The dependencies of a package never change, once all of them are known. */
const CLOSURES = new WeakMap<DamlPackage, readonly DamlPackage[]>();

function closureOf(packages: PackageLookup, root: PackageId): readonly DamlPackage[] {
  const given = packages.package(root);
  if (given === undefined) return [];
  const known = CLOSURES.get(given);
  if (known !== undefined) return known;
  const found = new Map<PackageId, DamlPackage>();
  const seen = new Set<PackageId>();
  let isComplete = true;
  const visit = (id: PackageId): void => {
    if (seen.has(id)) return;
    seen.add(id);
    const each = packages.package(id);
    isComplete &&= each !== undefined;
    if (each === undefined) return;
    for (const dependency of each.dependencies) visit(dependency);
    found.set(id, each);
  };
  visit(root);
  const all = [...found.values()];
  if (isComplete) CLOSURES.set(given, all);
  return all;
}

/**
 * The packages that must be vetted to use these packages. Stable packages are excluded, because participants always
 * have them.
 */
export function requiredPackages(
  { vetsDependencies }: Protocol,
  packages: PackageLookup,
  ids: readonly PackageId[],
): readonly PackageId[] {
  if (!vetsDependencies) return ids;
  const all = withDependencies(packages, ids);
  let required = REQUIRED.get(all);
  if (required === undefined) {
    required = all.map(({ id }) => id).filter((id) => !STABLE_PACKAGE_IDS.has(id));
    REQUIRED.set(all, required);
  }
  return required;
}

const REQUIRED = new WeakMap<readonly DamlPackage[], readonly PackageId[]>();

/**
 * Whether a version of a package may be chosen: it is vetted. If the protocol vets dependencies, its dependencies with
 * templates or interfaces must also be vetted.
 */
export function isUsable(
  { vetsDependencies }: Protocol,
  packages: PackageLookup,
  id: PackageId,
  isVetted: (id: PackageId) => boolean,
): boolean {
  if (!isVetted(id)) return false;
  if (!vetsDependencies) return true;
  return withDependencies(packages, [id]).every((each) => isVetted(each.id) || !isSchema(each));
}

export function isSchema({ templates, interfaces }: DamlPackage): boolean {
  return templates.size > 0 || interfaces.size > 0;
}

/** @throws LedgerError ALLOWED_LANGUAGE_VERSIONS if a package of the transaction is newer than the protocol allows */
export function checkLanguageVersions(
  { version: protocolVersion, languageVersions, allowsUnstableLanguages }: Protocol,
  packages: PackageLookup,
  transaction: Transaction,
): void {
  const allowed = ALLOWED.get(protocolVersion)!;
  for (const id of packagesIn(transaction)) {
    const used = packages.package(id);
    if (used === undefined || allowed.has(used)) continue;
    for (const each of withDependencies(packages, [id])) {
      const version = languageVersionOf(each);
      if (version === undefined || languageVersions.includes(version)) continue;
      if (allowsUnstableLanguages && !isStable(version)) continue;
      throw disallowedLanguageVersion(each.id, version, languageVersions);
    }
    allowed.add(used);
  }
}

/** The packages that passed the check, for each protocol version. */
const ALLOWED = new Map(PROTOCOL_VERSIONS.map((each) => [each, new WeakSet<DamlPackage>()]));

/** The version of a package written in TypeScript depends on one feature that not every version has: contract keys. */
function languageVersionOf(each: DamlPackage): string | undefined {
  if (!isFromTypeScript(each)) return each.languageVersion;
  return [...each.templates.values()].some(({ key }) => key) ? '2.3' : undefined;
}

const isStable = (version: string): boolean =>
  LANGUAGE_VERSIONS.some(({ name, stable }) => stable && name === version);
