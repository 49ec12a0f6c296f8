/**
 * The builtin functions of Daml-LF 2: a row each, by the number that archives use. `run` is a JavaScript function of the
 * arguments; `code` instead is for those that call back into compiled code. `total` says that it cannot fail.
 */
import { DamlFailure } from '../package.js';
import { compareText } from '../text-order.js';
import { Some } from '../values.js';
import { anyExceptionMessage } from './any-exception.js';
import * as crypto from './builtins-crypto.js';
import * as numeric from './builtins-numeric.js';
import * as text from './builtins-text.js';
import { BigNumeric } from './big-numeric.js';
import { externalCallFailed, externalCallMalformed, userError } from './exceptions.js';
import * as int from './int64.js';
import { equalList, foldLeft, foldRight } from './list-builtins.js';
import { machine } from './machine.js';
import { compare, equal } from './ordering.js';
import { listFrom, structKey, type Code, type Cons, type TypeRep } from './runtime-values.js';
import { SortedMap } from './sorted-map.js';

type Run = (...args: never[]) => unknown;

export interface Builtin {
  readonly name: string;
  readonly arity: number;
  readonly run?: Run;
  readonly code?: Code;
  readonly total?: boolean;
  /** A constant rather than a function. */
  readonly value?: unknown;
}

const emptyTextMap = SortedMap.empty((a, b) => compareText(a as string, b as string));
const emptyGenMap = SortedMap.empty(compare);

/** Keys must be comparable whole, also where a comparison with others would not look at all of them. */
function comparable(key: unknown): void {
  if (typeof key === 'object') compare(key, key);
}

function optional(found: readonly [unknown] | undefined): Some | null {
  return found === undefined ? null : new Some(found[0] as never);
}

const mapInsert = (key: unknown, value: unknown, map: SortedMap): SortedMap => {
  comparable(key);
  return map.insert(key, value);
};
const mapLookup = (key: unknown, map: SortedMap): Some | null => {
  comparable(key);
  return optional(map.lookup(key));
};
const mapDelete = (key: unknown, map: SortedMap): SortedMap => {
  comparable(key);
  return map.delete(key);
};
const mapSize = (map: SortedMap): number => map.size;

/** Messages of `trace` that are kept of one transaction. */
const MAX_TRACES = 10_000;

function trace<T>(message: string, value: T): T {
  if (machine.traces.length < MAX_TRACES) machine.traces.push(message);
  return value;
}

function failWithStatus(
  errorId: string,
  category: number,
  message: string,
  meta: SortedMap,
): never {
  const context = Object.fromEntries(meta.toArray()) as Record<string, string>;
  throw new DamlFailure(message, errorId, category, context);
}

/** A participant without extension services answers no calls out of the ledger. */
function externalCall(extension: string, name: string, config: string, input: string): never {
  if (crypto.isHex(config) && crypto.isHex(input)) throw externalCallFailed(extension, name);
  throw externalCallMalformed(extension, name);
}

const [KEY, VALUE] = [structKey('key'), structKey('value')];

/** Entries are structs of the fields `key` and `value`. */
function textMapToList(map: SortedMap): Cons {
  return listFrom(map.toArray().map(([key, value]) => ({ [KEY]: key, [VALUE]: value })));
}

const identity = (value: unknown): unknown => value;
const total = true;
const fn = (name: string, run: Run, more: Partial<Builtin> = {}): Builtin => ({
  name,
  arity: run.length,
  run,
  ...more,
});

export const BUILTINS: Readonly<Record<number, Builtin>> = {
  0: fn('TRACE', trace),
  1: fn('ERROR', (message: string) => {
    throw userError(message);
  }),
  2: fn('EQUAL', equal),
  3: fn('LESS_EQ', (a: unknown, b: unknown) => compare(a, b) <= 0),
  4: fn('LESS', (a: unknown, b: unknown) => compare(a, b) < 0),
  5: fn('GREATER_EQ', (a: unknown, b: unknown) => compare(a, b) >= 0),
  6: fn('GREATER', (a: unknown, b: unknown) => compare(a, b) > 0),
  7: fn('ADD_INT64', int.addInt),
  8: fn('SUB_INT64', int.subInt),
  9: fn('MUL_INT64', int.mulInt),
  10: fn('DIV_INT64', int.divInt),
  11: fn('MOD_INT64', int.modInt),
  12: fn('EXP_INT64', int.expInt),
  13: fn('ADD_NUMERIC', numeric.addNumeric),
  14: fn('SUB_NUMERIC', numeric.subNumeric),
  15: fn('MUL_NUMERIC', numeric.mulNumeric),
  16: fn('DIV_NUMERIC', numeric.divNumeric),
  17: fn('ROUND_NUMERIC', numeric.roundNumeric),
  18: fn('CAST_NUMERIC', numeric.castNumeric),
  19: fn('SHIFT_NUMERIC', numeric.shiftNumeric, { total }),
  20: fn('INT64_TO_NUMERIC', numeric.int64ToNumeric),
  21: fn('NUMERIC_TO_INT64', numeric.numericToInt64),
  22: fn('INT64_TO_TEXT', (value: int.Int64) => String(value), { total }),
  23: fn('NUMERIC_TO_TEXT', text.numericToText, { total }),
  25: fn('TIMESTAMP_TO_TEXT', text.timestampToText, { total }),
  26: fn('DATE_TO_TEXT', text.dateToText, { total }),
  27: fn('PARTY_TO_TEXT', identity, { total }),
  28: fn('TEXT_TO_PARTY', text.textToParty, { total }),
  29: fn('TEXT_TO_INT64', text.textToInt64, { total }),
  30: fn('TEXT_TO_NUMERIC', text.textToNumeric, { total }),
  31: { name: 'CONTRACT_ID_TO_TEXT', arity: 1, run: text.contractIdToText, total },
  32: fn('SHA256_TEXT', crypto.sha256Text, { total }),
  33: fn('EXPLODE_TEXT', text.explodeText, { total }),
  34: fn('APPEND_TEXT', text.appendText),
  35: fn('IMPLODE_TEXT', text.implodeText),
  36: fn('CODE_POINTS_TO_TEXT', text.codePointsToText),
  37: fn('TEXT_TO_CODE_POINTS', text.textToCodePoints, { total }),
  38: fn('DATE_TO_UNIX_DAYS', identity, { total }),
  39: fn('UNIX_DAYS_TO_DATE', numeric.unixDaysToDate),
  40: fn('TIMESTAMP_TO_UNIX_MICROSECONDS', identity, { total }),
  41: fn('UNIX_MICROSECONDS_TO_TIMESTAMP', numeric.unixMicrosecondsToTimestamp),
  42: fn('COERCE_CONTRACT_ID', identity, { total }),
  43: { name: 'FOLDL', arity: 3, code: foldLeft },
  44: { name: 'FOLDR', arity: 3, code: foldRight },
  45: { name: 'EQUAL_LIST', arity: 3, code: equalList },
  52: { name: 'GENMAP_EMPTY', arity: 0, value: emptyGenMap },
  53: fn('GENMAP_INSERT', mapInsert),
  54: fn('GENMAP_LOOKUP', mapLookup),
  55: fn('GENMAP_DELETE', mapDelete),
  56: fn('GENMAP_KEYS', (map: SortedMap): Cons => listFrom(map.toArray().map(([key]) => key)), {
    total,
  }),
  57: fn(
    'GENMAP_VALUES',
    (map: SortedMap): Cons => listFrom(map.toArray().map(([, value]) => value)),
    {
      total,
    },
  ),
  58: fn('GENMAP_SIZE', mapSize, { total }),
  59: { name: 'ANY_EXCEPTION_MESSAGE', arity: 1, code: anyExceptionMessage },
  60: { name: 'TEXTMAP_EMPTY', arity: 0, value: emptyTextMap },
  61: fn('TEXTMAP_INSERT', mapInsert),
  62: fn('TEXTMAP_LOOKUP', mapLookup),
  63: fn('TEXTMAP_DELETE', mapDelete),
  64: fn('TEXTMAP_TO_LIST', textMapToList, { total }),
  65: fn('TEXTMAP_SIZE', mapSize, { total }),
  66: fn('FAIL_WITH_STATUS', failWithStatus),
  67: fn('KECCAK256_TEXT', crypto.keccak256Text),
  68: fn('SECP256K1_BOOL', crypto.secp256k1),
  69: fn('HEX_TO_TEXT', crypto.hexToText),
  70: fn('TEXT_TO_HEX', crypto.textToHex, { total }),
  71: fn('SHA256_HEX', crypto.sha256OfHex),
  72: fn('SECP256K1_WITH_ECDSA_BOOL', crypto.secp256k1OfDigest),
  73: fn('SECP256K1_VALIDATE_KEY', crypto.validateKey),
  2001: fn('SCALE_BIGNUMERIC', (value: BigNumeric) => value.scale, { total }),
  2002: fn('PRECISION_BIGNUMERIC', (value: BigNumeric) => value.precision, { total }),
  2003: fn('ADD_BIGNUMERIC', numeric.addBig),
  2004: fn('SUB_BIGNUMERIC', numeric.subBig),
  2005: fn('MUL_BIGNUMERIC', numeric.mulBig),
  2006: fn('DIV_BIGNUMERIC', numeric.divBig),
  2007: fn('SHIFT_RIGHT_BIGNUMERIC', numeric.shiftRightBig),
  2008: fn('BIGNUMERIC_TO_NUMERIC', numeric.bigToNumeric),
  2009: fn('NUMERIC_TO_BIGNUMERIC', BigNumeric.fromNumeric, { total }),
  2010: fn('BIGNUMERIC_TO_TEXT', (value: BigNumeric) => String(value), { total }),
  3011: fn(
    'TYPE_REP_TYCON_NAME',
    (rep: TypeRep) => (rep.constructorId === undefined ? null : new Some(rep.constructorId)),
    { total },
  ),
  5001: { name: 'EXTERNAL_CALL', arity: 5, run: externalCall },
};
