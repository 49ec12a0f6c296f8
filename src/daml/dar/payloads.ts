/**
 * Reads packages from the payloads that a participant returns, without a DAR. Checks each package as if it came in
 * a DAR.
 */
import { decodePackage } from '../archive/code/decode-package.js';
import { isLegacy, readPayload } from '../archive/lf-archive.js';
import { LfPackage } from '../archive/lf-package.js';
import { LfWorld } from '../archive/lf-world.js';
import { sha256Hex } from '../model/hash.js';
import type { DamlPackage } from '../model/package.js';
import type { PackageId } from '../model/types.js';
import { ALL_LANGUAGES, checkLanguages } from './check-languages.js';
import { checkPackages } from './check-package.js';
import { CheckedPackages } from './checked-packages.js';
import { DarPackage } from './dar-package.js';

/**
 * @param payloads in any order, with all that they depend on; their hashes are the ids
 * @param known other packages that they may depend on
 * @throws LedgerError for a payload that is not a package, or that a participant would refuse
 */
export function readPayloads(
  payloads: readonly Uint8Array[],
  checked = new CheckedPackages(),
  known: ReadonlyMap<PackageId, DamlPackage> = new Map(),
): readonly DamlPackage[] {
  const packages = new Map<PackageId, LfPackage>();
  for (const payload of payloads) {
    const archive = readPayload(sha256Hex(payload), payload);
    checkLanguages([archive], ALL_LANGUAGES);
    if (isLegacy(archive)) continue;
    const { packageId } = archive;
    packages.set(packageId, new LfPackage(archive, checked.get(packageId)?.dependencies));
  }
  const all = [...packages.values()];
  for (const one of known.values())
    if (one instanceof DarPackage && !packages.has(one.id)) packages.set(one.id, one.lf);
  const added = all.filter(({ id }) => checked.get(id) === undefined);
  for (const one of added) decodePackage(one);
  checkPackages(packages, added, checked);
  const world = new LfWorld(packages);
  return all.map((one) => new DarPackage(one, world, checked.code));
}
