/** In which order the checks of a package go through its definitions: they are maps of Scala (B-PKG-022). */
import {
  caseClassHash,
  dottedNameHash,
  scalaOrder,
  textHash,
  type HashOf,
} from '../errors/scala-order.js';
import { splitTypeId, type TypeId } from './types.js';

/** Of a reference to a definition of some package. */
export function referenceHash(id: TypeId): number {
  const { packageId, module, entity } = splitTypeId(id);
  const name = caseClassHash('QualifiedName', [dottedNameHash(module), dottedNameHash(entity)]);
  return caseClassHash('FullReference', [textHash(packageId), name]);
}

/** Entries of a map that has their keys in the order of the archive. */
export function* entriesInOrder<Key, Value>(
  map: ReadonlyMap<Key, Value>,
  hashOf: HashOf<Key>,
): Generator<readonly [Key, Value], undefined> {
  for (const key of scalaOrder([...map.keys()], hashOf)) yield [key, map.get(key)!];
}
