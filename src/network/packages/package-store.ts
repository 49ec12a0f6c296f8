/** The packages of a participant, and the resolution of `#package-name`. */
import { Definitions } from '../../daml/model/definitions.js';
import {
  isFromTypeScript,
  runsHere,
  type DamlPackage,
  type PackageLookup,
} from '../../daml/model/package.js';
import type { PackageId, TypeId } from '../../daml/model/types.js';
import { compareVersions } from '../../daml/model/versions.js';
import { JournaledMap, type Journal } from '../journal/journal.js';
import { DarStore } from './dar-store.js';

const NOBODY: readonly string[] = [];

/** A package with its archive. */
export type ServedPackage = DamlPackage & { readonly archive: Uint8Array };

export class PackageStore implements PackageLookup {
  /** The uploaded DARs of the packages, if they came from files. */
  readonly dars: DarStore;
  private readonly packages: JournaledMap<PackageId, DamlPackage>;
  /** Ids by name, highest version first; within one version the greatest id first (B-PKG-021). */
  private readonly byName: JournaledMap<string, readonly PackageId[]>;
  /** Ids by name, in the order of upload. */
  private readonly arrivals: JournaledMap<string, readonly PackageId[]>;
  /** Removed packages: history still needs them. */
  private readonly former: JournaledMap<PackageId, DamlPackage>;
  /** Templates that implement an interface, as `<package name>:<Module>:<Entity>`, sorted. */
  private readonly implementers: JournaledMap<TypeId, readonly string[]>;

  /** A cache of the packages' definitions, which stays valid after a revert. */
  readonly definitions = new Definitions();

  constructor(
    journal: Journal,
    participant: string,
    readonly everywhere: PackageLookup,
  ) {
    this.dars = new DarStore(journal, participant);
    this.packages = new JournaledMap(journal, `packages/${participant}`);
    this.former = new JournaledMap(journal, `former-packages/${participant}`);
    this.byName = new JournaledMap(journal, `package-names/${participant}`);
    this.arrivals = new JournaledMap(journal, `package-arrivals/${participant}`);
    this.implementers = new JournaledMap(journal, `implementers/${participant}`);
  }

  /** Includes removed packages, because history needs them; {@link has} tells whether a package is present. */
  package(id: PackageId): DamlPackage | undefined {
    return this.packages.get(id) ?? this.former.get(id);
  }

  packageIdForName(name: string): PackageId | undefined {
    return this.byName.get(name)?.[0];
  }

  packageNames(): readonly string[] {
    return this.byName.sortedKeys();
  }

  /** Ids of all versions of a package name, highest version first. */
  versionsOf(name: string): readonly PackageId[] {
    return this.byName.get(name) ?? [];
  }

  /** The same ids in the order of upload, if that is known. */
  arrivalsOf(name: string): readonly PackageId[] {
    return this.arrivals.get(name) ?? this.versionsOf(name);
  }

  has(id: PackageId): boolean {
    return this.packages.has(id);
  }

  /** Sorted. */
  ids(): readonly PackageId[] {
    return this.packages.sortedKeys();
  }

  /** Sorted. Packages that can be downloaded, together with everything that they need. */
  servedIds(): readonly PackageId[] {
    const served = new Map<PackageId, boolean>();
    return this.ids().filter((id) => this.isServed(id, served));
  }

  /** A package that can be downloaded. */
  served(id: PackageId): ServedPackage | undefined {
    return this.isServed(id, new Map()) ? (this.packages.get(id) as ServedPackage) : undefined;
  }

  /** A package from TypeScript has no archive, and packages that refer to it cannot be read without it. */
  private isServed(id: PackageId, known: Map<PackageId, boolean>): boolean {
    const seen = known.get(id);
    if (seen !== undefined) return seen;
    const found = this.packages.get(id);
    const isServed =
      found?.archive !== undefined &&
      (!isFromTypeScript(found) || found.dependencies.every((each) => this.isServed(each, known)));
    known.set(id, isServed);
    return isServed;
  }

  /** `<package name>:<Module>:<Entity>`, sorted. The same array until another package implements the interface. */
  implementersOf(interfaceId: TypeId): readonly string[] {
    return this.implementers.get(interfaceId) ?? NOBODY;
  }

  /** The caller must check that the package is unused. */
  remove(id: PackageId): void {
    const removed = this.packages.get(id);
    if (removed === undefined) return;
    this.packages.delete(id);
    this.former.set(id, removed);
    const ids = this.versionsOf(removed.name).filter((each) => each !== id);
    if (ids.length > 0) {
      const arrivals = this.arrivalsOf(removed.name).filter((each) => each !== id);
      this.arrivals.set(removed.name, arrivals);
      this.byName.set(removed.name, ids);
    } else {
      this.arrivals.delete(removed.name);
      this.byName.delete(removed.name);
    }
    const left = implementedBy(ids.map((each) => this.packages.get(each)!));
    const prefix = `${removed.name}:`;
    for (const interfaceId of implementedBy([removed]).keys()) {
      const others = this.implementersOf(interfaceId).filter((name) => !name.startsWith(prefix));
      this.implementers.set(interfaceId, [...others, ...(left.get(interfaceId) ?? [])].sort());
    }
  }

  /** Adds a package. A known package stays unchanged, but a DAR's package replaces one from TypeScript. */
  add(added: DamlPackage): void {
    const known = this.packages.get(added.id);
    if (known !== undefined && !takesOver(added, known)) return;
    this.packages.set(added.id, added);
    this.arrivals.set(added.name, [...new Set([...this.arrivalsOf(added.name), added.id])]);
    if (this.former.has(added.id)) this.former.delete(added.id);
    const ids = [...new Set([...this.versionsOf(added.name), added.id])];
    ids.sort(
      (a, b) =>
        compareVersions(this.packages.get(b)!.version, this.packages.get(a)!.version) ||
        (a < b ? 1 : -1),
    );
    this.byName.set(added.name, ids);
    for (const [name, template] of added.templates)
      for (const interfaceId of template.implementations.keys()) {
        const names = new Set([...this.implementersOf(interfaceId), `${added.name}:${name}`]);
        this.implementers.set(interfaceId, [...names].sort());
      }
  }
}

function implementedBy(all: readonly DamlPackage[]): ReadonlyMap<TypeId, ReadonlySet<string>> {
  const found = new Map<TypeId, Set<string>>();
  for (const { name: packageName, templates } of all)
    for (const [name, template] of templates)
      for (const id of template.implementations.keys())
        found.set(id, (found.get(id) ?? new Set()).add(`${packageName}:${name}`));
  return found;
}

function takesOver(added: DamlPackage, known: DamlPackage): boolean {
  return isFromTypeScript(known) && !isFromTypeScript(added) && !runsHere(known);
}
