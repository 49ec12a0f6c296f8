/** Builtins of Daml-LF on text, by code points, and the conversions from and to text. */
import { partyFault } from '../../model/identifiers.js';
import { interpretation, ledgerError } from '../../errors/ledger-error.js';
import { Numeric } from '../../model/numeric.js';
import { formatDate, formatInstant } from '../../model/time.js';
import { withoutTrailing } from '../../model/scans.js';
import { Some } from '../../model/values.js';
import { crash } from '../../refusals/refusals.js';
import { int64, type Int64 } from '../runtime/int64.js';
import { listFrom, listToArray, type Cons } from '../runtime/runtime-values.js';

/** Characters that a text may have; JavaScript's own limit is not far above. */
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

export function implodeText(texts: Cons): string {
  const parts = listToArray(texts) as string[];
  checkLength(parts.reduce((sum, part) => sum + part.length, 0));
  return parts.join('');
}

export function explodeText(text: string): Cons {
  return listFrom([...text]);
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
  return partyFault(text) === undefined ? new Some(text) : null;
}

export function textToInt64(text: string): Some | null {
  if (!/^[+-]?\d+$/.test(text)) return null;
  const significant = text.replace(/^([+-]?)0+(?=\d)/, '$1');
  if (significant.length > 20) return null;
  const value = BigInt(significant.startsWith('+') ? significant.slice(1) : significant);
  return BigInt.asIntN(64, value) === value ? new Some(int64(value) as never) : null;
}

/** Any number of leading and trailing zeros is fine; digits that the scale cannot hold are not. */
export function textToNumeric(witness: Numeric, text: string): Some | null {
  const match = /^([+-]?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (match === null) return null;
  const { scale } = witness;
  const whole = match[2]!.replace(/^0+/, '');
  const decimals = withoutTrailing(match[3] ?? '', '0');
  if (whole.length > 38 - scale || decimals.length > scale) return null;
  const unscaled = BigInt(`${whole}${decimals.padEnd(scale, '0')}` || '0');
  return new Some(new Numeric(match[1] === '-' ? -unscaled : unscaled, scale));
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

/** Contract ids are not known for good until the transaction is, so choices cannot see their text. */
export function contractIdToText(): null {
  return null;
}
