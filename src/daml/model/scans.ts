/**
 * Looks through texts from outside, of whatever length, once and with no stack. A regular expression that repeats a group overflows
 * the stack over a few million characters, and one that may begin anywhere, or ends in a repetition, takes the square of the length.
 */

/** The text without the characters at its end that are this one. */
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

/** As java.util.Base64's basic decoder takes it: padding may be missing, a single left-over character may not. */
export function isBase64(text: string): boolean {
  const { length } = withoutTrailing(text, '=');
  const padding = text.length - length;
  const left = length % 4;
  if (padding === 0 ? left === 1 : left !== 4 - padding || padding > 2) return false;
  return isOf(BASE64, text, 0, length);
}

/** Whether it is whole bytes, at least one, in digits of either case. */
export function isHexadecimal(text: string): boolean {
  return text !== '' && text.length % 2 === 0 && isOf(HEX_OF_EITHER_CASE, text, 0, text.length);
}

/** The part of a text from `start` up to `end`. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

/** Words (letters, digits and `_`) that are digits `0`–`9`, `a`–`f` alone, in their order. @param least characters of one */
export function hexWords(text: string, least: number): Part[] {
  const found: Part[] = [];
  for (let start = 0; start + least <= text.length;) {
    // From behind: what ends a word too early ends all that begin before it.
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

/** Ids of parties, synchronizers and the like in a text, in their order: `hint::1220…`. */
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

/** The text with something else in place of some of its parts. @param parts in their order */
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
