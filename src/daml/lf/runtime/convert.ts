/**
 * Converts between ledger values and values of compiled code, by type. Ledger values are canonical: their nesting and texts are checked, so
 * no later check is needed. Converted records are cached in both directions.
 */
import { interpretation, ledgerError } from '../../errors/ledger-error.js';
import { MAX_NESTING } from '../../errors/limits.js';
import { ownMember } from '../../model/own-members.js';
import type { PackageLookup } from '../../model/package.js';
import { recordMaker } from '../../codec/record-maker.js';
import { compareText, malformedText } from '../../model/text-order.js';
import { typeCompiler, type ScalarType } from '../../codec/type-fold.js';
import type { DamlType, TypeId } from '../../model/types.js';
import { DamlVariant, Some, UNIT, type DamlRecord, type DamlValue } from '../../model/values.js';
import { crash } from '../../refusals/refusals.js';
import { int64, type Int64 } from './int64.js';
import { compare } from './ordering.js';
import type { Cons } from './runtime-values.js';
import { listFrom, NIL, Variant, type RuntimeRecord } from './runtime-values.js';
import { SortedMap } from './sorted-map.js';

type ToRuntime = (value: DamlValue) => unknown;
type ToLedger = (value: unknown, depth: number) => DamlValue;

const toRuntimeOf = typeCompiler<ToRuntime>(() => ({
  scalar: (type) => (isWide(type) ? (value) => int64(value as bigint) : (value) => value),
  optional: (of, compile) => {
    const run = compile(of);
    return (value) => (value === null ? null : new Some(run((value as Some).value) as DamlValue));
  },
  list: (of) => (value) => listFrom((value as readonly DamlValue[]).map((item) => of(item))),
  textMap: (of) => (value) => {
    let map = SortedMap.empty((a, b) => compareText(a as string, b as string));
    for (const [key, item] of value as ReadonlyMap<string, DamlValue>)
      map = map.insert(key, of(item));
    return map;
  },
  genMap: (key, of) => (value) => {
    let map = SortedMap.empty(compare);
    for (const [at, item] of value as readonly (readonly [DamlValue, DamlValue])[])
      map = map.insert(key(at), of(item));
    return map;
  },
  record: (fields) => {
    const make = recordOf(fields.length);
    return (value) =>
      make(fields.map(({ name, run }) => run(ownMember(value as object, name) as DamlValue)));
  },
  variant: (constructors) => {
    const ranks = new Map(constructors.map(({ name, run }, rank) => [name, { rank, run }]));
    return (value) => {
      const { tag, value: inner } = value as DamlVariant;
      const found = ranks.get(tag)!;
      return new Variant(found.rank, found.run(inner));
    };
  },
  enumeration: (constructors) => {
    const ranks = new Map(constructors.map((name, rank) => [name, rank]));
    return (value) => ranks.get(value as string);
  },
  opaque: (name) => () => {
    throw crash(`${name} has no serializable values`);
  },
}));

function isWide({ kind }: ScalarType): boolean {
  return kind === 'int64' || kind === 'timestamp';
}

const toLedgerOf = typeCompiler<ToLedger>(() => ({
  scalar: (type) =>
    isWide(type)
      ? (value) => BigInt(value as Int64)
      : type.kind === 'text'
        ? (value, depth) => text(value as string, depth)
        : (value) => value as DamlValue,
  optional: (of, compile) => {
    const run = compile(of);
    return (value, depth) =>
      value === null ? null : new Some(run((value as Some).value, deeper(depth)));
  },
  list: (of) => (value, depth) => {
    const items: DamlValue[] = [];
    for (let rest = value as Cons; rest !== NIL; rest = rest.t)
      items.push(of(rest.h, deeper(depth)));
    return items;
  },
  textMap: (of) => (value, depth) =>
    new Map(
      (value as SortedMap)
        .toArray()
        .map(([key, item]) => [text(key as string, depth), of(item, deeper(depth))] as const),
    ),
  genMap: (key, of) => (value, depth) =>
    (value as SortedMap)
      .toArray()
      .map(([at, item]) => [key(at, deeper(depth)), of(item, deeper(depth))] as const),
  record: (fields) => {
    if (fields.length === 0) return () => UNIT;
    const make = recordMaker(fields.map(({ name }) => name));
    const members = fields.map(({ run }, index) => ({ run, member: `p${index}` as const }));
    return (value, depth) => {
      const values: DamlValue[] = [];
      for (const { run, member } of members)
        values.push(run((value as RuntimeRecord)[member], deeper(depth)));
      return make(values);
    };
  },
  variant: (constructors) => (value, depth) => {
    const { t, v } = value as Variant;
    const { name, run } = constructors[t]!;
    return new DamlVariant(name, run(v, deeper(depth)));
  },
  enumeration: (constructors) => (value) => constructors[value as number]!,
  opaque: (name) => () => {
    throw crash(`${name} has no serializable values`);
  },
}));

/** Disables the limit of nesting. */
const UNCHECKED = NaN;

function deeper(depth: number): number {
  if (depth >= MAX_NESTING)
    throw ledgerError(
      'VALUE_NESTING',
      interpretation(`Value exceeds maximum nesting value of ${MAX_NESTING}`),
    );
  return depth + 1;
}

function text(value: string, depth: number): string {
  const error = Number.isNaN(depth) ? undefined : malformedText(value);
  if (error === undefined) return value;
  throw ledgerError('MALFORMED_TEXT', interpretation(`Text is malformed: ${error}`));
}

type MakeRecord = (values: readonly unknown[]) => RuntimeRecord;
const makers: MakeRecord[] = [() => UNIT];

/** Creates records with the hidden class of compiled code. */
function recordOf(size: number): MakeRecord {
  const known = makers[size];
  if (known !== undefined) return known;
  const members = Array.from({ length: size }, (_, index) => `p${index}:v[${index}]`);
  // This is safe for `new Function`: the source has only numbers.

  const make = new Function('v', `return {${members.join(',')}};`) as MakeRecord;
  makers[size] = make;
  return make;
}

export function toRuntime(packages: PackageLookup, type: DamlType, value: DamlValue): unknown {
  if (type.kind === 'con' && type.args.length === 0 && isObject(value)) {
    const known = remembered.get(value);
    if (known?.id === type.id) return known.value;
    const converted = toRuntimeOf(packages, type)(value);
    remember(type.id, value, converted);
    return converted;
  }
  return toRuntimeOf(packages, type)(value);
}

export function toLedger(packages: PackageLookup, type: DamlType, value: unknown): DamlValue {
  const converted = toLedgerOf(packages, type)(value, 0);
  if (type.kind === 'con' && type.args.length === 0 && isObject(converted))
    remember(type.id, converted, value);
  return converted;
}

/**
 * Checks a value like {@link toLedger}, without converting it.
 * @throws LedgerError for a value that the ledger does not allow
 */
export function checkLedgerValue(packages: PackageLookup, type: DamlType, value: unknown): void {
  toLedgerOf(packages, type)(value, 0);
}

/** Converts a value that {@link toLedger} refuses because of its nesting or texts. */
export function toLedgerUnchecked(
  packages: PackageLookup,
  type: DamlType,
  value: unknown,
): DamlValue {
  return toLedgerOf(packages, type)(value, UNCHECKED);
}

/** Cached conversions stay valid, because ledger values are immutable. */
const remembered = new WeakMap<object, { readonly id: TypeId; readonly value: unknown }>();

function remember(id: TypeId, record: object, value: unknown): void {
  if (record !== UNIT) remembered.set(record, { id, value });
}

function isObject(value: DamlValue): value is DamlRecord {
  return typeof value === 'object' && value !== null;
}
