/**
 * What the builtin functions of Daml-LF 2 do: a row each. `run` is a JavaScript function of the
 * arguments; `code` instead is for those that call back into compiled code. `total` says that it cannot fail.
 */
import type { BuiltinName } from '../../archive/builtin-table.js';
import { DamlFailure } from '../../model/package.js';
import { compareText } from '../../model/text-order.js';
import { Some } from '../../model/values.js';
import { anyExceptionMessage } from '../runtime/any-exception.js';
import * as crypto from './builtins-crypto.js';
import * as numeric from './builtins-numeric.js';
import * as text from './builtins-text.js';
import { BigNumeric } from '../runtime/big-numeric.js';
import { externalCallFailed, externalCallMalformed, userError } from '../runtime/exceptions.js';
import * as int from '../runtime/int64.js';
import { equalList, foldLeft, foldRight } from './list-builtins.js';
import type { Machine } from '../runtime/machine.js';
import { compare, equal } from '../runtime/ordering.js';
import {
  Code,
  listFrom,
  structKey,
  type Cons,
  type FastCode,
  type TypeRep,
} from '../runtime/runtime-values.js';
import { SortedMap } from '../runtime/sorted-map.js';

type Run = (...args: never[]) => unknown;

export interface Builtin {
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

const trace = new Code(((_self: unknown, message: string, value: unknown, { traces }: Machine) => {
  if (traces.length < MAX_TRACES) traces.push(message);
  return value;
}) as FastCode);

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
const fn = (run: Run, more: Partial<Builtin> = {}): Builtin => ({
  arity: run.length,
  run,
  ...more,
});

export const BUILTINS: Readonly<Record<BuiltinName, Builtin>> = {
  TRACE: { arity: 2, code: trace },
  ERROR: fn((message: string) => {
    throw userError(message);
  }),
  EQUAL: fn(equal),
  LESS_EQ: fn((a: unknown, b: unknown) => compare(a, b) <= 0),
  LESS: fn((a: unknown, b: unknown) => compare(a, b) < 0),
  GREATER_EQ: fn((a: unknown, b: unknown) => compare(a, b) >= 0),
  GREATER: fn((a: unknown, b: unknown) => compare(a, b) > 0),
  ADD_INT64: fn(int.addInt),
  SUB_INT64: fn(int.subInt),
  MUL_INT64: fn(int.mulInt),
  DIV_INT64: fn(int.divInt),
  MOD_INT64: fn(int.modInt),
  EXP_INT64: fn(int.expInt),
  ADD_NUMERIC: fn(numeric.addNumeric),
  SUB_NUMERIC: fn(numeric.subNumeric),
  MUL_NUMERIC: fn(numeric.mulNumeric),
  DIV_NUMERIC: fn(numeric.divNumeric),
  ROUND_NUMERIC: fn(numeric.roundNumeric),
  CAST_NUMERIC: fn(numeric.castNumeric),
  SHIFT_NUMERIC: fn(numeric.shiftNumeric, { total }),
  INT64_TO_NUMERIC: fn(numeric.int64ToNumeric),
  NUMERIC_TO_INT64: fn(numeric.numericToInt64),
  INT64_TO_TEXT: fn((value: int.Int64) => String(value), { total }),
  NUMERIC_TO_TEXT: fn(text.numericToText, { total }),
  TIMESTAMP_TO_TEXT: fn(text.timestampToText, { total }),
  DATE_TO_TEXT: fn(text.dateToText, { total }),
  PARTY_TO_TEXT: fn(identity, { total }),
  TEXT_TO_PARTY: fn(text.textToParty, { total }),
  TEXT_TO_INT64: fn(text.textToInt64, { total }),
  TEXT_TO_NUMERIC: fn(text.textToNumeric, { total }),
  CONTRACT_ID_TO_TEXT: { arity: 1, run: text.contractIdToText, total },
  SHA256_TEXT: fn(crypto.sha256Text, { total }),
  EXPLODE_TEXT: fn(text.explodeText, { total }),
  APPEND_TEXT: fn(text.appendText),
  IMPLODE_TEXT: fn(text.implodeText),
  CODE_POINTS_TO_TEXT: fn(text.codePointsToText),
  TEXT_TO_CODE_POINTS: fn(text.textToCodePoints, { total }),
  DATE_TO_UNIX_DAYS: fn(identity, { total }),
  UNIX_DAYS_TO_DATE: fn(numeric.unixDaysToDate),
  TIMESTAMP_TO_UNIX_MICROSECONDS: fn(identity, { total }),
  UNIX_MICROSECONDS_TO_TIMESTAMP: fn(numeric.unixMicrosecondsToTimestamp),
  COERCE_CONTRACT_ID: fn(identity, { total }),
  FOLDL: { arity: 3, code: foldLeft },
  FOLDR: { arity: 3, code: foldRight },
  EQUAL_LIST: { arity: 3, code: equalList },
  GENMAP_EMPTY: { arity: 0, value: emptyGenMap },
  GENMAP_INSERT: fn(mapInsert),
  GENMAP_LOOKUP: fn(mapLookup),
  GENMAP_DELETE: fn(mapDelete),
  GENMAP_KEYS: fn((map: SortedMap): Cons => listFrom(map.toArray().map(([key]) => key)), {
    total,
  }),
  GENMAP_VALUES: fn((map: SortedMap): Cons => listFrom(map.toArray().map(([, value]) => value)), {
    total,
  }),
  GENMAP_SIZE: fn(mapSize, { total }),
  ANY_EXCEPTION_MESSAGE: { arity: 1, code: anyExceptionMessage },
  TEXTMAP_EMPTY: { arity: 0, value: emptyTextMap },
  TEXTMAP_INSERT: fn(mapInsert),
  TEXTMAP_LOOKUP: fn(mapLookup),
  TEXTMAP_DELETE: fn(mapDelete),
  TEXTMAP_TO_LIST: fn(textMapToList, { total }),
  TEXTMAP_SIZE: fn(mapSize, { total }),
  FAIL_WITH_STATUS: fn(failWithStatus),
  KECCAK256_TEXT: fn(crypto.keccak256Text),
  SECP256K1_BOOL: fn(crypto.secp256k1),
  HEX_TO_TEXT: fn(crypto.hexToText),
  TEXT_TO_HEX: fn(crypto.textToHex, { total }),
  SHA256_HEX: fn(crypto.sha256OfHex),
  SECP256K1_WITH_ECDSA_BOOL: fn(crypto.secp256k1OfDigest),
  SECP256K1_VALIDATE_KEY: fn(crypto.validateKey),
  SCALE_BIGNUMERIC: fn((value: BigNumeric) => value.scale, { total }),
  PRECISION_BIGNUMERIC: fn((value: BigNumeric) => value.precision, { total }),
  ADD_BIGNUMERIC: fn(numeric.addBig),
  SUB_BIGNUMERIC: fn(numeric.subBig),
  MUL_BIGNUMERIC: fn(numeric.mulBig),
  DIV_BIGNUMERIC: fn(numeric.divBig),
  SHIFT_RIGHT_BIGNUMERIC: fn(numeric.shiftRightBig),
  BIGNUMERIC_TO_NUMERIC: fn(numeric.bigToNumeric),
  NUMERIC_TO_BIGNUMERIC: fn(BigNumeric.fromNumeric, { total }),
  BIGNUMERIC_TO_TEXT: fn((value: BigNumeric) => String(value), { total }),
  TYPE_REP_TYCON_NAME: fn(
    (rep: TypeRep) => (rep.constructorId === undefined ? null : new Some(rep.constructorId)),
    { total },
  ),
  EXTERNAL_CALL: { arity: 5, run: externalCall },
};
