/** The forms of expressions. Types are indexes into the package's type table, names are strings, and other definitions are ids. */
import type { TypeId } from '../../model/types.js';
import type { Numeric } from '../../model/numeric.js';
import type { BuiltinRow } from '../builtin-table.js';
import type { LfParams } from '../lf-definitions.js';
import type { LfExpression } from './expression.js';

/** A variable and its type. */
export interface Binder {
  readonly name: string;
  readonly type: number;
}

/** A binding in a let or a block. */
export interface Binding {
  readonly binder: Binder;
  readonly bound: LfExpression;
}

/** A field of a record or a struct. */
export interface FieldValue {
  readonly name: string;
  readonly value: LfExpression;
}

/** A data type applied to types. */
export interface TypeConApp {
  readonly id: TypeId;
  readonly args: readonly number[];
}

export type Literal =
  | { readonly type: 'Int64' | 'Timestamp'; readonly value: bigint }
  | { readonly type: 'Numeric'; readonly value: Numeric }
  | { readonly type: 'Text'; readonly value: string }
  /** Days since 1970, or the number of a category or a mode. */
  | { readonly type: 'Date' | 'FailureCategory' | 'RoundingMode'; readonly value: number };

export enum Constant {
  Unit = 0,
  False = 1,
  True = 2,
}

export type LfPattern =
  | { readonly kind: 'default' | 'nil' | 'none' }
  | {
      readonly kind: 'variant';
      readonly id: TypeId;
      readonly name: string;
      readonly binder: string;
    }
  | { readonly kind: 'enum'; readonly id: TypeId; readonly name: string }
  | { readonly kind: 'constant'; readonly constant: Constant }
  | { readonly kind: 'cons'; readonly head: string; readonly tail: string }
  | { readonly kind: 'some'; readonly binder: string };

export interface LfAlternative {
  readonly pattern: LfPattern;
  readonly body: LfExpression;
}

/** The fields of each kind of form. */
interface Expressions {
  variable: { name: string };
  /** `number` is the index of the interned name. */
  value: { id: TypeId; number: number };
  builtin: { row: BuiltinRow };
  constant: { constant: Constant };
  literal: { literal: Literal };
  record: { con: TypeConApp; fields: readonly FieldValue[] };
  projection: { con: TypeConApp; field: string; record: LfExpression };
  recordUpdate: { con: TypeConApp; field: string; record: LfExpression; value: LfExpression };
  variant: { con: TypeConApp; name: string; value: LfExpression };
  enum: { id: TypeId; name: string };
  struct: { fields: readonly FieldValue[] };
  member: { field: string; struct: LfExpression };
  structUpdate: { field: string; struct: LfExpression; value: LfExpression };
  application: { fun: LfExpression; args: readonly LfExpression[] };
  typeApplication: { head: LfExpression; types: readonly number[] };
  lambda: { params: readonly Binder[]; body: LfExpression };
  typeLambda: { params: LfParams; body: LfExpression };
  case: { scrutinee: LfExpression; alternatives: readonly LfAlternative[] };
  let: { bindings: readonly Binding[]; body: LfExpression };
  nil: { type: number };
  none: { type: number };
  cons: { type: number; front: readonly LfExpression[]; tail: LfExpression };
  some: { type: number; value: LfExpression };
  toAny: { type: number; value: LfExpression };
  fromAny: { type: number; value: LfExpression };
  typeRep: { type: number };
  toAnyException: { type: number; value: LfExpression };
  fromAnyException: { type: number; value: LfExpression };
  throw: { returns: number; exception: number; value: LfExpression };
  experimental: { name: string; type: number };
}

/** Forms for interfaces and choices. */
interface Contracts {
  toInterface: { interfaceId: TypeId; templateId: TypeId; value: LfExpression };
  fromInterface: { interfaceId: TypeId; templateId: TypeId; value: LfExpression };
  unsafeFromInterface: {
    interfaceId: TypeId;
    templateId: TypeId;
    contractId: LfExpression;
    value: LfExpression;
  };
  toRequiredInterface: { required: TypeId; requiring: TypeId; value: LfExpression };
  fromRequiredInterface: { required: TypeId; requiring: TypeId; value: LfExpression };
  unsafeFromRequiredInterface: {
    required: TypeId;
    requiring: TypeId;
    contractId: LfExpression;
    value: LfExpression;
  };
  callInterface: { id: TypeId; method: string; value: LfExpression };
  signatoryInterface: { id: TypeId; value: LfExpression };
  observerInterface: { id: TypeId; value: LfExpression };
  viewInterface: { id: TypeId; value: LfExpression };
  interfaceTypeRep: { id: TypeId; value: LfExpression };
  choiceController: {
    id: TypeId;
    choice: string;
    contract: LfExpression;
    argument: LfExpression;
  };
  choiceObserver: { id: TypeId; choice: string; contract: LfExpression; argument: LfExpression };
}

interface Updates {
  pure: { type: number; value: LfExpression };
  block: { bindings: readonly Binding[]; body: LfExpression };
  create: { id: TypeId; value: LfExpression };
  createInterface: { id: TypeId; value: LfExpression };
  fetch: { id: TypeId; value: LfExpression };
  fetchInterface: { id: TypeId; value: LfExpression };
  exercise: { id: TypeId; choice: string; contractId: LfExpression; argument: LfExpression };
  exerciseInterface: {
    id: TypeId;
    choice: string;
    contractId: LfExpression;
    argument: LfExpression;
    guard: LfExpression | undefined;
  };
  exerciseByKey: { id: TypeId; choice: string; key: LfExpression; argument: LfExpression };
  lookupByKey: { id: TypeId };
  fetchByKey: { id: TypeId };
  queryNByKey: { id: TypeId };
  getTime: object;
  ledgerTimeLt: { time: LfExpression };
  embed: { type: number; body: LfExpression };
  tryCatch: { type: number; body: LfExpression; exception: string; handler: LfExpression };
}

type Parts = Expressions & Contracts & Updates;

export type FormOf<Kind extends keyof Parts> = { readonly kind: Kind } & Readonly<Parts[Kind]>;
export type Form = { [Kind in keyof Parts]: FormOf<Kind> }[keyof Parts];

/** The result for each kind of form. */
export type ByForm<By, Made> = {
  readonly [Kind in keyof Parts]: (by: By, form: FormOf<Kind>, of: LfExpression) => Made;
};
