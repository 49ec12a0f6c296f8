/** Decodes literals and checks their bounds. */
import { Numeric } from '../../model/numeric.js';
import { isDate, timestampError } from '../../model/time.js';
import { parseError, unexpected } from '../dar-refusals.js';
import type { LfPackage } from '../lf-package.js';
import type { Message } from '../wire/message.js';
import type { Literal } from './form.js';

/** The number of values, which count from 0. */
const [ROUNDING_MODES, FAILURE_CATEGORIES] = [8, 2];

/** By the number of the field in `BuiltinLit`, with the cursor at the field. */
const LITERALS: Readonly<Record<number, (lf: LfPackage, at: Message) => Literal>> = {
  1: (_, at) => ({ type: 'Int64', value: at.sint64() }),
  2: (_, at) => {
    const value = at.fixed64();
    const error = timestampError(value);
    if (error === undefined) return { type: 'Timestamp', value };
    throw parseError(`error decoding timestamp: ${error}`);
  },
  3: ({ tables }, at) => ({ type: 'Numeric', value: readNumeric(tables.string(at.int())) }),
  4: ({ tables }, at) => ({ type: 'Text', value: tables.string(at.int()) }),
  5: (_, at) => {
    const value = at.int();
    if (isDate(value)) return { type: 'Date', value };
    throw parseError(`error decoding date: out of bound Date ${value}`);
  },
  6: (_, at) => {
    const value = at.int();
    if (value >= 0 && value < FAILURE_CATEGORIES) return { type: 'FailureCategory', value };
    throw parseError('BuiltinLitFailureCategory.UNRECOGNIZED');
  },
  1001: ({ tables, version }, at) => {
    if (!version.dev) throw tables.notSupported('BigNumeric type (case Expr.rounding_mode)');
    const value = at.int();
    if (value >= 0 && value < ROUNDING_MODES) return { type: 'RoundingMode', value };
    throw unexpected('IllegalArgumentException');
  },
};

export function readLiteral(lf: LfPackage, message: Message): Literal {
  let literal: Literal | undefined;
  // If there are several, the last one counts.
  while (message.next()) {
    const read = LITERALS[message.field];
    if (read === undefined) throw parseError(`BuiltinLit: unexpected field ${message.field}`);
    literal = read(lf, message);
  }
  if (literal === undefined) throw parseError('BuiltinLit.SUM_NOT_SET');
  return literal;
}

/** A number of at most 38 digits, of which at most 37 follow the point. The number of digits after the point is its scale. */
function readNumeric(text: string): Numeric {
  const match = /^-?([1-9]\d*|0)\.(\d{0,37})$/.exec(text);
  if (match === null || match[1]!.replace(/^0$/, '').length + match[2]!.length > 38)
    throw parseError(`Could not read Numeric string "${text}"`);
  return new Numeric(BigInt(text.replace('.', '')), match[2]!.length);
}
