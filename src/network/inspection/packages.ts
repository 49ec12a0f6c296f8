/** The packages of all participants, and the Daml sources in their DARs. */
import { darSourcePaths, darSources } from '../../daml/archive/zip/dar-sources.js';
import type { DamlPackage } from '../../daml/model/package.js';
import type { PackageId } from '../../daml/model/types.js';
import type { Network } from '../network.js';

/** Without duplicates, by name and then by version and id. */
export function knownPackages({ participants }: Network): readonly DamlPackage[] {
  const byId = new Map<PackageId, DamlPackage>();
  for (const { packages } of participants)
    for (const id of packages.ids()) byId.set(id, packages.package(id)!);
  const order = ({ name, version, id }: DamlPackage): string => `${name} ${version} ${id}`;
  return [...byId.values()].sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

/** A path in a DAR: the folder of the package, and the path of the module. */
const MODULE_PATH = /^[^/]+\/(.+)\.daml$/;

export interface ModuleSource {
  /** The path in the DAR. */
  readonly path: string;
  readonly text: string;
}

/** By the bytes of a DAR. */
const known = new WeakMap<Uint8Array, readonly string[]>();

/** The modules of {@link sourcesOf}, in order. */
export function modulesWithSource({ participants }: Network, id: PackageId): readonly string[] {
  const bytes = participants.flatMap(({ packages }) => packages.dars.get(id)?.bytes ?? [])[0];
  if (bytes === undefined) return [];
  let modules = known.get(bytes);
  if (modules === undefined) {
    modules = darSourcePaths(bytes)
      .flatMap((path) => MODULE_PATH.exec(path)?.[1]?.replaceAll('/', '.') ?? [])
      .sort();
    known.set(bytes, modules);
  }
  return modules;
}

/** Sources by module, for the main packages of uploaded DARs; empty for others. */
export function sourcesOf(
  { participants }: Network,
  id: PackageId,
): ReadonlyMap<string, ModuleSource> {
  const sources = new Map<string, ModuleSource>();
  for (const { packages } of participants) {
    const dar = packages.dars.get(id);
    if (dar === undefined) continue;
    for (const source of darSources(dar.bytes)) {
      const within = MODULE_PATH.exec(source.path)?.[1];
      if (within !== undefined) sources.set(within.replaceAll('/', '.'), source);
    }
    break;
  }
  return sources;
}
