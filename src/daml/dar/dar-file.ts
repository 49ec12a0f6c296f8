/**
 * Reads the packages of a DAR. The checks have the order of a participant: the file, each archive, language
 * versions, the closure of dependencies, the type check. Packages that were checked before are decoded on demand,
 * and packages that the caller already has are not read again. Packages that TypeScript only declared are read.
 */
import { LedgerError } from '../errors/ledger-error.js';
import { isFromTypeScript, type DamlPackage, type PackageLookup } from '../model/package.js';
import type { PackageId } from '../model/types.js';
import { checkPackages } from './check-package.js';
import { ALL_LANGUAGES, checkLanguages, type LanguageSupport } from './check-languages.js';
import { CheckedPackages } from './checked-packages.js';
import { notSelfConsistent } from '../archive/dar-refusals.js';
import { DarPackage } from './dar-package.js';
import { ReadDars, type Archives } from './read-dars.js';
import { readDarFile, type DarFileOptions } from '../archive/zip/dar-zip.js';
import { decodePackage } from '../archive/code/decode-package.js';
import { isLegacy, readArchive, type LfArchive } from '../archive/lf-archive.js';
import { LfPackage } from '../archive/lf-package.js';
import { STABLE_PACKAGE_IDS } from '../archive/lf-version.js';
import { LfWorld } from '../archive/lf-world.js';

export interface ReadDarOptions extends DarFileOptions {
  /** Packages that need not be checked; those of this process by default. */
  readonly checked?: CheckedPackages;
  /** The accepted language versions; by default all that Canticle reads. */
  readonly languages?: LanguageSupport;
}

/** The packages that this process has checked. */
const checkedHere = new CheckedPackages();

/** The DARs that this process has read. */
const readHere = new ReadDars();

export interface Dar {
  readonly main: DamlPackage;
  /** The main package first, then its dependencies in the manifest's order. */
  readonly packages: readonly DamlPackage[];
}

/**
 * @throws LedgerError with which a participant refuses the upload; its stack has the reason if Canton's cause does
 * not
 */
export function readDar(
  bytes: Uint8Array,
  known: Pick<PackageLookup, 'package'> = { package: () => undefined },
  options: ReadDarOptions = {},
): Dar {
  try {
    return read(bytes, known, options);
  } catch (error) {
    throw error instanceof LedgerError ? error.explained() : error;
  }
}

function read(
  bytes: Uint8Array,
  known: Pick<PackageLookup, 'package'>,
  options: ReadDarOptions,
): Dar {
  const found = readHere.archives(bytes, options);
  try {
    return readPackages(found, known, options, bytes);
  } catch (error) {
    if (error instanceof LedgerError) findDecodingError(bytes, options);
    throw error;
  }
}

function readPackages(
  read: Archives,
  known: Pick<PackageLookup, 'package'>,
  options: ReadDarOptions,
  bytes: Uint8Array,
): Dar {
  const { checked = checkedHere, languages = ALL_LANGUAGES } = options;
  const { archives } = read;
  const current = archives.filter((archive): archive is LfArchive => !isLegacy(archive));
  const isCached = current.length < 2 || checked.findDar(current[0]!.packageId);
  const packages = new Map<PackageId, LfPackage>();
  /** The known package with the id, unless TypeScript only declared it. */
  const trusted = (id: PackageId): DamlPackage | undefined => {
    const found = known.package(id);
    return found === undefined || isFromTypeScript(found) ? undefined : found;
  };
  for (const archive of current) {
    const { packageId } = archive;
    if (packages.has(packageId)) continue;
    const found = trusted(packageId);
    const same = found instanceof DarPackage && found.id === packageId ? found.lf : undefined;
    packages.set(packageId, same ?? new LfPackage(archive, checked.get(packageId)?.dependencies));
  }
  const isKnown = (id: PackageId): boolean => trusted(id) !== undefined;
  const isChecked = ({ id }: LfPackage): boolean =>
    checked.get(id)?.dependencies.every((each) => packages.has(each)) ?? false;
  const added = [...packages.values()].filter((one) => !isKnown(one.id) && !isChecked(one));
  for (const one of added) one.readAll();
  checkLanguages(archives, languages);
  const main = current[0]!.packageId;
  const isTypeChecked = checkClosure(main, packages);
  const world = new LfWorld(packages);
  try {
    checkPackages(packages, added, checked);
  } catch (error) {
    if (isTypeChecked || !(error instanceof LedgerError)) throw error;
    findDecodingError(bytes, options);
  }
  if (!isCached) checked.addDar(main, [...packages.keys()]);
  const { name, packageVersion } = packages.get(main)!;
  checked.code?.sources?.add(main, `${name}-${packageVersion}`, bytes);
  readHere.add(read);
  const result = [...packages.values()].map(
    (one) => trusted(one.id) ?? new DarPackage(one, world, checked.code),
  );
  return { main: result[0]!, packages: result };
}

/**
 * Decodes all expressions, to find the error that a participant would find first. A participant decodes all
 * packages, expressions included, before it checks dependencies and types. Canticle decodes expressions on demand,
 * so it finds their errors later.
 * @throws LedgerError if a package cannot be decoded
 */
function findDecodingError(bytes: Uint8Array, options: ReadDarOptions): void {
  const { checked = checkedHere, languages } = options;
  const file = readDarFile(bytes, options);
  for (const name of file.names) {
    const archive = readArchive(file.archive(name), languages);
    if (isLegacy(archive) || checked.get(archive.packageId) !== undefined) continue;
    decodePackage(new LfPackage(archive));
  }
}

/**
 * Compares the packages that the main package needs with the packages of the DAR, both without stable packages.
 * @returns whether type errors count: a participant skips the type check if it only logged a warning here
 * (B-PKG-019)
 */
function checkClosure(main: PackageId, packages: ReadonlyMap<PackageId, LfPackage>): boolean {
  const mentioned = new Set([main]);
  for (const id of mentioned)
    for (const next of packages.get(id)?.imports ?? []) mentioned.add(next);
  const counts = (id: PackageId): boolean => !STABLE_PACKAGE_IDS.has(id);
  const missing = [...mentioned].filter((id) => counts(id) && !packages.has(id));
  const extra = [...packages.keys()].filter((id) => counts(id) && !mentioned.has(id));
  // Before packages declared their imports, compilers added unneeded packages. Those cause only a warning.
  const lenient = !packages.get(main)!.version.packageImports;
  if (missing.length > 0 || (extra.length > 0 && !lenient))
    throw notSelfConsistent(main, missing, extra);
  return extra.length === 0;
}
