/**
 * Templates, choices and interfaces with the types of their values, as the JSON Ledger API encodes Daml values. They are public as the
 * namespace `Daml`. Modules of `canticle codegen` and templates of `defineTemplate` have these types. This file has types only, and no
 * runtime code.
 */

/** `()`: an object without members. */
export type Unit = Readonly<Record<string, never>>;
/** `Bool`. */
export type Bool = boolean;
/** Digits as text: `'-42'`. JSON numbers are invalid. */
export type Int64 = string;
/** A decimal number as text: `'1.5'`. Responses have all digits of its scale: `'1.5000000000'` for a `Numeric 10`, which is Decimal. */
export type Numeric = string;
/** `Text`: any text without lone surrogates. */
export type Text = string;
/** `'1970-01-01T00:00:00Z'`, to the microsecond, in UTC. */
export type Time = string;
/** `'1970-01-01'`. */
export type Date = string;
/** A party id: `'alice::1220…'`. */
export type Party = string;
/** None is null. A field may also be omitted, as responses do at the end of a record. */
export type Optional<T> = T | null;
/** An Optional of Optional, and each level inside: None is `[]`, Some is `[value]`. */
export type NestedOptional<T> = readonly [] | readonly [T];
/** `[a]`. */
export type List<T> = readonly T[];
/** `TextMap`: an object. */
export type TextMap<T> = { readonly [key: string]: T };
/** `Map`: pairs of key and value. Responses sort them by key. If several have the same key, the last one counts. */
export type GenMap<K, V> = readonly (readonly [K, V])[];

/** The fields of a record with type parameters. A field whose parameter is an Optional may be omitted, as in responses. */
export type Fields<T> = {
  readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & { readonly [K in keyof T as undefined extends T[K] ? K : never]?: T[K] };

declare const contract: unique symbol;
declare const payload: unique symbol;
declare const key: unique symbol;
declare const argument: unique symbol;
declare const result: unique symbol;
declare const view: unique symbol;
declare const implemented: unique symbol;

/**
 * The id of a contract with the payload `T`, or of one that implements the interface `T`. Any string is assignable, but not the id of
 * another template's contract.
 */
export type ContractId<T = unknown> = string & { readonly [contract]?: T };

/** Compile-time data in payload types: the ids of the interfaces that the contracts implement. */
export interface Implements<Ids extends string> {
  readonly [implemented]?: { readonly [Id in Ids]: true };
}

/** A template by its id, with the types of its payload and its contract key. */
export interface NamedTemplate<Payload, Key = never> {
  /** `#package-name:Module:Entity`. */
  readonly templateId: string;
  readonly [payload]?: Payload;
  readonly [key]?: Key;
}

/** An interface by its id, with the type of its view. */
export interface NamedInterface<Contract, View> {
  /** `#package-name:Module:Entity`. */
  readonly templateId: string;
  readonly [contract]?: Contract;
  readonly [view]?: View;
}

/** A choice of a template or interface whose contracts are `Contract`s. */
export interface Choice<Contract, Argument, Result, Key = never> {
  readonly choiceName: string;
  /** The template or interface that has it. */
  readonly template: () => { readonly templateId: string };
  readonly [contract]?: Contract;
  readonly [argument]?: Argument;
  readonly [result]?: Result;
  readonly [key]?: Key;
}

/** A template with its choices as members: `Iou.Iou_Transfer`, and `Iou.Archive`. */
export type Template<Payload, Choices = unknown, Key = never> = NamedTemplate<Payload, Key> &
  Choices & { readonly Archive: Choice<Payload, Unit, Unit, Key> };

/** An interface with its choices as members. */
export type Interface<Contract, View, Choices = unknown> = NamedInterface<Contract, View> &
  Choices & { readonly Archive: Choice<Contract, Unit, Unit> };

/** Any object that names a template or interface: from `canticle codegen`, `defineTemplate` or `dpm codegen-js`. */
export interface AnyTemplate {
  readonly templateId: string;
}

/** Any object that names a choice of these. */
export interface AnyChoice {
  readonly choiceName: string;
  readonly template: () => AnyTemplate;
}

interface Decoder<T> {
  runWithException(json: unknown): T;
}

/** The payload of a template; for `dpm codegen-js`, as `@daml/types` has it. */
export type PayloadOf<T> = T extends { readonly encode: (given: infer P) => unknown }
  ? P
  : T extends { readonly decoder: Decoder<unknown> }
    ? unknown
    : T extends { readonly [payload]?: infer P }
      ? P
      : unknown;

/** The view of an interface. */
export type ViewOf<T> = T extends { readonly encode: unknown }
  ? never
  : T extends { readonly decoder: Decoder<infer V> }
    ? V
    : T extends { readonly [view]?: infer V }
      ? V
      : never;

/** The contract key of a template, or of a choice's template. */
export type KeyOf<T> = T extends { readonly keyDecoder: Decoder<infer K> }
  ? K
  : T extends { readonly argumentEncode: unknown; readonly template: () => infer Owner }
    ? KeyOf<Owner>
    : T extends { readonly [key]?: infer K }
      ? K
      : never;

/** The id of a template's contracts. */
export type ContractIdOf<T> = T extends {
  readonly toInterface: (companion: never, contractId: infer Id) => unknown;
}
  ? Id
  : T extends { readonly decoder: unknown }
    ? string
    : ContractId<PayloadOf<T>>;

/** The argument of a choice. */
export type ArgumentOf<C> = C extends { readonly argumentEncode: (given: infer A) => unknown }
  ? A
  : C extends { readonly [argument]?: infer A }
    ? A
    : unknown;

/** The result of a choice. */
export type ResultOf<C> = C extends { readonly resultDecoder: Decoder<infer R> }
  ? R
  : C extends { readonly [result]?: infer R }
    ? R
    : unknown;

/** The ids of the contracts that a choice is exercised on. */
export type TargetOf<C> = C extends { readonly argumentEncode: unknown }
  ? string
  : C extends { readonly [contract]?: infer T }
    ? ContractId<T>
    : string;
