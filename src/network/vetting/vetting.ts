/**
 * Checks before vetting, and the synchronizers for vetting. All vetted versions of a package must be valid upgrades of
 * each other (B-PKG-005, B-PKG-012, B-VET-016). These checks do not apply to packages that a test adds in process.
 */
import { lazy } from '../../daml/errors/lazy.js';
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import type { DamlPackage, PackageLookup } from '../../daml/model/package.js';
import type { PackageId } from '../../daml/model/types.js';
import { scalaOrder, textHash, trieOrder } from '../../daml/errors/scala-order.js';
import { compareVersions } from '../../daml/model/versions.js';
import { scalaList } from '../../daml/errors/scala-text.js';
import { abbreviatedId, type SynchronizerId } from '../model/ids.js';
import type { Participant } from '../participant.js';
import { withDependencies } from '../packages/required-packages.js';
import type * as Upgrades from '../../daml/upgrade/check.js';

const upgrades = lazy(() => require('../../daml/upgrade/check.js') as typeof Upgrades);

/**
 * The requested synchronizer, otherwise the only one.
 * @throws LedgerError PACKAGE_SERVICE_NOT_CONNECTED_TO_SYNCHRONIZER, PACKAGE_SERVICE_CANNOT_AUTODETECT_SYNCHRONIZER
 */
export function synchronizerForVetting(
  participant: Participant,
  named: SynchronizerId | undefined,
): SynchronizerId {
  const { ledger } = participant;
  if (named !== undefined) {
    const synchronizer = ledger.synchronizer(named);
    if (synchronizer !== undefined && participant.isConnectedTo(synchronizer.id))
      return synchronizer.id;
    throw notConnectedForVetting(named);
  }
  const [only, ...more] = participant.connected;
  if (only !== undefined && more.length === 0) return only;
  const connected = participant.connected.map(abbreviatedId);
  throw ledgerError('PACKAGE_SERVICE_CANNOT_AUTODETECT_SYNCHRONIZER', {
    cause: `Cannot autodetect synchronizer: ${connected.length > 0 ? `currently connected synchronizers ${connected.join(', ')}` : 'no synchronizers currently connected'}`,
    context: { synchronizers: scalaList(connected) },
  });
}

/** @param named the synchronizer, as the service prints it */
export function notConnectedForVetting(named: string): LedgerError {
  return ledgerError('PACKAGE_SERVICE_NOT_CONNECTED_TO_SYNCHRONIZER', {
    cause: `Cannot upload a dar because the participant is not connected to synchronizer '${named}'.`,
    context: { synchronizerId: named },
  });
}

/**
 * Checks the lineages of new packages and of their dependencies, dependencies first.
 * @param packages includes the new ones
 * @param added packages to vet
 * @param target all packages that are vetted afterwards
 * @throws LedgerError DAML_PRIM_NOT_UTILITY_PACKAGE, KNOWN_PACKAGE_VERSION, NOT_VALID_UPGRADE_PACKAGE
 */
export function checkLineages(
  packages: PackageLookup,
  added: readonly PackageId[],
  target: Iterable<PackageId>,
): void {
  const known = [...new Set(target)].flatMap((id) => packages.package(id) ?? []);
  const names = new Set(inTopologicalOrder(packages, added).map(({ name }) => name));
  for (const name of names) {
    const lineage = known
      .filter((each) => each.name === name)
      .sort((a, b) => compareVersions(a.version, b.version) || (a.id < b.id ? -1 : 1));
    checkLineage(packages, lineage);
  }
}

/** Dependencies first, then by the hashes of ids: the order of a participant. */
function inTopologicalOrder(
  packages: PackageLookup,
  ids: readonly PackageId[],
): readonly DamlPackage[] {
  const all = withDependencies(packages, ids);
  const order = new Map<PackageId, DamlPackage>();
  const seen = new Set<PackageId>();
  const visit = (id: PackageId): void => {
    const each = packages.package(id);
    if (seen.has(id) || each === undefined) return;
    seen.add(id);
    for (const dependency of scalaOrder(each.dependencies, textHash)) visit(dependency);
    order.set(id, each);
  };
  for (const id of trieOrder(
    all.map((each) => each.id),
    textHash,
  ))
    visit(id);
  return [...order.values()];
}

function checkLineage(packages: PackageLookup, lineage: readonly DamlPackage[]): void {
  for (const each of lineage)
    if (isCompilersOwn(each) && !isUtility(each))
      throw ledgerError('DAML_PRIM_NOT_UTILITY_PACKAGE', {
        cause: `Tried to vet a package ${described(each)}, but this package is not a utility package. All packages named \`daml-prim\` or \`daml-std-lib\` must be a utility package.`,
        context: { packageToBeVetted: described(each) },
      });
  const upgradable = lineage.filter((each) => !isUtility(each));
  const pairs = upgradable.slice(1).map((second, index) => [upgradable[index]!, second] as const);
  for (const [first, second] of pairs)
    if (first.version === second.version) throw knownVersion(described(first), described(second));
  for (const [past, present] of pairs) {
    const upgradeError = cachedError(packages, past, present);
    if (upgradeError !== undefined)
      throw notAnUpgrade(described(past), described(present), upgradeError);
  }
}

function knownVersion(firstPackage: string, secondPackage: string) {
  return ledgerError('KNOWN_PACKAGE_VERSION', {
    cause: `Tried to vet two packages with the same name and version: ${firstPackage} and ${secondPackage}.`,
    context: { firstPackage, secondPackage },
  });
}

function notAnUpgrade(oldPackage: string, newPackage: string, upgradeError: string) {
  return ledgerError('NOT_VALID_UPGRADE_PACKAGE', {
    cause: `Upgrade checks indicate that ${newPackage} cannot be an upgrade of ${oldPackage}. Reason: ${upgradeError}`,
    context: { oldPackage, newPackage, upgradeError },
  });
}

/** A cache: packages never change, so that the result for two packages stays valid. */
const UPGRADE_ERRORS = new WeakMap<
  DamlPackage,
  WeakMap<DamlPackage, { readonly error?: string }>
>();

function cachedError(
  packages: PackageLookup,
  past: DamlPackage,
  present: DamlPackage,
): string | undefined {
  let ofPresent = UPGRADE_ERRORS.get(present);
  if (ofPresent === undefined) UPGRADE_ERRORS.set(present, (ofPresent = new WeakMap()));
  let found = ofPresent.get(past);
  if (found === undefined)
    ofPresent.set(past, (found = { error: upgrades().upgradeError(packages, past, present) }));
  return found.error;
}

function isCompilersOwn({ name }: DamlPackage): boolean {
  return name === 'daml-prim' || name === 'daml-stdlib';
}

/**
 * Modules whose types were serializable in compilers before 3.2. A participant recognizes the packages of those
 * compilers by id and treats them as utilities.
 * NOTE: here this applies to any package without other serializable types.
 */
const ONCE_SERIALIZABLE: Readonly<Record<string, string>> = {
  'daml-prim': 'GHC.Stack.Types:',
  'daml-stdlib': 'DA.Numeric:',
};

/** A package that cannot appear on the ledger: it has versions, but no upgrades. */
function isUtility({ name, templates, interfaces, dataTypes }: DamlPackage): boolean {
  const ignored = Object.hasOwn(ONCE_SERIALIZABLE, name) ? ONCE_SERIALIZABLE[name]! : ':';
  return (
    templates.size === 0 &&
    interfaces.size === 0 &&
    ![...dataTypes].some(([type, { serializable }]) => serializable && !type.startsWith(ignored))
  );
}

function described({ id, name, version }: DamlPackage): string {
  return `${id} (${name} v${version})`;
}
