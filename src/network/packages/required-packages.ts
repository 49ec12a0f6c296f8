/** Which packages a transaction needs beyond those of its templates, and in which Daml-LF versions, as the protocol has it. */
import { disallowedLanguageVersion } from '../../daml/archive/dar-refusals.js';
import { STABLE_PACKAGE_IDS } from '../../daml/archive/lf-version.js';
import {
  isFromTypeScript,
  type DamlPackage,
  type PackageLookup,
} from '../../daml/model/package.js';
import type { Transaction } from '../../daml/model/transaction.js';
import type { PackageId } from '../../daml/model/types.js';
import { packagesIn } from './party-packages.js';
import type { Protocol } from '../protocol.js';

/** The packages and all that they depend on, dependencies first. Unknown ones are left out. */
export function withDependencies(
  packages: PackageLookup,
  ids: readonly PackageId[],
): readonly DamlPackage[] {
  if (ids.length === 1) return closureOf(packages, ids[0]!);
  return [...new Set(ids.flatMap((id) => closureOf(packages, id)))];
}

/** What a package depends on never changes, once all of it is known. */
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

/** What must be vetted for the packages to be used. Of stable packages it goes without saying: participants start with them. */
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
 * Whether a version of a package may be chosen: it is vetted and, where the protocol vets dependencies, so is whatever it depends
 * on that has templates or interfaces.
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

/** @throws LedgerError ALLOWED_LANGUAGE_VERSIONS where a package behind the transaction is newer than the protocol */
export function checkLanguageVersions(
  { languageVersions }: Protocol,
  packages: PackageLookup,
  transaction: Transaction,
): void {
  if (languageVersions === undefined) return;
  for (const each of withDependencies(packages, packagesIn(transaction))) {
    const version = languageVersionOf(each);
    if (version !== undefined && !languageVersions.includes(version))
      throw disallowedLanguageVersion(each.id, version, languageVersions);
  }
}

/** A package written in TypeScript is as new as the one thing in it that not every version has: contract keys. */
function languageVersionOf(each: DamlPackage): string | undefined {
  if (!isFromTypeScript(each)) return each.languageVersion;
  return [...each.templates.values()].some(({ key }) => key) ? '2.3' : undefined;
}
