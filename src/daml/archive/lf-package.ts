/**
 * A package of Daml-LF 2: its metadata, tables and modules. Only name and version are decoded at once; `readAll` decodes everything, to
 * check a new package.
 */
import { scalaVector } from '../errors/scala-text.js';
import type { PackageId } from '../model/types.js';
import { parseError } from './dar-refusals.js';
import type { LfArchive } from './lf-archive.js';
import { LfModule } from './lf-module.js';
import { checkPackageId, checkPackageName, checkPackageVersion, unique } from './lf-names.js';
import { lf2, type Lf2 } from './lf-messages.js';
import { LfTables } from './lf-tables.js';
import { STABLE_PACKAGE_IDS, type LanguageVersion } from './lf-version.js';

export class LfPackage {
  readonly id: PackageId;
  readonly version: LanguageVersion;
  readonly name: string;
  readonly packageVersion: string;
  /** The packages that it declares as imports; undefined if it has no declaration. */
  readonly declaredImports: readonly PackageId[] | undefined;
  private readonly message: Lf2<'Package'>;
  /** Its tables, which decoders of expressions use. */
  readonly tables: LfTables;
  private moduleMap: ReadonlyMap<string, LfModule> | undefined;

  constructor(
    readonly archive: LfArchive,
    /** Its dependencies, if known. */
    private references?: readonly PackageId[],
  ) {
    this.id = archive.packageId;
    this.version = archive.version;
    this.message = lf2.decode('Package', archive.packageBytes);
    this.declaredImports = this.readImports();
    this.tables = new LfTables(this.id, this.version, this.message, this.declaredImports);
    if (this.message.metadata === undefined) {
      throw parseError(`Package.metadata is required in Daml-LF ${this.version.name}`);
    }
    const metadata = lf2.decode('PackageMetadata', this.message.metadata);
    this.name = checkPackageName(this.tables.string(metadata.name));
    this.packageVersion = checkPackageVersion(this.tables.string(metadata.version));
    this.checkUpgraded(metadata.upgradedPackageId);
  }

  /** The package that it upgrades, as the compiler recorded it. This has no effect. */
  private checkUpgraded(bytes: Uint8Array | undefined): void {
    if (bytes === undefined) return;
    const { packageId } = lf2.decode('UpgradedPackageId', bytes);
    checkPackageId(this.tables.string(packageId));
  }

  /** The bytes of an interned expression. */
  expression(index: number): Uint8Array {
    const bytes = this.message.expressions.at(index);
    if (bytes === undefined) throw parseError(`invalid internedExprs table index ${index}`);
    return bytes;
  }

  private readImports(): readonly PackageId[] | undefined {
    const { imports, noImportsReason } = this.message;
    if (imports === undefined && noImportsReason === undefined) return undefined;
    const packages = imports && lf2.decode('PackageImports', imports).packages;
    if (!this.version.packageImports) {
      const what =
        packages === undefined
          ? `case NO_IMPORTED_PACKAGES_REASON, set to ${noImportsReason}`
          : `case set PACKAGE_IMPORTS, to ${scalaVector(packages)}`;
      throw parseError(
        `Explicit pkg imports set on unsupported lf version (version ${this.version.name}), ${what}`,
      );
    }
    return packages?.map(checkPackageId);
  }

  /**
   * The packages that it refers to, including references in expressions, sorted. This visits the whole package.
   * @throws LedgerError if messages nest too deep or contain unknown fields
   */
  get directDependencies(): readonly PackageId[] {
    if (this.references === undefined) {
      const strings = new Set<number>();
      const imports = new Set<number>();
      this.walk((field, index) => (field === 3 ? strings : imports).add(index));
      const ids = new Set([
        ...[...strings].map((index) => this.tables.importedPackageId(index)),
        ...[...imports].map((index) => this.tables.packageImport(index)),
      ]);
      ids.delete(this.id);
      this.references = [...ids].sort();
    }
    return this.references;
  }

  /**
   * Visits every message of the package.
   * @param visit gets the field and the number of each reference to another package
   * @throws LedgerError if messages nest too deep or contain unknown fields
   */
  walk(visit: (field: number, index: number) => void): void {
    const { version, archive } = this;
    const watched = 'SelfOrImportedPackageId';
    lf2.walk('Package', archive.packageBytes, version.maxNesting, watched, visit);
  }

  /** The packages that a DAR must contain for this package, without stable packages. */
  get imports(): readonly PackageId[] {
    return (
      this.declaredImports ?? this.directDependencies.filter((id) => !STABLE_PACKAGE_IDS.has(id))
    );
  }

  get modules(): ReadonlyMap<string, LfModule> {
    this.moduleMap ??= unique(
      this.message.modules.map((bytes) => {
        const module = new LfModule(bytes, this.tables, this.version);
        return [module.name, module] as const;
      }),
      'module',
    );
    return this.moduleMap;
  }

  /**
   * Decodes everything except expressions.
   * @throws LedgerError if anything is invalid
   */
  readAll(): void {
    void this.directDependencies;
    this.tables.readAll();
    for (const module of this.modules.values()) module.readAll();
  }
}
