/**
 * Packages of Splice's releases that were read and checked before Canticle was released, with the packages that
 * each refers to. An id is the hash of the whole package, so these packages need no check. `CANTICLE_ALL_DARS=1 npm
 * test -- real-dars` checks them anyway, and compares the results with the list.
 */
import { inflateRawSync } from 'node:zlib';
import type { PackageId } from '../model/types.js';
import type { PackageFacts } from './checked-packages.js';
import carried from './released-packages.json' with { type: 'json' };

/** The length of an id. Each byte is two hexadecimal digits. */
const ID_BYTES = 32;

let listed: ReadonlyMap<PackageId, PackageFacts> | undefined;

/** The results for a released, valid package; undefined for any other. */
export function releasedFacts(id: PackageId): PackageFacts | undefined {
  listed ??= unpacked();
  return listed.get(id);
}

/**
 * Reads the ids in sequence, and a line for each. The line has the indexes of its dependencies in that list, each
 * as the distance from the previous index.
 */
function unpacked(): ReadonlyMap<PackageId, PackageFacts> {
  const bytes = Buffer.from(carried.ids, 'base64');
  const lines = inflateRawSync(Buffer.from(carried.dependencies, 'base64')).toString().split('\n');
  const ids = lines.map((_, n) => bytes.toString('hex', n * ID_BYTES, (n + 1) * ID_BYTES));
  return new Map(lines.map((line, n) => [ids[n]!, { dependencies: idsOf(line, ids) }]));
}

function idsOf(line: string, ids: readonly PackageId[]): readonly PackageId[] {
  if (line === '') return [];
  let place = 0;
  return line
    .split(' ')
    .map((step) => ids[(place += Number(step))]!)
    .sort();
}
