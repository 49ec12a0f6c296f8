/**
 * Finds packages by their ids: among the available ones, in the given DARs, and in the folder of DARs. The directory of a DAR lists its
 * packages.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { zipNames } from '../../daml/archive/zip/zip.js';
import { readDar } from '../../daml/dar/dar-file.js';
import type { DamlPackage } from '../../daml/model/package.js';
import type { PackageId } from '../../daml/model/types.js';
import { checkedPackages } from '../cache/fact-files.js';
import { darFolder, readNamedFile } from '../dar-files.js';

/** A package to find, with its name for messages. */
export interface WantedPackage {
  readonly id: PackageId;
  readonly name: string;
}

/** Sources of packages. */
export interface PackageSources {
  readonly dars?: readonly (Uint8Array | string)[] | undefined;
  readonly cache?: string | false | undefined;
}

/** The form of archive names in a DAR. */
const ARCHIVE = /-([0-9a-f]{64})\.dalf$/;

/**
 * @returns the packages of `own` and of the given DARs, and the other wanted packages with all their dependencies
 * @throws Error that names missing packages; its message ends a sentence
 */
export function packagesById(
  wanted: readonly WantedPackage[],
  own: readonly DamlPackage[],
  { dars = [], cache }: PackageSources,
): ReadonlyMap<PackageId, DamlPackage> {
  const known = new Map(own.map((each) => [each.id, each]));
  const checked = checkedPackages(cache);
  const add = (bytes: Uint8Array): void => {
    const { packages } = readDar(bytes, { package: (id) => known.get(id) }, { checked });
    for (const each of packages) known.set(each.id, each);
  };
  for (const dar of dars) add(typeof dar === 'string' ? readNamedFile(dar) : dar);
  const missing = (): readonly WantedPackage[] => wanted.filter(({ id }) => !known.has(id));
  if (missing().length > 0)
    for (const path of darsInFolder()) {
      const sought = new Set(missing().map(({ id }) => id));
      if (sought.size === 0) break;
      const bytes = readNamedFile(path);
      if (archivesIn(bytes).some((id) => sought.has(id))) add(bytes);
    }
  const left = missing();
  if (left.length === 0) return known;
  throw new Error(
    `it needs packages that are missing: ${left.map(({ id, name }) => `${name === '' ? 'unknown name' : name} (${id})`).join(', ')}. Pass their DARs as \`dars\` (--dar), or put them into ${darFolder()}`,
  );
}

function darsInFolder(): readonly string[] {
  const folder = darFolder();
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.dar'));
    return names.sort().map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** Empty for files that are not DARs: an error about them would confuse the user. */
function archivesIn(bytes: Uint8Array): readonly PackageId[] {
  try {
    return [...zipNames(bytes)].flatMap((name) => ARCHIVE.exec(name)?.[1] ?? []);
  } catch {
    return [];
  }
}
