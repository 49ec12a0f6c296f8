/**
 * The implementations of the builtin functions of Daml-LF 2, one row each. `run` is a JavaScript function of the arguments. Builtins that
 * call compiled code have `code` instead. `total` means that it cannot fail.
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
import {
  externalCallFailed,
  externalCallMalformed,
  NO_SERVICE,
  userError,
} from '../runtime/exceptions.js';
import * as int from '../runtime/int64.js';
import { equalList, foldLeft, foldRight } from './list-builtins.js';
import { charge, spent, type Machine } from '../runtime/machine.js';
import { compare, equal } from '../runtime/ordering.js';
import {
  Code,
  listFrom,
  NIL,
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
  /** Whether `run` has the machine as its last argument, to count its work. */
  readonly counts?: boolean;
  /** The value of a constant, in place of a function. */
  readonly value?: unknown;
}

/** The approximate number of characters that are copied, compared or hashed in the time of one call. */
const CHARACTERS = 8;

const emptyTextMap = SortedMap.empty((a, b) => compareText(a as string, b as string));
const emptyGenMap = SortedMap.empty(compare);

/** Checks that a key is comparable as a whole, because a comparison with others may stop early. */
function comparable(key: unknown, { size }: SortedMap, machine: Machine): void {
  // The key is compared with one key per level of the tree.
  const levels = 32 - Math.clz32(size);
  if (typeof key === 'string') charge(machine, levels * (1 + key.length / CHARACTERS));
  if (typeof key === 'object') for (let at = 0; at <= levels; at += 1) compare(key, key, machine);
}

function optional(found: readonly [unknown] | undefined): Some | null {
  return found === undefined ? null : new Some(found[0] as never);
}

const mapInsert = (key: unknown, value: unknown, map: SortedMap, machine: Machine): SortedMap => {
  comparable(key, map, machine);
  return map.insert(key, value);
};
const mapLookup = (key: unknown, map: SortedMap, machine: Machine): Some | null => {
  comparable(key, map, machine);
  return optional(map.lookup(key));
};
const mapDelete = (key: unknown, map: SortedMap, machine: Machine): SortedMap => {
  comparable(key, map, machine);
  return map.delete(key);
};
const mapSize = (map: SortedMap): number => map.size;

/** The maximum number of `trace` messages that a transaction keeps. */
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

function externalCall(
  extension: string,
  name: string,
  config: string,
  input: string,
  _update: unknown,
  { actions }: Machine,
): string {
  if (!crypto.isHex(config) || !crypto.isHex(input)) throw externalCallMalformed(extension, name);
  if (actions === undefined) throw externalCallFailed(extension, name, NO_SERVICE);
  return actions.externalCall({ extensionId: extension, functionId: name, config, input });
}

const [KEY, VALUE] = [structKey('key'), structKey('value')];

/** Entries are structs with the fields `key` and `value`. */
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

/** A builtin that counts steps by its arguments before it does its work. */
const sized = <A extends readonly never[]>(
  run: (...args: A) => unknown,
  work: (...args: A) => number,
  more: Partial<Builtin> = {},
): Builtin => {
  const { length } = run;
  const counted = (...all: unknown[]): unknown => {
    charge(all[length] as Machine, work(...(all as unknown as A)));
    return run(...(all.slice(0, length) as unknown as A));
  };
  // Most have one or two arguments. These are called too often to create an array for each call.
  const [runOf, workOf] = [run, work] as unknown as [Run, (...args: unknown[]) => number];
  const ofOne = (a: never, machine: Machine): unknown => {
    charge(machine, workOf(a));
    return runOf(a);
  };
  const ofTwo = (a: never, b: never, machine: Machine): unknown => {
    charge(machine, workOf(a, b));
    return runOf(a, b);
  };
  const fast = length === 1 ? ofOne : length === 2 ? ofTwo : counted;
  return { arity: length, run: fast as Run, counts: true, ...more };
};

/** A builtin that counts its steps itself. */
const counting = (run: Run, more: Partial<Builtin> = {}): Builtin => ({
  arity: run.length - 1,
  run,
  counts: true,
  ...more,
});

const ofText = (value: string): number => value.length / CHARACTERS;
const ofTexts = (a: string, b: string): number => (a.length + b.length) / (8 * CHARACTERS);
const ofMap = ({ size }: SortedMap): number => size;
/** Multiplication needs each pair of digits. */
const ofDigits = (a: BigNumeric, b: BigNumeric): number => (a.precision * b.precision) / 2 ** 12;
/** The number of calls that take as long as a signature check. */
const SIGNATURE = 20_000;
const ofSignature = (): number => SIGNATURE;

function listLength(list: Cons, machine: Machine): void {
  for (let rest = list; rest !== NIL; rest = rest.t) if (--machine.steps < 0) spent(machine);
}

const implode = (list: Cons, machine: Machine): string => {
  listLength(list, machine);
  const whole = text.implodeText(list);
  charge(machine, ofText(whole));
  return whole;
};
const fromCodePoints = (list: Cons, machine: Machine): string => {
  listLength(list, machine);
  return text.codePointsToText(list);
};

export const BUILTINS: Readonly<Record<BuiltinName, Builtin>> = {
  TRACE: { arity: 2, code: trace },
  ERROR: fn((message: string) => {
    throw userError(message);
  }),
  EQUAL: { arity: 2, run: equal, counts: true },
  LESS_EQ: counting((a: unknown, b: unknown, machine: Machine) => compare(a, b, machine) <= 0),
  LESS: counting((a: unknown, b: unknown, machine: Machine) => compare(a, b, machine) < 0),
  GREATER_EQ: counting((a: unknown, b: unknown, machine: Machine) => compare(a, b, machine) >= 0),
  GREATER: counting((a: unknown, b: unknown, machine: Machine) => compare(a, b, machine) > 0),
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
  TEXT_TO_INT64: sized(text.textToInt64, ofText, { total }),
  TEXT_TO_NUMERIC: sized(text.textToNumeric, (_, value) => ofText(value), { total }),
  CONTRACT_ID_TO_TEXT: { arity: 1, run: text.contractIdToText, total },
  SHA256_TEXT: sized(crypto.sha256Text, ofText, { total }),
  EXPLODE_TEXT: sized(text.explodeText, ({ length }) => length, { total }),
  APPEND_TEXT: sized(text.appendText, ofTexts),
  IMPLODE_TEXT: counting(implode),
  CODE_POINTS_TO_TEXT: counting(fromCodePoints),
  TEXT_TO_CODE_POINTS: sized(text.textToCodePoints, ({ length }) => length, { total }),
  DATE_TO_UNIX_DAYS: fn(identity, { total }),
  UNIX_DAYS_TO_DATE: fn(numeric.unixDaysToDate),
  TIMESTAMP_TO_UNIX_MICROSECONDS: fn(identity, { total }),
  UNIX_MICROSECONDS_TO_TIMESTAMP: fn(numeric.unixMicrosecondsToTimestamp),
  COERCE_CONTRACT_ID: fn(identity, { total }),
  FOLDL: { arity: 3, code: foldLeft },
  FOLDR: { arity: 3, code: foldRight },
  EQUAL_LIST: { arity: 3, code: equalList },
  GENMAP_EMPTY: { arity: 0, value: emptyGenMap },
  GENMAP_INSERT: counting(mapInsert),
  GENMAP_LOOKUP: counting(mapLookup),
  GENMAP_DELETE: counting(mapDelete),
  GENMAP_KEYS: sized((map: SortedMap): Cons => listFrom(map.toArray().map(([key]) => key)), ofMap, {
    total,
  }),
  GENMAP_VALUES: sized(
    (map: SortedMap): Cons => listFrom(map.toArray().map(([, value]) => value)),
    ofMap,
    { total },
  ),
  GENMAP_SIZE: fn(mapSize, { total }),
  ANY_EXCEPTION_MESSAGE: { arity: 1, code: anyExceptionMessage },
  TEXTMAP_EMPTY: { arity: 0, value: emptyTextMap },
  TEXTMAP_INSERT: counting(mapInsert),
  TEXTMAP_LOOKUP: counting(mapLookup),
  TEXTMAP_DELETE: counting(mapDelete),
  TEXTMAP_TO_LIST: sized(textMapToList, ofMap, { total }),
  TEXTMAP_SIZE: fn(mapSize, { total }),
  FAIL_WITH_STATUS: fn(failWithStatus),
  KECCAK256_TEXT: sized(crypto.keccak256Text, ({ length }) => length),
  SECP256K1_BOOL: sized(crypto.secp256k1, (_, message) => SIGNATURE + ofText(message)),
  HEX_TO_TEXT: sized(crypto.hexToText, ofText),
  TEXT_TO_HEX: sized(crypto.textToHex, ofText, { total }),
  SHA256_HEX: sized(crypto.sha256OfHex, ofText),
  SECP256K1_WITH_ECDSA_BOOL: sized(crypto.secp256k1OfDigest, ofSignature),
  SECP256K1_VALIDATE_KEY: sized(crypto.validateKey, ofSignature),
  SCALE_BIGNUMERIC: fn((value: BigNumeric) => value.scale, { total }),
  PRECISION_BIGNUMERIC: fn((value: BigNumeric) => value.precision, { total }),
  ADD_BIGNUMERIC: fn(numeric.addBig),
  SUB_BIGNUMERIC: fn(numeric.subBig),
  MUL_BIGNUMERIC: sized(numeric.mulBig, ofDigits),
  DIV_BIGNUMERIC: sized(numeric.divBig, (_, __, a, b) => ofDigits(a, b)),
  SHIFT_RIGHT_BIGNUMERIC: fn(numeric.shiftRightBig),
  BIGNUMERIC_TO_NUMERIC: fn(numeric.bigToNumeric),
  NUMERIC_TO_BIGNUMERIC: fn(BigNumeric.fromNumeric, { total }),
  BIGNUMERIC_TO_TEXT: sized(
    (value: BigNumeric) => String(value),
    ({ precision }) => precision,
    {
      total,
    },
  ),
  TYPE_REP_TYCON_NAME: fn(
    (rep: TypeRep) => (rep.constructorId === undefined ? null : new Some(rep.constructorId)),
    { total },
  ),
  EXTERNAL_CALL: { arity: 5, run: externalCall as Run, counts: true },
};
