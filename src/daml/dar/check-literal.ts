/** Values that are one literal or builtin constructor, against the type that they claim. */
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { validationError } from './dar-refusals.js';
import { LF2 } from './lf-schema.js';
import { prettyType, type BuiltinType, type LfType } from './lf-type.js';

export function checkLiteral(
  expression: Uint8Array | undefined,
  type: LfType,
  where: string,
): void {
  const found = expression && literalType(expression);
  if (found === undefined) return;
  const name = found === 'Numeric' && type.tag === 'app' ? type.function : type;
  if (name.tag === 'builtin' && name.name === found) return;
  const text = `type mismatch:\n * expected type: ${prettyType(type)}\n * found type: ${found}`;
  throw validationError('ETypeMismatch', where, text);
}

/** Looks at the top of an expression alone: most are large, and no literals. */
function literalType(expression: Uint8Array): BuiltinType | undefined {
  const reader = new BinaryReader(expression);
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (field === BUILTIN_CON) return reader.int32() === CON_UNIT ? 'Unit' : 'Bool';
    if (field === BUILTIN_LIT) return LITERALS[reader.bytes()[0]! >>> 3];
    if (field !== LOCATION) return undefined;
    reader.skip(wireType);
  }
  return undefined;
}

const [LOCATION] = LF2.Expr.location;
const [BUILTIN_CON] = LF2.Expr.builtinCon;
const [BUILTIN_LIT] = LF2.Expr.builtinLit;
const CON_UNIT = 0;

/** By the number of the field that holds the literal. */
const LITERALS: Readonly<Record<number, BuiltinType>> = {
  1: 'Int64',
  2: 'Timestamp',
  3: 'Numeric',
  4: 'Text',
  5: 'Date',
  6: 'FailureCategory',
};
