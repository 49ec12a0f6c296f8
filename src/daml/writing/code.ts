/** The expressions that written packages have. */
import type { TypeId } from '../model/types.js';
import { member, message, number, part, parts } from './message.js';
import type { CodeType, Tables } from './tables.js';

const ERROR = 1;

/** An expression of any type, which fails with the text when it runs. */
export function failure(into: Tables, type: CodeType, text: string): Uint8Array {
  const builtin = into.expression(member(4, ERROR));
  const typed = into.expression(part(16, message(part(1, builtin), part(2, into.type(type)))));
  const literal = into.expression(part(6, message(member(4, into.string(text)))));
  return into.expression(part(15, message(part(1, typed), part(2, literal))));
}

function variable(into: Tables, name: string): Uint8Array {
  return into.expression(member(2, into.string(name)));
}

export interface Binder {
  readonly name: string;
  readonly type: CodeType;
}

/** NOTE: with several parameters, as up to Daml-LF 2.1. */
export function lambda(into: Tables, binders: readonly Binder[], body: () => Uint8Array) {
  const bound = binders.map(({ name, type }) =>
    message(number(3, into.string(name)), part(2, into.type(type))),
  );
  return into.expression(part(17, message(parts(1, bound), part(2, body()))));
}

/** For type parameters of kind `*`. NOTE: with several parameters, as up to Daml-LF 2.1. */
export function typeAbstraction(
  into: Tables,
  params: readonly string[],
  body: () => Uint8Array,
): Uint8Array {
  if (params.length === 0) return body();
  const bound = params.map((param) => into.typeVariable(param));
  return into.expression(part(18, message(parts(1, bound), part(2, body()))));
}

type Type = Extract<CodeType, { kind: 'con' }>;

/** @param fields variables by the fields that they are the values of */
export function record(
  into: Tables,
  { id, args }: Type,
  fields: readonly (readonly [field: string, variable: string])[],
): Uint8Array {
  const type = into.constructorAt(id, args);
  const members = fields.map(([field, name]) =>
    message(number(3, into.string(field)), part(2, variable(into, name))),
  );
  return into.expression(part(7, message(part(1, type), parts(2, members))));
}

export function variant(
  into: Tables,
  { id, args }: Type,
  constructor: string,
  of: string,
): Uint8Array {
  const type = into.constructorAt(id, args);
  const tag = into.string(constructor);
  return into.expression(
    part(10, message(part(1, type), number(2, tag), part(3, variable(into, of)))),
  );
}

export function enumeration(into: Tables, { id }: Type, constructor: string): Uint8Array {
  const type = into.typeId(id);
  return into.expression(part(11, message(part(1, type), number(2, into.string(constructor)))));
}

export function projection(
  into: Tables,
  { id, args }: Type,
  field: string,
  of: string,
): Uint8Array {
  const type = into.constructorAt(id, args);
  const name = into.string(field);
  return into.expression(
    part(8, message(part(1, type), number(4, name), part(3, variable(into, of)))),
  );
}

/** A type at its own parameters. */
export function atItsParameters(id: TypeId, params: readonly string[]): Type {
  return { kind: 'con', id, args: params.map((name) => ({ kind: 'var', name })) };
}
