/**
 * Templates and interfaces by their ids, as they were found in their packages: every command looks the same few up several times.
 * It is a memory and no state: what was found in a package that meanwhile gave way to another one counts no more.
 */
import type { DamlPackage, Interface, PackageLookup, Template } from './package.js';
import { packageIdOf, qualifiedNameOf, type PackageId, type TypeId } from './types.js';

interface Found<T> {
  readonly packageId: PackageId;
  readonly owner: DamlPackage;
  readonly definition: T | undefined;
}

/** Ids from outside may name anything: no more are kept. */
const MOST = 10_000;

class Finder<T> {
  private readonly found = new Map<TypeId, Found<T>>();

  constructor(private readonly kind: 'templates' | 'interfaces') {}

  /** Undefined where the id names nothing of the kind. */
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
