/** The layout of the output: a folder per package, a file per module, and a name in it for each entity. */
import type { DamlPackage } from '../daml/model/package.js';
import { packageIdOf, splitTypeId, type PackageId, type TypeId } from '../daml/model/types.js';
import { Scope } from './names.js';
import type { Entity, Packages } from './selection.js';

export interface ModuleFile {
  readonly package: DamlPackage;
  readonly module: string;
  /** The path from the output folder, with `/`: `splice-amulet/Splice/Amulet.ts`. */
  readonly path: string;
  readonly entities: readonly Entity[];
  /** The names of the entities in this file. */
  readonly names: ReadonlyMap<TypeId, string>;
  readonly scope: Scope;
}

/** In the order of their paths. */
export function layOut(
  entities: ReadonlyMap<TypeId, Entity>,
  packages: Packages,
): readonly ModuleFile[] {
  const folders = foldersOf(new Set([...entities.keys()].map(packageIdOf)), packages);
  const byPath = new Map<string, Entity[]>();
  for (const entity of entities.values()) {
    const { packageId, module } = splitTypeId(entity.id);
    const path = `${folders.get(packageId)}/${module.replaceAll('.', '/')}.ts`;
    byPath.set(path, [...(byPath.get(path) ?? []), entity]);
  }
  const sorted = [...byPath].sort(([left], [right]) => (left < right ? -1 : 1));
  return sorted.map(([path, own]) => {
    const { packageId, module } = splitTypeId(own[0]!.id);
    const scope = new Scope();
    return {
      package: packages.get(packageId)!,
      module,
      path,
      entities: own,
      names: namesOf(own, scope),
      scope,
    };
  });
}

/**
 * The names of entities. Nested entities, such as the fields of a constructor, get names of both parts. Plain names
 * come first.
 */
function namesOf(entities: readonly Entity[], scope: Scope): ReadonlyMap<TypeId, string> {
  const names = new Map<TypeId, string>();
  const add = (isPlain: boolean) => {
    for (const { id } of entities) {
      const { entity } = splitTypeId(id);
      if (entity.includes('.') !== isPlain) names.set(id, scope.name(entity.replaceAll('.', '_')));
    }
  };
  add(true);
  add(false);
  return names;
}

/**
 * The folder names. A folder has the name of its package. If other packages have that name, ignoring case, the
 * version and then the id are added.
 */
function foldersOf(
  ids: ReadonlySet<PackageId>,
  packages: Packages,
): ReadonlyMap<PackageId, string> {
  const own = [...ids].map((id) => packages.get(id)!);
  const spellings = [
    ({ name }: DamlPackage) => name,
    ({ name, version }: DamlPackage) => `${name}-${version}`,
    ({ name, version, id }: DamlPackage) => `${name}-${version}-${id.slice(0, 8)}`,
    ({ name, id }: DamlPackage) => `${name}-${id}`,
  ];
  const folders = new Map<PackageId, string>();
  for (const spelling of spellings) {
    const counts = new Map<string, number>();
    for (const one of own) {
      const key = spelling(one).toLowerCase();
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const taken = new Set([...folders.values()].map((folder) => folder.toLowerCase()));
    for (const one of own) {
      const key = spelling(one).toLowerCase();
      if (!folders.has(one.id) && counts.get(key) === 1 && !taken.has(key))
        folders.set(one.id, spelling(one));
    }
  }
  return folders;
}
