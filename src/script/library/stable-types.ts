/**
 * The types of the script library that are the same for all SDKs from 3.6 on. Each has a separate package. The module of
 * that package is the module of the library, with `Stable` and the name of the type: `….Commands.Stable.Command:Command`.
 * Types that refer to each other share a package (B-SCR-001).
 */
import { splitTypeId, typeId } from '../../daml/model/types.js';
import type { DamlPackage } from '../../daml/model/package.js';
import type { ScriptPackages } from '../packages.js';
import type { StableType } from './library.js';

const STABLE = /^(Daml\.Script\.Internal\..+)\.Stable\.\w+$/;

/** The module of the library that a module of a stable type replaces; undefined for another module. */
export const stableModule = (module: string): string | undefined => STABLE.exec(module)?.[1];

/** By `Module:Type`, with the module of the library; undefined if it has no such dependencies. */
export function stableTypes(
  library: DamlPackage,
  packages: ScriptPackages,
): ReadonlyMap<string, StableType> | undefined {
  const found = new Map<string, StableType>();
  for (const packageId of library.dependencies)
    for (const [name, type] of packages.package(packageId)?.dataTypes ?? []) {
      const id = typeId(packageId, name);
      const { module, entity } = splitTypeId(id);
      const replaced = stableModule(module);
      if (replaced !== undefined) found.set(`${replaced}:${entity}`, { id, type });
    }
  return found.size === 0 ? undefined : found;
}
