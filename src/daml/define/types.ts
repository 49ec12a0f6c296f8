/**
 * Daml types for packages written in TypeScript: `d.party`, `d.list(d.text)`, `d.record('Module:Name', {…})` …
 * Each carries the TypeScript type of its values, so that payloads and arguments are checked by the compiler. Which
 * package a named type belongs to is decided by {@link definePackage}.
 */
import { DefinitionError } from './names.js';
import type { Numeric } from '../model/numeric.js';
import type { PackageId, QualifiedName } from '../model/types.js';
import {
  DamlVariant,
  type ContractId,
  type DamlValue,
  type Party,
  type Some,
  type Timestamp,
} from '../model/values.js';

/** A Daml type whose values are `T`s (see `values.ts` for how values look). */
export class Type<out T = DamlValue> {
  /** For the compiler only. */
  declare readonly phantom?: T;
  constructor(readonly node: TypeNode) {}
}

export type TypeNode =
  | { readonly kind: 'unit' | 'bool' | 'int64' | 'text' | 'timestamp' | 'date' | 'party' }
  | { readonly kind: 'numeric'; readonly scale: number }
  | { readonly kind: 'contractId'; readonly of: ContractTarget | undefined }
  | { readonly kind: 'optional' | 'list' | 'textMap'; readonly of: Type<unknown> }
  | { readonly kind: 'genMap'; readonly key: Type<unknown>; readonly value: Type<unknown> }
  | { readonly kind: 'named'; readonly named: NamedType; readonly args: readonly Type<unknown>[] }
  | { readonly kind: 'var'; readonly name: string }
  | { readonly kind: 'lazy'; readonly get: () => Type<unknown> };

/** A template or interface, one that is defined further down, or `Module:Entity` in the same package. */
export type ContractTarget =
  { readonly type: Type<unknown> } | (() => { readonly type: Type<unknown> }) | QualifiedName;

export type Fields = Readonly<Record<string, Type<unknown>>>;
/** What a variant's constructor carries: a type, or fields of its own. */
export type Constructors = Readonly<Record<string, Type<unknown> | Fields>>;

export type NamedBody =
  | { readonly kind: 'record'; readonly fields: Fields }
  | { readonly kind: 'variant'; readonly constructors: Fields }
  | { readonly kind: 'enum'; readonly constructors: readonly string[] }
  | { readonly kind: 'interface' };

/** A declaration in a module: record, variant, enum, or the type of an interface. */
export class NamedType {
  /** Set once, by the package that takes it in. */
  packageId: PackageId | undefined;
  constructor(
    readonly name: QualifiedName,
    readonly params: readonly string[],
    readonly body: NamedBody,
  ) {}
}

/** The values of a type. */
export type ValueOf<T> = T extends Type<infer V> ? V : never;
/** The values of a record with these fields. */
export type RecordOf<F> = { readonly [K in keyof F]: ValueOf<F[K]> };
type CarriedBy<C> = C extends Type<infer V> ? V : RecordOf<C>;
/** The values of a variant with these constructors: `tag` tells them apart. */
export type VariantOf<C> = {
  [K in keyof C & string]: DamlVariant<CarriedBy<C[K]> & DamlValue> & { readonly tag: K };
}[keyof C & string];

/** A variant's type; `of` makes its values. */
export class VariantType<C> extends Type<VariantOf<C>> {
  of<K extends keyof C & string>(tag: K, value: CarriedBy<C[K]>): VariantOf<C> {
    return new DamlVariant(tag, value as DamlValue) as VariantOf<C>;
  }
}

const primitive = <T>(
  kind: 'unit' | 'bool' | 'int64' | 'text' | 'timestamp' | 'date' | 'party',
): Type<T> => new Type<T>({ kind });

function named<T>(name: QualifiedName, body: NamedBody): Type<T> {
  return new Type<T>({ kind: 'named', named: new NamedType(name, [], body), args: [] });
}

function variant<const C extends Constructors>(
  name: QualifiedName,
  constructors: C,
): VariantType<C> {
  const carried = Object.entries(constructors).map(([tag, content]): [string, Type<unknown>] =>
    // Daml gives the fields of a constructor a record of their own, named after both.
    [tag, content instanceof Type ? content : d.record(`${name}.${tag}`, content)],
  );
  const body: NamedBody = { kind: 'variant', constructors: Object.fromEntries(carried) };
  return new VariantType<C>({ kind: 'named', named: new NamedType(name, [], body), args: [] });
}

function numeric(scale = 10): Type<Numeric> {
  if (!Number.isInteger(scale) || scale < 0 || scale > 37)
    throw new DefinitionError(`d.numeric(${scale}): a scale is a whole number from 0 to 37.`);
  return new Type<Numeric>({ kind: 'numeric', scale });
}

/**
 * The types. Named ones take `Module.Path:Name` and belong to the package that uses them first.
 * Values: party, text and contract ids are strings, int64 and timestamp (microseconds) bigints, date a number of days.
 */
export const d = {
  unit: primitive<Readonly<Record<string, never>>>('unit'),
  bool: primitive<boolean>('bool'),
  int64: primitive<bigint>('int64'),
  text: primitive<string>('text'),
  timestamp: primitive<Timestamp>('timestamp'),
  date: primitive<number>('date'),
  party: primitive<Party>('party'),
  /** Decimal numbers with `scale` digits after the point; Daml's `Decimal` is `d.numeric(10)`. */
  numeric,
  optional: <T>(of: Type<T>): Type<Some<T & DamlValue> | null> =>
    new Type<Some<T & DamlValue> | null>({ kind: 'optional', of }),
  list: <T>(of: Type<T>): Type<readonly T[]> => new Type<readonly T[]>({ kind: 'list', of }),
  textMap: <T>(of: Type<T>): Type<ReadonlyMap<string, T>> =>
    new Type<ReadonlyMap<string, T>>({ kind: 'textMap', of }),
  genMap: <K, V>(key: Type<K>, value: Type<V>): Type<readonly (readonly [K, V])[]> =>
    new Type<readonly (readonly [K, V])[]>({ kind: 'genMap', key, value }),
  /** `of` names the template or interface; where it is left out any contract's id will do. */
  contractId: (of?: ContractTarget): Type<ContractId> =>
    new Type<ContractId>({ kind: 'contractId', of }),
  record: <const F extends Fields>(name: QualifiedName, fields: F): Type<RecordOf<F>> =>
    named<RecordOf<F>>(name, { kind: 'record', fields }),
  variant,
  enum: <const E extends readonly string[]>(
    name: QualifiedName,
    constructors: E,
  ): Type<E[number]> => named<E[number]>(name, { kind: 'enum', constructors }),
  /** A type that is declared further down, or refers to itself. Its value type must be written out. */
  lazy: <T>(get: () => Type<T>): Type<T> => new Type<T>({ kind: 'lazy', get }),
  /** A type variable of a generic declaration; see {@link genericType}. */
  typeVariable: <T = DamlValue>(name: string): Type<T> => new Type<T>({ kind: 'var', name }),
} as const;

/** Declares a type with parameters; apply it with {@link applyType}. */
export function genericType(
  name: QualifiedName,
  params: readonly string[],
  body: NamedBody,
): NamedType {
  return new NamedType(name, params, body);
}

/** A generic type at these arguments: `applyType(Tuple2, d.party, d.text)`. `T` says what its values look like. */
export function applyType<T>(generic: NamedType, ...args: readonly Type<unknown>[]): Type<T> {
  if (args.length !== generic.params.length)
    throw new DefinitionError(
      `${generic.name} takes ${generic.params.length} type arguments, not ${args.length}.`,
    );
  return new Type<T>({ kind: 'named', named: generic, args });
}
