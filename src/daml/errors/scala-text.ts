/** Prints collections like Scala, as Canton does in error texts and contexts. */
import { isTrie, scalaOrder, textHash, type HashOf } from './scala-order.js';

export function scalaList(items: readonly string[]): string {
  return `List(${items.join(', ')})`;
}

export function scalaVector(items: readonly string[]): string {
  return `Vector(${items.join(', ')})`;
}

/** Prints an immutable map with texts as keys. @param entries with distinct keys, in the order of insertion */
export function scalaMap(entries: readonly (readonly [key: string, value: string])[]): string {
  const name = isTrie(entries.length) ? 'HashMap' : 'Map';
  const ordered = scalaOrder(entries, ([key]) => textHash(key));
  return `${name}(${ordered.map((entry) => entry.join(' -> ')).join(', ')})`;
}

export interface PrintedSet {
  /** The largest number of elements that the set has had, because it keeps its name and order after removals. */
  readonly largest?: number;
  /** The hash, if the elements are not strings in Canton. */
  readonly hashOf?: HashOf<string>;
  /** The printed form of an element, if it is not the element. */
  readonly shown?: (item: string) => string;
}

/**
 * Prints a set. Sets of up to four elements have a different name and order than larger ones.
 * @param items distinct, in the order of insertion
 */
export function scalaSet(
  items: readonly string[],
  { largest = items.length, hashOf = textHash, shown = (item) => item }: PrintedSet = {},
): string {
  const name = isTrie(largest) ? 'HashSet' : 'Set';
  return `${name}(${scalaOrder(items, hashOf, largest).map(shown).join(', ')})`;
}
