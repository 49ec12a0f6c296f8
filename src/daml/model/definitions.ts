/**
 * A cache of templates and interfaces by id, because every command looks up the same ones several times. It is not state: an entry becomes
 * invalid when another package replaces its package.
 */
import type { DamlPackage, Interface, PackageLookup, Template } from './package.js';
import { packageIdOf, qualifiedNameOf, type PackageId, type TypeId } from './types.js';

interface Found<T> {
  readonly packageId: PackageId;
  readonly owner: DamlPackage;
  readonly definition: T | undefined;
}

/** The maximum number of entries, because ids in requests can be arbitrary. */
const MOST = 10_000;

class Finder<T> {
  private readonly found = new Map<TypeId, Found<T>>();

  constructor(private readonly kind: 'templates' | 'interfaces') {}

  /** Undefined if there is no such definition. */
  find(packages: PackageLookup, id: TypeId): T | undefined {
    const known = this.found.get(id);
    if (known !== undefined && packages.package(known.packageId) === known.owner)
      return known.definition;
    const packageId = packageIdOf(id);
    const owner = packages.package(packageId);
    if (owner === undefined) return undefined;
    const definition = owner[this.kind].get(qualifiedNameOf(id)) as T | undefined;
    if (known !== undefined || this.found.size < MOST)
      this.found.set(id, { packageId, owner, definition });
    return definition;
  }
}

export class Definitions {
  readonly templates = new Finder<Template>('templates');
  readonly interfaces = new Finder<Interface>('interfaces');
}
