/** Collections as Scala prints them, which is how Canton puts them into texts and contexts of errors. */

export function scalaList(items: readonly string[]): string {
  return `List(${items.join(', ')})`;
}

export function scalaVector(items: readonly string[]): string {
  return `Vector(${items.join(', ')})`;
}

/** Sets of up to four elements and larger ones go by different names. */
export function scalaSet(items: readonly string[]): string {
  return `${items.length > 4 ? 'HashSet' : 'Set'}(${items.join(', ')})`;
}
