/** Ids as people read them: enough to tell them apart, not so long that the rest is lost. */
import { hexWords, namespacedIds, withReplaced } from '../model/scans.js';

const LEAST_DIGITS = 20;
const SHOWN_DIGITS = 12;

/**
 * Shortens parties and synchronizers to the part before `::` if that is unique in the text, and every other long run of
 * digits to its first twelve.
 */
export function shortenedIds(text: string): string {
  const ids = namespacedIds(text);
  const namespaces = new Map<string, Set<string>>();
  for (const { hint, namespace } of ids) {
    const known = namespaces.get(hint) ?? new Set();
    namespaces.set(hint, known.add(namespace));
  }
  const unique = ids.filter(({ hint }) => namespaces.get(hint)!.size === 1);
  return shortenedDigits(withReplaced(text, unique, ({ hint }) => hint));
}

/** Shortens each long sequence of hexadecimal digits to the first twelve. */
export function shortenedDigits(text: string): string {
  return withReplaced(
    text,
    hexWords(text, LEAST_DIGITS),
    ({ start }) => `${text.slice(start, start + SHOWN_DIGITS)}…`,
  );
}
