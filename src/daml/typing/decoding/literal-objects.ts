/** The objects of literals and constants. */
import { Numeric } from '../../model/numeric.js';
import { formatDate, formatInstant, isDate, isTimestamp } from '../../model/time.js';
import { parseError, unexpected } from '../../archive/dar-refusals.js';
import { lf2, type Lf2 } from '../../archive/lf-tables.js';
import type { ExpressionDecoder } from './expression-decoder.js';
import { objectOf, type Forms } from './forms.js';
import { scalaObject, type ScalaPart } from './scala-object.js';

/** By their numbers, which are Java's. */
const ROUNDING_MODES = 'UP DOWN CEILING FLOOR HALF_UP HALF_DOWN HALF_EVEN UNNECESSARY'.split(' ');
const FAILURE_CATEGORIES = [
  'InvalidIndependentOfSystemState',
  'InvalidGivenCurrentSystemStateOther',
];

/** @param constant 0 to 2 */
export function builtinCon(constant: number): string {
  return ['BCUnit', 'BCFalse', 'BCTrue'][constant]!;
}

export function isRoundingMode(mode: number): boolean {
  return mode in ROUNDING_MODES;
}

/** A number of at most 38 digits, of which at most 37 stand behind the point: how many do is its scale. */
export function readNumeric(text: string): Numeric {
  const match = /^-?([1-9]\d*|0)\.(\d{0,37})$/.exec(text);
  if (match === null || match[1]!.replace(/^0$/, '').length + match[2]!.length > 38)
    throw parseError(`Could not read Numeric string "${text}"`);
  return new Numeric(BigInt(text.replace('.', '')), match[2]!.length);
}

export function checkTimestamp(micros: bigint): bigint {
  if (isTimestamp(micros)) return micros;
  throw parseError(`error decoding timestamp: cannot convert long ${micros} into Timestamp`);
}

export function checkDate(days: number): number {
  if (isDate(days)) return days;
  throw parseError(`error decoding date: out of bound Date ${days}`);
}

const LITERALS: Forms<Lf2<'BuiltinLit'>> = {
  int64: (_, value) => scalaObject('BLInt64', String(value)),
  timestamp: (_, micros) => scalaObject('BLTimestamp', formatInstant(checkTimestamp(micros))),
  date: (_, days) => scalaObject('BLDate', formatDate(checkDate(days))),
  text: ({ tables }, index) => scalaObject('BLText', tables.string(index)),
  numeric: ({ tables }, index) =>
    scalaObject('BLNumeric', readNumeric(tables.string(index)).toBigDecimal()),
  roundingMode: ({ lf, tables }, mode) => {
    if (!lf.version.dev) throw tables.notSupported('BigNumeric type (case Expr.rounding_mode)');
    if (!isRoundingMode(mode)) throw unexpected('IllegalArgumentException');
    return scalaObject('BLRoundingMode', ROUNDING_MODES[mode]!);
  },
  failureCategory: (_, category) => {
    const name = FAILURE_CATEGORIES[category];
    if (name === undefined) throw parseError('BuiltinLitFailureCategory.UNRECOGNIZED');
    return scalaObject('BLFailureCategory', name);
  },
};

export function literalObject(d: ExpressionDecoder, bytes: Uint8Array): ScalaPart {
  return objectOf(d, lf2.decode('BuiltinLit', bytes), LITERALS, 'BuiltinLit');
}
