/**
 * Parses JSON and keeps the exact digits of integers beyond 2^53, which a JavaScript number would round: a participant
 * reads 64 bits.
 */
import { isError } from '../../daml/errors/realms.js';

/** Matches the start of a string, or a number of at least 16 digits. */
const LONG = /"|-?\d{16,}(?:\.0+)?(?![\d.eE])/g;
const LONG_DIGITS = 16;
/** The name of a member that no request uses. */
const BOX = '\u0000exact';

const exact = new WeakMap<object, Map<string, string>>();

/** @throws SyntaxError */
export function parseExactly(text: string): unknown {
  const plain: unknown = JSON.parse(text);
  // Most long digits are in strings.
  if (!hasLongDigits(text)) return plain;
  const boxed = boxLongNumbers(text);
  if (boxed === text) return plain;
  try {
    return JSON.parse(boxed, unbox);
  } catch (error) {
    // A value that nests too deeply for the second pass keeps rounded numbers.
    if (isError(error, 'RangeError')) return plain;
    throw error;
  }
}

/** The digits of a member that is a long integer. */
export function exactDigits(holder: object, key: string): string | undefined {
  return exact.get(holder)?.get(key);
}

/** Whether the text has at least 16 digits in a row, one of which is at a multiple of 16. */
function hasLongDigits(text: string): boolean {
  for (let at = LONG_DIGITS - 1; at < text.length; at += LONG_DIGITS) {
    if (!isDigit(text, at)) continue;
    let start = at;
    while (isDigit(text, start - 1)) start -= 1;
    let end = at + 1;
    while (end - start < LONG_DIGITS && isDigit(text, end)) end += 1;
    if (end - start >= LONG_DIGITS) return true;
  }
  return false;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

function boxLongNumbers(text: string): string {
  const parts: string[] = [];
  let done = 0;
  LONG.lastIndex = 0;
  for (let found = LONG.exec(text); found !== null; found = LONG.exec(text)) {
    const [token] = found;
    if (token === '"') LONG.lastIndex = endOfText(text, found.index) + 1;
    else {
      parts.push(text.slice(done, found.index), JSON.stringify({ [BOX]: token }));
      done = LONG.lastIndex;
    }
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(done);
}

function unbox(this: object, key: string, value: unknown): unknown {
  const digits = (value as Record<string, unknown> | null)?.[BOX];
  if (typeof digits !== 'string') return value;
  const members = exact.get(this) ?? new Map<string, string>();
  exact.set(this, members.set(key, digits));
  return Number(digits);
}

const BACKSLASH = 0x5c;

/** The end of the string that starts there, or the end of the text if the string does not end. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    // A quotation mark after an odd number of backslashes is part of the string.
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}
