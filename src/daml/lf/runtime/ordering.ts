/**
 * Equality and order of run-time values (Daml-LF's `EQUAL`, `LESS_EQ` and so on). Both values have the same type, so that their shapes
 * suffice. Functions are not comparable. Deep values use an explicit stack.
 */
import { BUILTIN_TYPES, unapply, type LfType } from '../../archive/lf-type.js';
import { Numeric } from '../../model/numeric.js';
import { compareText } from '../../model/text-order.js';
import { splitTypeId, type TypeId } from '../../model/types.js';
import { Some } from '../../model/values.js';
import { BigNumeric } from './big-numeric.js';
import { notComparable } from './exceptions.js';
import { charge, type Machine } from './machine.js';
import { Any, Cons, Fun, NIL, TypeRep, Variant } from './runtime-values.js';
import { SortedMap } from './sorted-map.js';

/** The approximate number of characters that are compared in the time of one call. */
const CHARACTERS_PER_STEP = 8;
/** The number of compared pairs after which they are counted. */
const PAIRS_PER_CHARGE = 256;

export function equal(left: unknown, right: unknown, machine?: Machine): boolean {
  if (left === right && (typeof left !== 'object' || left === null)) return true;
  if (typeof left !== 'object' || left === null || typeof right !== 'object' || right === null) {
    return false;
  }
  return compare(left, right, machine) === 0;
}

export function equalText(left: string, right: string, machine: Machine): boolean {
  if (left.length !== right.length) return false;
  if (left.length > CHARACTERS_PER_STEP) charge(machine, left.length / CHARACTERS_PER_STEP);
  return left === right;
}

/**
 * Negative, zero or positive.
 * @param machine counts the steps
 */
export function compare(left: unknown, right: unknown, machine?: Machine): number {
  // Pairs that remain to be compared, in reverse order.
  const stack: unknown[] = [left, right];
  for (let pairs = 1; stack.length > 0; pairs += 1) {
    if (pairs % PAIRS_PER_CHARGE === 0 && machine) charge(machine, PAIRS_PER_CHARGE);
    const b = stack.pop();
    const a = stack.pop();
    if (typeof a === 'string' && machine && a.length > CHARACTERS_PER_STEP)
      charge(machine, Math.min(a.length, (b as string).length) / CHARACTERS_PER_STEP);
    const difference = step(a, b, stack);
    if (difference !== 0) return difference;
  }
  return 0;
}

function step(a: unknown, b: unknown, stack: unknown[]): number {
  switch (typeof a) {
    case 'string':
      return a === b ? 0 : compareText(a, b as string);
    case 'object':
      return a === null || b === null
        ? Number(a !== null) - Number(b !== null)
        : composite(a, b as object, stack);
    default:
      return a === b ? 0 : (a as number) < (b as number) ? -1 : 1;
  }
}

function composite(a: object, b: object, stack: unknown[]): number {
  if (a instanceof Cons) {
    const other = b as Cons;
    if (a === NIL || other === NIL) return Number(a !== NIL) - Number(other !== NIL);
    stack.push(a.t, other.t, a.h, other.h);
    return 0;
  }
  if (a instanceof Some) {
    stack.push(a.value, (b as Some).value);
    return 0;
  }
  if (a instanceof Variant) {
    stack.push(a.v, (b as Variant).v);
    return a.t - (b as Variant).t;
  }
  if (a instanceof Numeric) return compareNumerics(a, b as Numeric);
  if (a instanceof BigNumeric) return a.compare(b as BigNumeric);
  if (a instanceof SortedMap) return entries(a, b as SortedMap, stack);
  if (a instanceof Any) {
    stack.push(a.value, (b as Any).value);
    return compareTypes(a.type.type, (b as Any).type.type);
  }
  if (a instanceof TypeRep) return compareTypes(a.type, (b as TypeRep).type);
  if (a instanceof Fun) throw notComparable();
  const [left, right] = [Object.values(a), Object.values(b)];
  for (let index = left.length - 1; index >= 0; index -= 1) stack.push(left[index], right[index]);
  return 0;
}

function compareNumerics(a: Numeric, b: Numeric): number {
  if (a.scale !== b.scale) return a.compare(b);
  return a.unscaled === b.unscaled ? 0 : a.unscaled < b.unscaled ? -1 : 1;
}

/** Keys and values in turn, then the sizes. This holds for equality as well, so that functions fail before a different size is found. */
function entries(a: SortedMap, b: SortedMap, stack: unknown[]): number {
  const [left, right] = [a.toArray(), b.toArray()];
  const shorter = Math.min(left.length, right.length);
  stack.push(left.length, right.length);
  for (let index = shorter - 1; index >= 0; index -= 1) {
    stack.push(left[index]![1], right[index]![1], left[index]![0], right[index]![0]);
  }
  return 0;
}

const BUILTIN_RANK: ReadonlyMap<string, number> = new Map(
  BUILTIN_TYPES.map(({ name, number }) => [name, number]),
);
const TAG_RANK = { builtin: 0, con: 1, nat: 2, struct: 3, app: 4 } as const;

/** The order of ground types. */
function compareTypes(a: LfType, b: LfType): number {
  if (a === b) return 0;
  if (a.tag !== b.tag) return rankOf(a) - rankOf(b);
  switch (a.tag) {
    case 'builtin':
      return BUILTIN_RANK.get(a.name)! - BUILTIN_RANK.get((b as typeof a).name)!;
    case 'con':
      return compareIds(a.id, (b as typeof a).id);
    case 'nat':
      return a.value - (b as typeof a).value;
    case 'app': {
      const other = b as typeof a;
      return compareTypes(a.function, other.function) || compareTypes(a.argument, other.argument);
    }
    case 'struct':
      return compareStructs(a, b as typeof a);
    default:
      return 0;
  }
}

function compareStructs(
  a: Extract<LfType, { tag: 'struct' }>,
  b: Extract<LfType, { tag: 'struct' }>,
): number {
  const byName = (type: typeof a): readonly (readonly [string, LfType])[] =>
    [...type.fields].sort(([left], [right]) => (left < right ? -1 : 1));
  const [left, right] = [byName(a), byName(b)];
  for (let index = 0; index < Math.min(left.length, right.length); index += 1) {
    const [x, y] = [left[index]![0], right[index]![0]];
    if (x !== y) return x < y ? -1 : 1;
  }
  if (left.length !== right.length) return left.length - right.length;
  for (const [index, [, type]] of left.entries()) {
    const difference = compareTypes(type, right[index]![1]);
    if (difference !== 0) return difference;
  }
  return 0;
}

function rankOf(type: LfType): number {
  const { head } = unapply(type);
  return type.tag === 'app' ? TAG_RANK.app : ((TAG_RANK as Record<string, number>)[head.tag] ?? 5);
}

/** Package, module segments, name segments. */
function compareIds(a: TypeId, b: TypeId): number {
  const [left, right] = [splitTypeId(a), splitTypeId(b)];
  return (
    compareText(left.packageId, right.packageId) ||
    compareSegments(left.module, right.module) ||
    compareSegments(left.entity, right.entity)
  );
}

function compareSegments(a: string, b: string): number {
  const [left, right] = [a.split('.'), b.split('.')];
  for (let index = 0; index < Math.min(left.length, right.length); index += 1) {
    const difference = compareText(left[index]!, right[index]!);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
