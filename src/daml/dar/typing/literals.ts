/** Types of literals, which must be in their bounds. */
import { parseError } from '../dar-refusals.js';
import type { ExpressionChecker } from './expression-checker.js';
import type { Type } from './type.js';

/** Microseconds and days since 1970-01-01: from the year 1 to the year 9999. */
const TIMESTAMPS = [-62_135_596_800_000_000n, 253_402_300_799_999_999n] as const;
const DATES = [-719_162, 2_932_896] as const;
const ROUNDING_MODES = 8;

export function literalType(c: ExpressionChecker, start: number, end: number): Type {
  const { code, types } = c;
  code.at = start;
  let type: Type | undefined;
  while (code.at < end) {
    const tag = code.varint();
    const field = tag >>> 3;
    switch (field) {
      case 1:
        code.skip(tag & 7);
        type = types.int64;
        break;
      case 2:
        checkTimestamp(code.view(code.at, code.at + 8));
        code.skip(tag & 7);
        type = types.timestamp;
        break;
      case 3:
        type = numericType(c, code.string(code.varint()));
        break;
      case 4:
        code.string(code.varint());
        type = types.text;
        break;
      case 5:
        checkDate(code.varint());
        type = types.builtin('Date');
        break;
      case 6:
        if (code.varint() > 1) throw parseError('BuiltinLitFailureCategory.UNRECOGNIZED');
        type = types.builtin('FailureCategory');
        break;
      default:
        if (!code.lf.version.dev)
          throw code.lf.tables.notSupported('BigNumeric type (case Expr.rounding_mode)');
        if (code.varint() >= ROUNDING_MODES) throw parseError('Unexpected PackageError Exception');
        type = types.builtin('RoundingMode');
    }
  }
  if (type === undefined) throw parseError('BuiltinLit.SUM_NOT_SET');
  return type;
}

function checkTimestamp(bytes: Uint8Array): void {
  const micros = new DataView(bytes.buffer, bytes.byteOffset, 8).getBigInt64(0, true);
  if (micros < TIMESTAMPS[0] || micros > TIMESTAMPS[1])
    throw parseError(`error decoding timestamp: cannot convert long ${micros} into Timestamp`);
}

function checkDate(days: number): void {
  if (days < DATES[0] || days > DATES[1])
    throw parseError(`error decoding date: out of bound Date ${days}`);
}

/** The number of digits behind the point is the scale. */
function numericType({ types }: ExpressionChecker, digits: string): Type {
  const match = /^-?([1-9]\d*|0)\.(\d{0,37})$/.exec(digits);
  if (match === null || match[1]!.replace(/^0$/, '').length + match[2]!.length > 38)
    throw parseError(`Cannot parse Numeric ${digits}`);
  return types.app(types.numeric, types.nat(match[2]!.length));
}
