/**
 * Packages that are asked for by their ids: among those that are here, in DARs that are given, and in the folder of DARs, whose
 * directories say which packages each has.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { zipNames } from '../../daml/archive/zip/zip.js';
import { readDar } from '../../daml/dar/dar-file.js';
import type { DamlPackage } from '../../daml/model/package.js';
import type { PackageId } from '../../daml/model/types.js';
import { checkedPackages } from '../cache/fact-files.js';
import { darFolder, readNamedFile } from '../dar-files.js';

/** What is wanted, with a name for people. */
export interface WantedPackage {
  readonly id: PackageId;
  readonly name: string;
}

/** Where packages may be. */
export interface PackageSources {
  readonly dars?: readonly (Uint8Array | string)[] | undefined;
  readonly cache?: string | false | undefined;
}

/** As compilers name the archives of a DAR. */
const ARCHIVE = /-([0-9a-f]{64})\.dalf$/;

/**
 * @returns those of `own`, of the DARs that are given, and what else is wanted with all that it needs
 * @throws Error that names what is nowhere, as the end of a sentence
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
    `it needs packages that are not here: ${left.map(({ id, name }) => `${name === '' ? 'of no known name' : name} (${id})`).join(', ')}. Give their DARs as \`dars\` (--dar), or put them into ${darFolder()}`,
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

/** None of what is no DAR: it is nobody's who asks for a package. */
function archivesIn(bytes: Uint8Array): readonly PackageId[] {
  try {
    return [...zipNames(bytes)].flatMap((name) => ARCHIVE.exec(name)?.[1] ?? []);
  } catch {
    return [];
  }
}
