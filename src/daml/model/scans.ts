/**
 * Scans texts of any length from requests, in linear time and without recursion. Regular expressions can overflow the stack on texts of
 * millions of characters, or take quadratic time.
 */

/** The text without trailing occurrences of the character. */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return end === text.length ? text : text.slice(0, end);
}

const charactersOf = (characters: string): Uint8Array => {
  const table = new Uint8Array(128);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
};

const HEX = charactersOf('0123456789abcdef');
const HEX_OF_EITHER_CASE = charactersOf('0123456789abcdefABCDEF');
const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const WORD = charactersOf(`${ALPHANUMERIC}_`);
const HINT = charactersOf(`${ALPHANUMERIC}_-`);
const BASE64 = charactersOf(`${ALPHANUMERIC}+/`);

function isOf(table: Uint8Array, text: string, from: number, end: number): boolean {
  for (let at = from; at < end; at += 1) if (table[text.charCodeAt(at)] !== 1) return false;
  return true;
}

/** Whether java.util.Base64's basic decoder accepts it: padding is optional, but a single remaining character is invalid. */
export function isBase64(text: string): boolean {
  const { length } = withoutTrailing(text, '=');
  const padding = text.length - length;
  const left = length % 4;
  if (padding === 0 ? left === 1 : left !== 4 - padding || padding > 2) return false;
  return isOf(BASE64, text, 0, length);
}

/** Whether it consists of at least one complete byte, in upper or lower case digits. */
export function isHexadecimal(text: string): boolean {
  return text !== '' && text.length % 2 === 0 && isOf(HEX_OF_EITHER_CASE, text, 0, text.length);
}

/** The range of a text from `start` up to `end`, exclusive. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

/**
 * Words (letters, digits and `_`) of the digits `0`–`9`, `a`–`f` only, in order.
 * @param least minimum length
 */
export function hexWords(text: string, least: number): Part[] {
  const found: Part[] = [];
  for (let start = 0; start + least <= text.length;) {
    // Backwards, because a character that ends a word too early also ends all words that start before it.
    let end = start + least;
    while (end > start && WORD[text.charCodeAt(end - 1)] === 1) end -= 1;
    if (end > start) {
      start = end;
      continue;
    }
    end = start + least;
    while (WORD[text.charCodeAt(end)] === 1) end += 1;
    if (isOf(HEX, text, start, end)) found.push({ start, end });
    start = end + 1;
  }
  return found;
}

const NAMESPACE = /^1220[0-9a-f]{64}$/;
const NAMESPACE_LENGTH = 68;

export interface NamespacedId extends Part {
  readonly hint: string;
  readonly namespace: string;
}

/** Ids such as `hint::1220…` of parties, synchronizers and other nodes in a text, in order. */
export function namespacedIds(text: string): NamespacedId[] {
  const found: NamespacedId[] = [];
  let last = 0;
  for (let at = text.indexOf('::'); at >= 0; at = text.indexOf('::', at + 1)) {
    const end = at + 2 + NAMESPACE_LENGTH;
    const namespace = text.slice(at + 2, end);
    if (at < last || !NAMESPACE.test(namespace)) continue;
    let start = at;
    while (start > last && HINT[text.charCodeAt(start - 1)] === 1) start -= 1;
    if (start === at) continue;
    found.push({ start, end, hint: text.slice(start, at), namespace });
    last = end;
  }
  return found;
}

/**
 * Replaces ranges of a text.
 * @param parts in order
 */
export function withReplaced<P extends Part>(
  text: string,
  parts: readonly P[],
  replacement: (part: P) => string,
): string {
  const pieces: string[] = [];
  let last = 0;
  for (const part of parts) {
    pieces.push(text.slice(last, part.start), replacement(part));
    last = part.end;
  }
  return parts.length === 0 ? text : pieces.join('') + text.slice(last);
}
