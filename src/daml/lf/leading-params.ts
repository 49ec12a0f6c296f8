/** How many arguments a definition takes, as far as that shows without reading all of it. */
import { MAX_MERGED_PARAMS } from './expression.js';
import { MAX_EXPRESSION_DEPTH } from './expression-reader.js';
import { Cursor, readFields, repeated } from './wire-cursor.js';

export interface LeadingParams {
  /** Of the lambdas that the expression begins with. */
  readonly count: number;
  /** Whether the compiled function has just these: what is within is no lambda, and no update either. */
  readonly isAll: boolean;
}

/** @param interned an entry of the package's table of expressions */
export function leadingParams(
  expression: Uint8Array,
  interned: (index: number) => Uint8Array,
): LeadingParams {
  let count = 0;
  let isAll = false;
  let bytes: Uint8Array | undefined = expression;
  // An entry of the table that leads to itself is refused where the expression is read.
  for (let level = 0; bytes !== undefined && level < MAX_EXPRESSION_DEPTH; level += 1) {
    const cursor = new Cursor(bytes);
    bytes = undefined;
    while (cursor.next()) {
      if (cursor.field === 44) bytes = interned(cursor.int());
      else if (cursor.field === 16) bytes = inner(cursor.bytesValue(), 1);
      else if (cursor.field === 18) bytes = inner(cursor.bytesValue(), 2);
      else if (cursor.field === 17) {
        const lambda = cursor.bytesValue();
        count += repeated(lambda, 1).length;
        bytes = inner(lambda, 2);
      } else {
        isAll = isNoFunction(cursor.field);
        cursor.skip();
      }
    }
  }
  return { count, isAll: isAll && count <= MAX_MERGED_PARAMS };
}

function inner(bytes: Uint8Array, field: number): Uint8Array {
  return readFields(bytes, field)[0] as Uint8Array;
}

/** Forms of `Expr` that may be read as a lambda: updates, conversions, what is experimental; 1 is no form but a place. */
const PERHAPS_FUNCTIONS = [1, 23, 41, 9999];

function isNoFunction(form: number): boolean {
  return !PERHAPS_FUNCTIONS.includes(form);
}
