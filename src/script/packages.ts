/** The packages that scripts run with, and the subset that their ledger may use. */
import { Definitions } from '../daml/model/definitions.js';
import type { DamlPackage, PackageLookup } from '../daml/model/package.js';
import type { PackageId } from '../daml/model/types.js';
import { compareVersions } from '../daml/model/versions.js';

export class ScriptPackages implements PackageLookup {
  readonly definitions = new Definitions();
  private readonly byId: ReadonlyMap<PackageId, DamlPackage>;
  private readonly byName = new Map<string, DamlPackage[]>();

  constructor(packages: Iterable<DamlPackage>) {
    this.byId = new Map([...packages].map((each) => [each.id, each]));
    for (const each of this.byId.values()) {
      const versions = this.byName.get(each.name);
      if (versions === undefined) this.byName.set(each.name, [each]);
      else versions.push(each);
    }
    for (const versions of this.byName.values())
      versions.sort((a, b) => compareVersions(b.version, a.version) || (a.id < b.id ? 1 : -1));
  }

  package(id: PackageId): DamlPackage | undefined {
    return this.byId.get(id);
  }

  packageIdForName(name: string): PackageId | undefined {
    return this.versionsOf(name)[0]?.id;
  }

  packageNames(): readonly string[] {
    return [...this.byName.keys()].sort();
  }

  /** Highest version first. */
  versionsOf(name: string): readonly DamlPackage[] {
    return this.byName.get(name) ?? [];
  }

  all(): readonly DamlPackage[] {
    return [...this.byId.values()];
  }

  /**
   * The same packages without unvetted packages.
   * @param preferred by name, the version that replaces the highest version
   */
  vetted(
    unvetted: ReadonlySet<PackageId>,
    preferred: ReadonlyMap<string, PackageId>,
  ): PackageLookup {
    if (unvetted.size === 0 && preferred.size === 0) return this;
    const known = (id: PackageId) => (unvetted.has(id) ? undefined : this.package(id));
    return {
      package: known,
      packageIdForName: (name) =>
        preferred.get(name) ?? this.versionsOf(name).find(({ id }) => !unvetted.has(id))?.id,
      packageNames: () => this.packageNames(),
      // If all packages are vetted, both share the definitions.
      ...(unvetted.size === 0 && { root: this, definitions: this.definitions }),
    };
  }
}
