/** Packages that a participant knows, and which of them a `#package-name` stands for. */
import { Definitions } from '../../daml/model/definitions.js';
import {
  isFromTypeScript,
  type DamlPackage,
  type PackageLookup,
} from '../../daml/model/package.js';
import type { PackageId, TypeId } from '../../daml/model/types.js';
import { compareVersions } from '../../daml/model/versions.js';
import { JournaledMap, type Journal } from '../journal/journal.js';
import { DarStore } from './dar-store.js';

const NOBODY: readonly string[] = [];

export class PackageStore implements PackageLookup {
  /** What the packages came in, as far as they came in files. */
  readonly dars: DarStore;
  private readonly packages: JournaledMap<PackageId, DamlPackage>;
  /** Ids by name, highest version first. */
  private readonly byName: JournaledMap<string, readonly PackageId[]>;
  /** Templates that implement an interface, as `<package name>:<Module>:<Entity>`, sorted. */
  private readonly implementers: JournaledMap<TypeId, readonly string[]>;

  /** A memory of what the packages hold, which a revert leaves true. */
  readonly definitions = new Definitions();

  constructor(
    journal: Journal,
    participant: string,
    readonly everywhere: PackageLookup,
  ) {
    this.dars = new DarStore(journal, participant);
    this.packages = new JournaledMap(journal, `packages/${participant}`);
    this.byName = new JournaledMap(journal, `package-names/${participant}`);
    this.implementers = new JournaledMap(journal, `implementers/${participant}`);
  }

  package(id: PackageId): DamlPackage | undefined {
    return this.packages.get(id);
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

  has(id: PackageId): boolean {
    return this.packages.has(id);
  }

  /** Sorted. */
  ids(): readonly PackageId[] {
    return this.packages.sortedKeys();
  }

  /** `<package name>:<Module>:<Entity>`, sorted. The same array until another package implements the interface. */
  implementersOf(interfaceId: TypeId): readonly string[] {
    return this.implementers.get(interfaceId) ?? NOBODY;
  }

  /** Adds a package; one that is known already stays as it is, but what TypeScript only declared gives way to a DAR's. */
  add(added: DamlPackage): void {
    const known = this.packages.get(added.id);
    if (known !== undefined && !takesOver(added, known)) return;
    this.packages.set(added.id, added);
    const ids = [...new Set([...this.versionsOf(added.name), added.id])];
    ids.sort(
      (a, b) =>
        compareVersions(this.packages.get(b)!.version, this.packages.get(a)!.version) ||
        (a < b ? -1 : 1),
    );
    this.byName.set(added.name, ids);
    for (const [name, template] of added.templates)
      for (const interfaceId of template.implementations.keys()) {
        const names = new Set([...this.implementersOf(interfaceId), `${added.name}:${name}`]);
        this.implementers.set(interfaceId, [...names].sort());
      }
  }
}

function takesOver(added: DamlPackage, known: DamlPackage): boolean {
  return isFromTypeScript(known) && !isFromTypeScript(added);
}
