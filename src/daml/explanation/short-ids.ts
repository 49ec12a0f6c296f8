/** Ids as people read them: enough to tell them apart, not so long that the rest is lost. */

const NAMESPACED = /([\w-]+)::(1220[0-9a-f]{64})/g;
const DIGITS = /\b[0-9a-f]{20,}\b/g;

/**
 * Parties and synchronizers by their first part alone, as far as no other in the text has the same; of every other long run of
 * digits the first twelve.
 */
export function shortenedIds(text: string): string {
  const namespaces = new Map<string, Set<string>>();
  for (const [, hint, namespace] of text.matchAll(NAMESPACED)) {
    const known = namespaces.get(hint!) ?? new Set();
    namespaces.set(hint!, known.add(namespace!));
  }
  return text
    .replace(NAMESPACED, (id, hint: string) => (namespaces.get(hint)!.size > 1 ? id : hint))
    .replace(DIGITS, (digits) => `${digits.slice(0, 12)}…`);
}
