/**
 * Splice's packages on the nodes of a LocalNet (L-TOP-007 to L-TOP-010, L-ENV-007): those of its release of Splice in the folder of
 * DARs. Canticle does not contain the DARs: without them, a LocalNet has only a simplified Amulet.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compareVersions } from '../../daml/model/versions.js';
import { SPLICE_VERSIONS, spliceReleaseOf, type SpliceVersion } from '../../spec/versions.js';
import { darFolder } from '../dar-files.js';

/** The package of the DSO that no app's node has. */
const GOVERNANCE = 'splice-dso-governance';
export const AMULET = 'splice-amulet';

/** The lowest version of each that a network of Splice 0.7.4 may begin with (L-TOP-012). */
const LEAST: Readonly<Record<string, string>> = {
  [AMULET]: '0.1.15',
  'splice-amulet-name-service': '0.1.16',
  [GOVERNANCE]: '0.1.21',
  'splice-validator-lifecycle': '0.1.6',
  'splice-wallet': '0.1.15',
  'splice-wallet-payments': '0.1.15',
};

export interface SpliceDar {
  readonly name: string;
  /** The chosen version; undefined if there is none. */
  readonly version?: string;
  readonly path?: string;
  /** The version in the release of Splice. */
  readonly expected: string;
  /** Whether later versions are as good, because the release's own is not known. */
  readonly orLater: boolean;
  /** The lowest version for a new network, if the chosen one is below it. */
  readonly least?: string;
  /** Whether only the super validator has it. */
  readonly isOfSv: boolean;
}

const FILE = /^(.+)-(\d+\.\d+\.\d+)\.dar$/;

/**
 * Each package of a LocalNet with its DAR in a folder: that of the release, or else the nearest version.
 * @param from by default the folder of the environment, false for none
 */
export function spliceDars(
  from: string | false = darFolder(),
  release?: SpliceVersion,
): readonly SpliceDar[] {
  const folder = from === false ? '' : from;
  const versions = versionsIn(folder);
  const { packages, hasLaterPackages: orLater } = spliceReleaseOf(release);
  return Object.entries(packages).map(([name, expected]) => {
    const row = { name, expected, orLater, isOfSv: name === GOVERNANCE };
    const version = chosen(versions.get(name) ?? [], row);
    if (version === undefined) return row;
    const least = LEAST[name];
    const isTooOld = least !== undefined && compareVersions(version, least) < 0;
    const path = join(folder, `${name}-${version}.dar`);
    return { ...row, version, path, ...(isTooOld && { least }) };
  });
}

/** The paths of the DARs that any release of Splice would use from the folder. */
export function darsOfAnyRelease(from: string | false = darFolder()): readonly string[] {
  const all = SPLICE_VERSIONS.flatMap((release) => spliceDars(from, release));
  return [...new Set(all.flatMap(({ path }) => path ?? []))];
}

/** Whether the chosen version is not one of the release. */
export const isOfOtherRelease = ({ version, expected, orLater }: SpliceDar): boolean =>
  version !== undefined &&
  version !== expected &&
  !(orLater && compareVersions(version, expected) > 0);

/** @param versions ascending */
function chosen(
  versions: readonly string[],
  { expected, orLater }: Pick<SpliceDar, 'expected' | 'orLater'>,
): string | undefined {
  if (orLater) return versions.at(-1);
  return versions.findLast((each) => compareVersions(each, expected) <= 0) ?? versions[0];
}

/** The versions of each package, ascending. */
function versionsIn(folder: string): ReadonlyMap<string, readonly string[]> {
  const all = new Map<string, string[]>();
  if (folder === '' || !existsSync(folder)) return all;
  for (const file of readdirSync(folder)) {
    const [, name, version] = FILE.exec(file) ?? [];
    if (name === undefined || version === undefined) continue;
    all.set(name, [...(all.get(name) ?? []), version]);
  }
  for (const versions of all.values()) versions.sort(compareVersions);
  return all;
}
