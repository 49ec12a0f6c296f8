/**
 * The stable packages of Daml's standard library that packages written in TypeScript refer to. Their archives are byte for byte those of
 * the Daml compiler. They hold types and functions that make them, so a DAR that brings the same package along
 * changes nothing.
 */
import { makePackage } from './package.js';
import { STANDARD_LIBRARY } from './standard-library.js';
import { applyType, d, genericType, type JsonRecordOf, type Type } from './types.js';
import type { DamlPackage } from '../model/package.js';
import type { GenMap, Unit } from '../model/typed-template.js';
import type { DamlVariant } from '../model/values.js';

/** The biggest tuple that Daml has. */
const MAX_TUPLE = 20;

const tuples = Array.from({ length: MAX_TUPLE - 1 }, (_, index) => {
  const params = Array.from({ length: index + 2 }, (_, position) => `t${position + 1}`);
  const fields = Object.fromEntries(
    params.map((name, position) => [`_${position + 1}`, d.typeVariable(name)]),
  );
  return genericType(`DA.Types:Tuple${params.length}`, params, { kind: 'record', fields });
});

const either = genericType('DA.Types:Either', ['a', 'b'], {
  kind: 'variant',
  constructors: { Left: d.typeVariable('a'), Right: d.typeVariable('b') },
});

const set = genericType('DA.Set.Types:Set', ['k'], {
  kind: 'record',
  fields: { map: d.genMap(d.typeVariable('k'), d.unit) },
});

/** `DA.Time`'s RelTime: a span of time in microseconds. */
export const RelTime = d.record('DA.Time.Types:RelTime', { microseconds: d.int64 });

/** Daml's pair: a record with the fields `_1` and `_2`. */
export function tuple2<A, B, AJ = unknown, BJ = unknown>(
  first: Type<A, AJ>,
  second: Type<B, BJ>,
): Type<{ readonly _1: A; readonly _2: B }, JsonRecordOf<{ _1: Type<A, AJ>; _2: Type<B, BJ> }>> {
  return applyType(tuples[0]!, first, second);
}

/** Daml's `Either`: a variant of `Left` and `Right`. */
export function eitherOf<A, B>(left: Type<A>, right: Type<B>): Type<DamlVariant> {
  return applyType(either, left, right);
}

/** `DA.Set.Types:Set` of a type: as Ledger API JSON `{ map: [[element, {}], …] }`. */
export function setOf<K, KJ = unknown>(
  of: Type<K, KJ>,
): Type<{ readonly map: readonly (readonly [K, Unit])[] }, { readonly map: GenMap<KJ, Unit> }> {
  return applyType(set, of);
}

/** As the compiler writes it: `a1`, `a2` … */
const tupleValues = tuples.map(({ name, params }) => ({
  of: name.slice(name.indexOf(':') + 1),
  params: params.map((_, index) => `a${index + 1}`),
}));

export const STABLE_PACKAGES: readonly DamlPackage[] = [
  makePackage(
    {
      name: 'daml-prim-DA-Types',
      version: '1.0.0',
      id: '5aee9b21b8e9a4c4975b5f4c4198e6e6e8469df49e2010820e792f393db870f4',
      types: [either, ...tuples],
    },
    [{ of: 'Left', params: ['a'] }, { of: 'Right', params: ['b'] }, ...tupleValues],
  ),
  makePackage(
    {
      name: 'ghc-stdlib-DA-Internal-Template',
      version: '1.0.0',
      id: '9e70a8b3510d617f8a136213f33d6a903a10ca0eeec76bb06ba55d1ed9680f69',
      types: [d.record('DA.Internal.Template:Archive', {})],
    },
    [],
  ),
  makePackage(
    {
      name: 'daml-stdlib-DA-Time-Types',
      version: '1.0.0',
      id: 'b70db8369e1c461d5c70f1c86f526a29e9776c655e6ffc2560f95b05ccb8b946',
      types: [RelTime],
    },
    [{ of: 'RelTime', field: 'microseconds' }, { of: 'RelTime' }],
  ),
  makePackage(
    {
      name: 'daml-stdlib-DA-Set-Types',
      version: '1.0.0',
      id: 'c3bb0c5d04799b3f11bad7c3c102963e115cf53da3e4afcbcfd9f06ebd82b4ff',
      types: [set],
    },
    [{ of: 'Set' }],
  ),
  ...STANDARD_LIBRARY,
];
