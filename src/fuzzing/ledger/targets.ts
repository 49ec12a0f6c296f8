/** The templates of the contracts of a template or an interface: all versions, and all implementations. */
import { typeId, type QualifiedName, type TypeId } from '../../daml/model/types.js';
import type { ScriptPackages } from '../../script/packages.js';

const NONE: readonly TypeId[] = [];

export class Targets {
  private readonly byInterface = new Map<TypeId, TypeId[]>();
  /** By package name, then by the name of the template. */
  private readonly versions = new Map<string, Map<QualifiedName, readonly TypeId[]>>();

  constructor(private readonly packages: ScriptPackages) {
    for (const { templates } of packages.all())
      for (const { id, implementations } of templates.values())
        for (const interfaceId of implementations.keys()) {
          const known = this.byInterface.get(interfaceId);
          if (known === undefined) this.byInterface.set(interfaceId, [id]);
          else known.push(id);
        }
  }

  /** The ids of a template in all versions of its package. */
  versionsOf(packageName: string, name: QualifiedName): readonly TypeId[] {
    let byName = this.versions.get(packageName);
    if (byName === undefined) this.versions.set(packageName, (byName = new Map()));
    let ids = byName.get(name);
    if (ids === undefined) {
      ids = this.packages.versionsOf(packageName).map(({ id }) => typeId(id, name));
      byName.set(name, ids);
    }
    return ids;
  }

  /** The ids of the templates that implement an interface. */
  implementersOf(interfaceId: TypeId): readonly TypeId[] {
    return this.byInterface.get(interfaceId) ?? NONE;
  }
}
