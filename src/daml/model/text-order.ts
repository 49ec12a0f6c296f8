/**
 * Text in Daml: ordered by code points, which is the order of UTF-8 bytes but not of JavaScript's UTF-16 units. It has neither NUL nor lone
 * surrogates.
 */

/** By UTF-16 units, the order of JavaScript. */
export function compareUnits(a: string, b: string): -1 | 0 | 1 {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function compareText(left: string, right: string): -1 | 0 | 1 {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return codePointRank(a) < codePointRank(b) ? -1 : 1;
  }
  return left.length < right.length ? -1 : 1;
}

/** The reason why a text is not a valid Daml Text; undefined if it is valid. */
export function malformedText(text: string): string | undefined {
  const found = NOT_TEXT.exec(text)?.[0];
  if (found === undefined) return undefined;
  if (found === '\u0000') return 'Text contains null character';
  return found < '\udc00'
    ? 'Text contains unpaired high surrogate'
    : 'Text contains unpaired low surrogate';
}

// With the u flag a class of surrogates matches only those that are not part of a pair.
const NOT_TEXT = /[\p{Surrogate}\u0000]/u;
const LONE_SURROGATE = /\p{Surrogate}/u;
const LONE_SURROGATES = /\p{Surrogate}/gu;

/** The text after encoding to UTF-8 on the JVM: with a question mark for each lone surrogate. */
export function replaceLoneSurrogates(text: string): string {
  return LONE_SURROGATE.test(text) ? text.replace(LONE_SURROGATES, '?') : text;
}

/** Surrogates encode code points above all single units, including those of U+E000 to U+FFFF. */
function codePointRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
