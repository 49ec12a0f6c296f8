/** Collections as Scala prints them, which is how Canton puts them into texts and contexts of errors. */
import { isTrie, scalaOrder, textHash, type HashOf } from './scala-order.js';

export function scalaList(items: readonly string[]): string {
  return `List(${items.join(', ')})`;
}

export function scalaVector(items: readonly string[]): string {
  return `Vector(${items.join(', ')})`;
}

export interface PrintedSet {
  /** How many elements the set has had: after removals it keeps its name and its order. */
  readonly largest?: number;
  /** Where the elements are no texts to Canton. */
  readonly hashOf?: HashOf<string>;
  /** Where an element is not shown as it is. */
  readonly shown?: (item: string) => string;
}

/**
 * Sets of up to four elements and larger ones go by different names, and have different orders.
 *
 * @param items distinct, in the order in which they were added
 */
export function scalaSet(
  items: readonly string[],
  { largest = items.length, hashOf = textHash, shown = (item) => item }: PrintedSet = {},
): string {
  const name = isTrie(largest) ? 'HashSet' : 'Set';
  return `${name}(${scalaOrder(items, hashOf, largest).map(shown).join(', ')})`;
}
