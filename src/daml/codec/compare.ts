/**
 * Daml's total order on the values of one type (Daml-LF's `LESS_EQ`). It compares text by code points, variants by
 * the rank of their constructor, and records field by field. None comes before Some; lists and maps have
 * lexicographic order.
 */
import type { Numeric } from '../model/numeric.js';
import type { PackageLookup } from '../model/package.js';
import { compareText } from '../model/text-order.js';
import { typeCompiler, type FoldedField, type ScalarType, type TypeFold } from './type-fold.js';
import type { DamlType } from '../model/types.js';
import type { DamlRecord, DamlValue, DamlVariant, Some } from '../model/values.js';

export type Comparison = (left: DamlValue, right: DamlValue) => number;

/** Negative, zero or positive. Both values must be normalised values of the type. */
export function compareValues(
  packages: PackageLookup,
  type: DamlType,
  left: DamlValue,
  right: DamlValue,
): number {
  return comparisonOf(packages, type)(left, right);
}

export function equalValues(
  packages: PackageLookup,
  type: DamlType,
  left: DamlValue,
  right: DamlValue,
): boolean {
  return comparisonOf(packages, type)(left, right) === 0;
}

const COMPARISON: TypeFold<Comparison> = {
  scalar,
  optional: (of, compile) => {
    const compare = compile(of);
    return (left, right) => {
      if (left === null || right === null) return Number(left !== null) - Number(right !== null);
      return compare((left as Some).value, (right as Some).value);
    };
  },
  list: (of) => (left, right) =>
    lexicographic(left as readonly DamlValue[], right as readonly DamlValue[], of),
  textMap: (of) => {
    const entry: Comparison = pairwise(compareText as Comparison, of);
    return (left, right) =>
      lexicographic(
        [...(left as ReadonlyMap<string, DamlValue>)],
        [...(right as ReadonlyMap<string, DamlValue>)],
        entry,
      );
  },
  genMap: (key, value) => {
    const entry = pairwise(key, value);
    return (left, right) =>
      lexicographic(left as readonly DamlValue[], right as readonly DamlValue[], entry);
  },
  record: (fields) => (left, right) => {
    for (const { name, run } of fields) {
      const difference = run((left as DamlRecord)[name]!, (right as DamlRecord)[name]!);
      if (difference !== 0) return difference;
    }
    return 0;
  },
  variant: (constructors) => {
    const cases = ranks(constructors);
    return (left, right) => {
      const a = left as DamlVariant;
      const b = right as DamlVariant;
      const rank = cases.get(a.tag)!;
      return rank - cases.get(b.tag)! || constructors[rank]!.run(a.value, b.value);
    };
  },
  enumeration: (constructors) => {
    const rank = new Map(constructors.map((name, index) => [name, index]));
    return (left, right) => rank.get(left as string)! - rank.get(right as string)!;
  },
  opaque: (name) => () => {
    throw new TypeError(`Values of ${name} cannot be compared.`);
  },
};

export const comparisonOf = typeCompiler<Comparison>(() => COMPARISON);

function scalar(type: ScalarType): Comparison {
  switch (type.kind) {
    case 'unit':
      return () => 0;
    case 'numeric':
      return (left, right) => (left as Numeric).compare(right as Numeric);
    case 'text':
      return compareText as Comparison;
    default:
      // Party and contract id texts are ASCII, so their UTF-16 order is Daml's.
      return (left, right) => (left === right ? 0 : left! < right! ? -1 : 1);
  }
}

function pairwise(key: Comparison, value: Comparison): Comparison {
  return (left, right) => {
    const a = left as readonly DamlValue[];
    const b = right as readonly DamlValue[];
    return key(a[0]!, b[0]!) || value(a[1]!, b[1]!);
  };
}

function lexicographic(
  left: readonly DamlValue[],
  right: readonly DamlValue[],
  compare: Comparison,
): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const difference = compare(left[index]!, right[index]!);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function ranks(constructors: readonly FoldedField<Comparison>[]): ReadonlyMap<string, number> {
  return new Map(constructors.map(({ name }, index) => [name, index]));
}
