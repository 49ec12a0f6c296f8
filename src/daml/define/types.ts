/**
 * Daml types for packages written in TypeScript, such as `d.party`, `d.list(d.text)`, `d.record('Module:Name',
 * {…})`. Each has the TypeScript type of its values, so that the compiler checks payloads and arguments. {@link
 * definePackage} sets the package of a named type.
 */
import { DefinitionError } from './names.js';
import type { GenMap, NestedOptional, TextMap, Unit } from '../model/typed-template.js';
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

/** A Daml type whose values have the type `T` (see `values.ts` for the form of values), and `J` as Ledger API JSON. */
export class Type<out T = DamlValue, out J = unknown> {
  /** For the compiler only. */
  declare readonly phantom?: T;
  /** For the compiler only. */
  declare readonly jsonPhantom?: J;
  constructor(
    /** The structure of the type. */
    readonly node: TypeNode,
  ) {}
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

/** A template or interface, a function that returns one, or `Module:Entity` in the same package. */
export type ContractTarget =
  | { readonly type: Type<unknown> }
  | (() => { readonly type: Type<unknown> })
  | QualifiedName;

/** Fields of a record by name, in order. */
export type Fields = Readonly<Record<string, Type<unknown>>>;
/** The content of each constructor of a variant: a type, or fields. */
export type Constructors = Readonly<Record<string, Type<unknown> | Fields>>;

export type NamedBody =
  | { readonly kind: 'record'; readonly fields: Fields }
  | { readonly kind: 'variant'; readonly constructors: Fields }
  | { readonly kind: 'enum'; readonly constructors: readonly string[] }
  | { readonly kind: 'interface' };

/** A declaration in a module: record, variant, enum, or the type of an interface. */
export class NamedType {
  /** Set once, by the package that the type is added to. */
  packageId: PackageId | undefined;
  /** The name of that package. */
  packageName: string | undefined;
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
/** The values of a type as JSON of the JSON Ledger API. */
export type JsonOf<T> = T extends Type<unknown, infer J> ? J : never;
type IsOptional<J> = unknown extends J ? false : null extends J ? true : false;
/** The same for a record with these fields: an Optional may be left out. */
export type JsonRecordOf<F> = Flat<
  { readonly [K in keyof F as IsOptional<JsonOf<F[K]>> extends true ? never : K]: JsonOf<F[K]> } & {
    readonly [K in keyof F as IsOptional<JsonOf<F[K]>> extends true ? K : never]?: JsonOf<F[K]>;
  }
>;
type Flat<T> = { [K in keyof T]: T[K] };
type JsonCarriedBy<C> = C extends Type<unknown, infer J> ? J : JsonRecordOf<C>;
/** The same for a variant with these constructors. */
export type JsonVariantOf<C> = {
  [K in keyof C & string]: { readonly tag: K; readonly value: JsonCarriedBy<C[K]> };
}[keyof C & string];
/** An Optional of an Optional has arrays at each level. `J` is the JSON of the inner Optional alone. */
type OptionalJson<J> =
  IsOptional<J> extends true
    ? NestedOptional<NestedOptional<NonNullable<J>>>
    : J extends NestedOptional<unknown>
      ? NestedOptional<J>
      : J | null;
type CarriedBy<C> = C extends Type<infer V> ? V : RecordOf<C>;
/** The values of a variant with these constructors: `tag` has the constructor's name. */
export type VariantOf<C> = {
  [K in keyof C & string]: DamlVariant<CarriedBy<C[K]> & DamlValue> & { readonly tag: K };
}[keyof C & string];

/** A variant's type; `of` makes its values. */
export class VariantType<C> extends Type<VariantOf<C>, JsonVariantOf<C>> {
  /** A value of a constructor. */
  of<K extends keyof C & string>(tag: K, value: CarriedBy<C[K]>): VariantOf<C> {
    return new DamlVariant(tag, value as DamlValue) as VariantOf<C>;
  }
}

const primitive = <T, J>(
  kind: 'unit' | 'bool' | 'int64' | 'text' | 'timestamp' | 'date' | 'party',
): Type<T, J> => new Type<T, J>({ kind });

function named<T, J>(name: QualifiedName, body: NamedBody): Type<T, J> {
  return new Type<T, J>({ kind: 'named', named: new NamedType(name, [], body), args: [] });
}

function variant<const C extends Constructors>(
  name: QualifiedName,
  constructors: C,
): VariantType<C> {
  const carried = Object.entries(constructors).map(([tag, content]): [string, Type<unknown>] =>
    // In Daml, the fields of a constructor form a record named after the variant and the constructor.
    [tag, content instanceof Type ? content : d.record(`${name}.${tag}`, content)],
  );
  const body: NamedBody = { kind: 'variant', constructors: Object.fromEntries(carried) };
  return new VariantType<C>({ kind: 'named', named: new NamedType(name, [], body), args: [] });
}

function numeric(scale = 10): Type<Numeric, string> {
  if (!Number.isInteger(scale) || scale < 0 || scale > 37)
    throw new DefinitionError(`d.numeric(${scale}): a scale is a whole number from 0 to 37.`);
  return new Type<Numeric, string>({ kind: 'numeric', scale });
}

/**
 * The types. Named ones take `Module.Path:Name` and belong to the package that uses them first.
 * Values: party, text and contract ids are strings, int64 and timestamp (microseconds) bigints, date a number of days.
 */
export const d = {
  unit: primitive<Unit, Unit>('unit'),
  bool: primitive<boolean, boolean>('bool'),
  int64: primitive<bigint, string>('int64'),
  text: primitive<string, string>('text'),
  timestamp: primitive<Timestamp, string>('timestamp'),
  date: primitive<number, string>('date'),
  party: primitive<Party, string>('party'),
  /** Decimal numbers with `scale` digits after the point; Daml's `Decimal` is `d.numeric(10)`. */
  numeric,
  optional: <T, J = unknown>(of: Type<T, J>): Type<Some<T & DamlValue> | null, OptionalJson<J>> =>
    new Type({ kind: 'optional', of }),
  list: <T, J = unknown>(of: Type<T, J>): Type<readonly T[], readonly J[]> =>
    new Type<readonly T[], readonly J[]>({ kind: 'list', of }),
  textMap: <T, J = unknown>(of: Type<T, J>): Type<ReadonlyMap<string, T>, TextMap<J>> =>
    new Type<ReadonlyMap<string, T>, TextMap<J>>({ kind: 'textMap', of }),
  genMap: <K, V, KJ = unknown, VJ = unknown>(
    key: Type<K, KJ>,
    value: Type<V, VJ>,
  ): Type<readonly (readonly [K, V])[], GenMap<KJ, VJ>> =>
    new Type<readonly (readonly [K, V])[], GenMap<KJ, VJ>>({ kind: 'genMap', key, value }),
  /** `of` names the template or interface; without it, the id of any contract is valid. */
  contractId: (of?: ContractTarget): Type<ContractId, string> =>
    new Type<ContractId, string>({ kind: 'contractId', of }),
  record: <const F extends Fields>(
    name: QualifiedName,
    fields: F,
  ): Type<RecordOf<F>, JsonRecordOf<F>> => named(name, { kind: 'record', fields }),
  variant,
  enum: <const E extends readonly string[]>(
    name: QualifiedName,
    constructors: E,
  ): Type<E[number], E[number]> => named(name, { kind: 'enum', constructors }),
  /** A type that is declared later, or refers to itself. You must write its value type explicitly. */
  lazy: <T, J = unknown>(get: () => Type<T, J>): Type<T, J> =>
    new Type<T, J>({ kind: 'lazy', get }),
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

/** A generic type at these arguments: `applyType(Tuple2, d.party, d.text)`. `T` is the type of its values. */
export function applyType<T, J = unknown>(
  generic: NamedType,
  ...args: readonly Type<unknown>[]
): Type<T, J> {
  if (args.length !== generic.params.length)
    throw new DefinitionError(
      `${generic.name} takes ${generic.params.length} type arguments, not ${args.length}.`,
    );
  return new Type<T, J>({ kind: 'named', named: generic, args });
}
