/** Types of literals, which must be in their bounds. */
import { parseError, unexpected } from '../archive/dar-refusals.js';
import {
  checkDate,
  checkTimestamp,
  isRoundingMode,
  readNumeric,
} from './decoding/literal-objects.js';
import type { ExpressionChecker } from './expression-checker.js';
import type { Type } from './type.js';

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
        checkTimestamp(microsIn(code.view(code.at, code.at + 8)));
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
        if (!isRoundingMode(code.varint())) throw unexpected('IllegalArgumentException');
        type = types.builtin('RoundingMode');
    }
  }
  if (type === undefined) throw parseError('BuiltinLit.SUM_NOT_SET');
  return type;
}

function microsIn(bytes: Uint8Array): bigint {
  return new DataView(bytes.buffer, bytes.byteOffset, 8).getBigInt64(0, true);
}

/** The number of digits behind the point is the scale. */
function numericType({ types }: ExpressionChecker, text: string): Type {
  return types.app(types.numeric, types.nat(readNumeric(text).scale));
}
