/**
 * A notation for Daml-LF expressions and updates in tests: `e.call(e.builtin('ADD_INT64'), e.int(1), e.var('x'))`.
 * Each part encodes itself into the current package. There are no checks, so tests can write ill-typed code.
 */
import { BUILTIN_TABLE } from '../../../src/daml/archive/builtin-table.js';
import type { LfInterning } from './lf-interning.js';
import type { LfTypeSpec } from './lf-types.js';
import { fixed, int, message, part, parts, sint, text } from './protobuf-bytes.js';

/** An expression: the bytes of its message in the package that `into` encodes. */
export type Code = (into: LfInterning) => Uint8Array;
export type PatternCode = { readonly encode: (into: LfInterning, body: Uint8Array) => Uint8Array };

const BUILTIN_NUMBERS = new Map<string, number>(
  [...BUILTIN_TABLE.values()].map(({ name, number }) => [name, number]),
);

/** Encodes itself once into a package with references, because others contain it often. */
const of = (field: number, inner: (into: LfInterning) => Uint8Array): Code => {
  let made: { readonly into: LfInterning; readonly reference: Uint8Array } | undefined;
  return (into) => {
    if (made?.into === into) return made.reference;
    const reference = into.expression(message(part(field, inner(into))));
    if (into.flat) made = { into, reference };
    return reference;
  };
};

const typeCon = (into: LfInterning, type: LfTypeSpec): Uint8Array => {
  const { id, args } = type as { id: string; args: readonly LfTypeSpec[] };
  return message(
    part(1, into.typeId(id)),
    parts(
      2,
      args.map((arg) => into.type(arg)),
    ),
  );
};

const variable = (into: LfInterning, name: string, type: LfTypeSpec): Uint8Array =>
  message(part(2, into.type(type)), int(3, into.string(name)));

const namedFields = (into: LfInterning, fields: Readonly<Record<string, Code>>): Uint8Array[] =>
  Object.entries(fields).map(([name, value]) =>
    message(part(2, value(into)), int(3, into.string(name))),
  );

const literal = (encode: (into: LfInterning) => Uint8Array): Code => of(6, encode);
const constant =
  (number: number): Code =>
  (into) =>
    into.expression(message(int(5, number)));
const conversion =
  (field: number) =>
  (type: LfTypeSpec, value: Code): Code =>
    of(field, (into) => message(part(1, into.type(type)), part(2, value(into))));
const toInterface =
  (field: number) =>
  (id: string, template: string, value: Code): Code =>
    of(field, (into) =>
      message(part(1, into.typeId(id)), part(2, into.typeId(template)), part(3, value(into))),
    );
const unsafely =
  (field: number) =>
  (id: string, template: string, contractId: Code, value: Code): Code =>
    of(field, (into) =>
      message(
        part(1, into.typeId(id)),
        part(2, into.typeId(template)),
        part(3, contractId(into)),
        part(4, value(into)),
      ),
    );
const viaInterface =
  (field: number) =>
  (id: string, value: Code): Code =>
    of(field, (into) => message(part(1, into.typeId(id)), part(2, value(into))));
const ofChoice =
  (field: number) =>
  (template: string, choice: string, contract: Code, argument: Code): Code =>
    of(field, (into) =>
      message(
        part(1, into.typeId(template)),
        int(2, into.string(choice)),
        part(3, contract(into)),
        part(4, argument(into)),
      ),
    );

/** `[name, type, bound]`; a binding without a name has no references. */
export type BindingCode = readonly [name: string | undefined, type: LfTypeSpec, bound: Code];

const block = (into: LfInterning, bindings: readonly BindingCode[], body: Code): Uint8Array =>
  message(
    parts(
      1,
      bindings.map(([name, type, bound]) =>
        message(part(1, variable(into, name ?? '_', type)), part(2, bound(into))),
      ),
    ),
    part(2, body(into)),
  );

export const e = {
  raw:
    (bytes: Uint8Array): Code =>
    (into) =>
      into.expression(bytes),
  unit: constant(0),
  false: constant(1),
  true: constant(2),
  bool: (value: boolean): Code => constant(value ? 2 : 1),
  var:
    (name: string): Code =>
    (into) =>
      into.expression(message(int(2, into.string(name)))),
  /** `Module:name`, or with a package id before. */
  value: (id: string): Code => of(3, (into) => into.typeId(id)),
  builtin: (name: string, ...types: LfTypeSpec[]): Code => {
    const number = BUILTIN_NUMBERS.get(name);
    if (number === undefined) throw new Error(`no builtin ${name}`);
    const bare: Code = (into) => into.expression(message(int(4, number)));
    return types.length === 0 ? bare : e.at(bare, ...types);
  },
  int: (value: number | bigint): Code => literal(() => message(sint(1, value))),
  timestamp: (micros: bigint): Code => literal(() => message(fixed(2, micros))),
  numeric: (digits: string): Code => literal((into) => message(int(3, into.string(digits)))),
  text: (value: string): Code => literal((into) => message(int(4, into.string(value)))),
  date: (days: number): Code => literal(() => message(int(5, days))),
  failureCategory: (category: 0 | 1): Code => literal(() => message(int(6, category))),
  roundingMode: (mode: number): Code => literal(() => message(int(1001, mode))),
  record: (type: LfTypeSpec, fields: Readonly<Record<string, Code>>): Code =>
    of(7, (into) => message(part(1, typeCon(into, type)), parts(2, namedFields(into, fields)))),
  field: (type: LfTypeSpec, name: string, record: Code): Code =>
    of(8, (into) =>
      message(part(1, typeCon(into, type)), part(3, record(into)), int(4, into.string(name))),
    ),
  with: (type: LfTypeSpec, name: string, record: Code, value: Code): Code =>
    of(9, (into) =>
      message(
        part(1, typeCon(into, type)),
        int(2, into.string(name)),
        part(3, record(into)),
        part(4, value(into)),
      ),
    ),
  variant: (type: LfTypeSpec, constructor_: string, argument: Code): Code =>
    of(10, (into) =>
      message(
        part(1, typeCon(into, type)),
        int(2, into.string(constructor_)),
        part(3, argument(into)),
      ),
    ),
  enum: (id: string, constructor_: string): Code =>
    of(11, (into) => message(part(1, into.typeId(id)), int(2, into.string(constructor_)))),
  struct: (fields: Readonly<Record<string, Code>>): Code =>
    of(12, (into) => message(parts(1, namedFields(into, fields)))),
  member: (name: string, struct: Code): Code =>
    of(13, (into) => message(int(1, into.string(name)), part(2, struct(into)))),
  withMember: (name: string, struct: Code, value: Code): Code =>
    of(14, (into) =>
      message(int(1, into.string(name)), part(2, struct(into)), part(3, value(into))),
    ),
  call: (fun: Code, ...args: Code[]): Code =>
    of(15, (into) =>
      message(
        part(1, fun(into)),
        parts(
          2,
          args.map((arg) => arg(into)),
        ),
      ),
    ),
  /** Applied to types. */
  at: (expression: Code, ...types: LfTypeSpec[]): Code => {
    const together: Code = of(16, (into) =>
      message(
        part(1, expression(into)),
        parts(
          2,
          types.map((type) => into.type(type)),
        ),
      ),
    );
    const [first, ...rest] = types;
    const apart = (): Code =>
      rest.reduce<Code>((fun, type) => e.at(fun, type), e.at(expression, first!));
    return (into) => (into.flat && types.length > 1 ? apart()(into) : together(into));
  },
  lambda: (params: Readonly<Record<string, LfTypeSpec>>, body: Code): Code => {
    const entries = Object.entries(params);
    const together: Code = of(17, (into) =>
      message(
        parts(
          1,
          entries.map(([name, type]) => variable(into, name, type)),
        ),
        part(2, body(into)),
      ),
    );
    const apart = (): Code =>
      entries.reduceRight<Code>((inner, [name, type]) => e.lambda({ [name]: type }, inner), body);
    return (into) => (into.flat && entries.length > 1 ? apart()(into) : together(into));
  },
  /** Abstracts over a type of kind `*`. */
  forType: (name: string, body: Code): Code =>
    of(18, (into) => message(part(1, into.typeVariable(name)), part(2, body(into)))),
  match: (scrutinee: Code, ...alternatives: (readonly [PatternCode, Code])[]): Code =>
    of(19, (into) =>
      message(
        part(1, scrutinee(into)),
        parts(
          2,
          alternatives.map(([pattern, body]) => pattern.encode(into, body(into))),
        ),
      ),
    ),
  if: (condition: Code, then: Code, otherwise: Code): Code =>
    e.match(condition, [p.true, then], [p.default, otherwise]),
  let: (bindings: readonly BindingCode[], body: Code): Code =>
    of(20, (into) => block(into, bindings, body)),
  nil: (type: LfTypeSpec): Code => of(21, (into) => message(part(1, into.type(type)))),
  cons: (type: LfTypeSpec, front: readonly Code[], tail: Code): Code =>
    of(22, (into) =>
      message(
        part(1, into.type(type)),
        parts(
          2,
          front.map((each) => each(into)),
        ),
        part(3, tail(into)),
      ),
    ),
  list: (type: LfTypeSpec, items: readonly Code[]): Code =>
    items.length === 0 ? e.nil(type) : e.cons(type, items, e.nil(type)),
  none: (type: LfTypeSpec): Code => of(25, (into) => message(part(1, into.type(type)))),
  some: conversion(26),
  toAny: conversion(27),
  fromAny: conversion(28),
  typeRep: (type: LfTypeSpec): Code => of(29, (into) => into.type(type)),
  toAnyException: conversion(30),
  fromAnyException: conversion(31),
  throw: (result: LfTypeSpec, type: LfTypeSpec, exception: Code): Code =>
    of(32, (into) =>
      message(part(1, into.type(result)), part(2, into.type(type)), part(3, exception(into))),
    ),
  toInterface: toInterface(33),
  fromInterface: toInterface(34),
  callInterface: (id: string, method: string, value: Code): Code =>
    of(35, (into) =>
      message(part(1, into.typeId(id)), int(2, into.string(method)), part(3, value(into))),
    ),
  signatoryInterface: viaInterface(36),
  observerInterface: viaInterface(37),
  viewInterface: viaInterface(38),
  unsafeFromInterface: unsafely(39),
  interfaceTypeRep: viaInterface(40),
  toRequiredInterface: toInterface(41),
  fromRequiredInterface: toInterface(42),
  unsafeFromRequiredInterface: unsafely(43),
  experimental: (name: string, type: LfTypeSpec): Code =>
    of(9999, (into) => message(text(1, name), part(2, into.type(type)))),
  choiceController: ofChoice(1001),
  choiceObserver: ofChoice(1002),
  /** The same expression with a source location. */
  located:
    (module: string, line: number, expression: Code): Code =>
    (into) => {
      const moduleId = message(
        part(1, message(part(1, message()))),
        int(2, into.dottedName(module)),
      );
      const range = message(int(1, line - 1), int(2, 0));
      const location = message(part(1, moduleId), part(2, range));
      return into.expression(
        Buffer.concat([message(part(1, location)), into.inPlace(expression(into))]),
      );
    },
};

const alternative = (field: number, inner: (into: LfInterning) => Uint8Array): PatternCode => ({
  encode: (into, body) => message(part(1, body), part(field, inner(into))),
});
const boolean = (value: boolean): PatternCode => ({
  encode: (_into, body) => message(part(1, body), int(4, value ? 2 : 1)),
});

/** Patterns of `e.match`. */
export const p = {
  default: alternative(2, () => message()),
  variant: (id: string, constructor_: string, binder: string) =>
    alternative(3, (into) =>
      message(
        part(1, into.typeId(id)),
        int(2, into.string(constructor_)),
        int(3, into.string(binder)),
      ),
    ),
  true: boolean(true),
  false: boolean(false),
  unit: {
    encode: (_into: LfInterning, body: Uint8Array) => message(part(1, body), int(4, 0)),
  },
  nil: alternative(5, () => message()),
  cons: (head: string, tail: string) =>
    alternative(6, (into) => message(int(1, into.string(head)), int(2, into.string(tail)))),
  none: alternative(7, () => message()),
  some: (binder: string) => alternative(8, (into) => message(int(1, into.string(binder)))),
  enum: (id: string, constructor_: string) =>
    alternative(9, (into) => message(part(1, into.typeId(id)), int(2, into.string(constructor_)))),
};

const update = (field: number, inner: (into: LfInterning) => Uint8Array): Code =>
  of(23, (into) => message(part(field, inner(into))));

/** Updates. */
export const u = {
  pure: (type: LfTypeSpec, value: Code): Code =>
    update(1, (into) => message(part(1, into.type(type)), part(2, value(into)))),
  block: (bindings: readonly BindingCode[], body: Code): Code =>
    update(2, (into) => block(into, bindings, body)),
  create: (template: string, payload: Code): Code =>
    update(3, (into) => message(part(1, into.typeId(template)), part(2, payload(into)))),
  exercise: (template: string, choice: string, contractId: Code, argument: Code): Code =>
    update(4, (into) =>
      message(
        part(1, into.typeId(template)),
        part(3, contractId(into)),
        part(5, argument(into)),
        int(6, into.string(choice)),
      ),
    ),
  fetch: (template: string, contractId: Code): Code =>
    update(5, (into) => message(part(1, into.typeId(template)), part(2, contractId(into)))),
  getTime: update(6, () => message()),
  embed: (type: LfTypeSpec, body: Code): Code =>
    update(7, (into) => message(part(1, into.type(type)), part(2, body(into)))),
  /** Functions of a key; the last has a number and a key. */
  lookupByKey: (template: string): Code =>
    update(8, (into) => message(part(1, into.typeId(template)))),
  fetchByKey: (template: string): Code =>
    update(9, (into) => message(part(1, into.typeId(template)))),
  queryNByKey: (template: string): Code =>
    update(16, (into) => message(part(1, into.typeId(template)))),
  exerciseByKey: (template: string, choice: string, key: Code, argument: Code): Code =>
    update(10, (into) =>
      message(
        part(1, into.typeId(template)),
        int(2, into.string(choice)),
        part(3, key(into)),
        part(4, argument(into)),
      ),
    ),
  tryCatch: (type: LfTypeSpec, body: Code, binder: string, handler: Code): Code =>
    update(11, (into) =>
      message(
        part(1, into.type(type)),
        part(2, body(into)),
        int(3, into.string(binder)),
        part(4, handler(into)),
      ),
    ),
  createInterface: (id: string, value: Code): Code =>
    update(12, (into) => message(part(1, into.typeId(id)), part(2, value(into)))),
  exerciseInterface: (
    id: string,
    choice: string,
    contractId: Code,
    argument: Code,
    guard?: Code,
  ): Code =>
    update(13, (into) =>
      message(
        part(1, into.typeId(id)),
        int(2, into.string(choice)),
        part(3, contractId(into)),
        part(4, argument(into)),
        guard && part(5, guard(into)),
      ),
    ),
  fetchInterface: (id: string, contractId: Code): Code =>
    update(14, (into) => message(part(1, into.typeId(id)), part(2, contractId(into)))),
  ledgerTimeLt: (time: Code): Code => update(15, (into) => time(into)),
};
