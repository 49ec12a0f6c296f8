/**
 * Packages of Splice's releases that were read and checked whole before Canticle was released, and what each refers to. An id is the
 * hash of all that was looked at, so that there is nothing to look at again. `CANTICLE_ALL_DARS=1 npm test -- real-dars` does so
 * all the same, and holds the list against it.
 */
import { inflateRawSync } from 'node:zlib';
import type { PackageId } from '../model/types.js';
import type { PackageFacts } from './checked-packages.js';
import carried from './released-packages.json' with { type: 'json' };

/** Of an id, two hexadecimal digits each. */
const ID_BYTES = 32;

let listed: ReadonlyMap<PackageId, PackageFacts> | undefined;

/** Of a package that was released and is sound; undefined for any other. */
export function releasedFacts(id: PackageId): PackageFacts | undefined {
  listed ??= unpacked();
  return listed.get(id);
}

/** The ids, one after the other; of each a line of places in that list, each told by how far it is from the one before. */
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
