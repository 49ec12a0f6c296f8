/** Builtins of Daml-LF for text, by code points, and conversions from and to text. */
import { partyError } from '../../model/identifiers.js';
import { interpretation, ledgerError } from '../../errors/ledger-error.js';
import { Numeric } from '../../model/numeric.js';
import { formatDate, formatInstant } from '../../model/time.js';
import { withoutTrailing } from '../../model/scans.js';
import { Some } from '../../model/values.js';
import { crash } from '../../refusals/refusals.js';
import { int64, type Int64 } from '../runtime/int64.js';
import { Cons, listFrom, listToArray, NIL } from '../runtime/runtime-values.js';

/** The maximum number of characters of a text; JavaScript's limit is not much higher. */
const MAX_TEXT_LENGTH = 2 ** 28;

function checkLength(length: number): void {
  if (length > MAX_TEXT_LENGTH)
    throw ledgerError('DAML_INTERPRETATION_ERROR', {
      cause: interpretation(`a text grew longer than ${MAX_TEXT_LENGTH} characters`),
    });
}

export function appendText(a: string, b: string): string {
  checkLength(a.length + b.length);
  return a + b;
}

/** Code points above it have two code units. */
const LAST_OF_ONE_UNIT = 0xffff;

export function implodeText(texts: Cons): string {
  const parts = listToArray(texts) as string[];
  checkLength(parts.reduce((sum, part) => sum + part.length, 0));
  return parts.join('');
}

const isLowSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xdc00;
const isPairBefore = (text: string, end: number): boolean =>
  end > 1 && text.codePointAt(end - 2)! > LAST_OF_ONE_UNIT;

export function explodeText(text: string): Cons {
  let list: Cons = NIL;
  for (let end = text.length; end > 0;) {
    const isPair = isLowSurrogate(text.charCodeAt(end - 1)) && isPairBefore(text, end);
    const start = isPair ? end - 2 : end - 1;
    list = new Cons(isPair ? text.slice(start, end) : text[start], list);
    end = start;
  }
  return list;
}

export function textToCodePoints(text: string): Cons {
  return listFrom(Array.from(text, (character) => character.codePointAt(0)));
}

export function codePointsToText(points: Cons): string {
  const characters = listToArray(points).map((point) => {
    const code = Number(point as Int64);
    if (code < 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
      throw crash(
        `invalid code point 0x${BigInt.asUintN(64, BigInt(point as Int64)).toString(16)}.`,
      );
    return String.fromCodePoint(code);
  });
  return characters.join('');
}

export function textToParty(text: string): Some | null {
  return partyError(text) === undefined ? new Some(text) : null;
}

/** The maximum number of digits of an Int64. */
const INT64_DIGITS = 19;
const ZERO = 48;

export function textToInt64(text: string): Some | null {
  const from = afterSign(text);
  const digits = shortDigits(text, from, text.length, INT64_DIGITS);
  if (digits === undefined || from === text.length) return null;
  const value = BigInt(`${text[0] === '-' ? '-' : ''}${digits || '0'}`);
  return BigInt.asIntN(64, value) === value ? new Some(int64(value) as never) : null;
}

/** Leading and trailing zeros are allowed. Digits that exceed the scale are not. */
export function textToNumeric(witness: Numeric, text: string): Some | null {
  const { scale } = witness;
  const from = afterSign(text);
  const point = text.indexOf('.', from);
  const wholeEnd = point < 0 ? text.length : point;
  const whole = shortDigits(text, from, wholeEnd, 38 - scale);
  if (whole === undefined || from === wholeEnd || point === text.length - 1) return null;
  const decimals = point < 0 ? '' : withoutTrailing(text.slice(point + 1), '0');
  if (decimals.length > scale || !DIGITS.test(decimals)) return null;
  const unscaled = BigInt(`${whole}${decimals.padEnd(scale, '0')}` || '0');
  return new Some(new Numeric(text[0] === '-' ? -unscaled : unscaled, scale));
}

/** For texts not longer than a number: on megabytes, the expression would overflow the stack. */
const DIGITS = /^\d*$/;

const afterSign = (text: string): number => (text[0] === '-' || text[0] === '+' ? 1 : 0);

/** A part of the text without leading zeros; undefined if it is not digits, or more than `most`. */
function shortDigits(text: string, from: number, to: number, most: number): string | undefined {
  let first = from;
  while (first < to && text.charCodeAt(first) === ZERO) first += 1;
  if (to - first > most) return undefined;
  const digits = text.slice(first, to);
  return DIGITS.test(digits) ? digits : undefined;
}

export function numericToText(value: Numeric): string {
  return value.toCompact();
}

export function timestampToText(micros: Int64): string {
  return formatInstant(BigInt(micros));
}

export function dateToText(days: number): string {
  return formatDate(days);
}

/** Contract ids are final only with the transaction, so choices cannot read their text. */
export function contractIdToText(): null {
  return null;
}
