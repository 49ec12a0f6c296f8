/** The templates of the contracts of a template or an interface: all versions, and all implementations. */
import { typeId, type QualifiedName, type TypeId } from '../../daml/model/types.js';
import type { ScriptPackages } from '../../script/packages.js';

const NONE: readonly TypeId[] = [];

export class Targets {
  private readonly byInterface = new Map<TypeId, TypeId[]>();

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
    return this.packages.versionsOf(packageName).map(({ id }) => typeId(id, name));
  }

  /** The ids of the templates that implement an interface. */
  implementersOf(interfaceId: TypeId): readonly TypeId[] {
    return this.byInterface.get(interfaceId) ?? NONE;
  }
}
