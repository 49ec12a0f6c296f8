/** Writes the functions of standard library types: constructors of values, and selectors of record fields. */
import type { DataType } from '../model/types.js';
import {
  atItsParameters,
  enumeration,
  lambda,
  projection,
  record,
  typeAbstraction,
  variant,
  type Binder,
} from './code.js';
import { message, number, part } from './message.js';
import type { CodeType, Tables } from './tables.js';

export interface LibraryValue {
  /** The name of the type or of its constructor, or of the record to read. */
  readonly of: string;
  /** The field that it reads; absent for a constructor. */
  readonly field?: string;
  /** The names of its parameters; if absent, the names of the fields. */
  readonly params?: readonly string[];
  /** For a constructor of an enumeration: the name of its value. */
  readonly constant?: string;
}

export function writeLibraryValue(
  into: Tables,
  dataTypes: readonly DataType[],
  value: LibraryValue,
): Uint8Array {
  const type = typeOf(dataTypes, value);
  const { field, of, constant } = value;
  const made = atItsParameters(type.id, type.params);
  const name = into.dottedName(
    constant ?? (field === undefined ? `$$W${of}` : selectorName(field, of)),
  );
  const binders = bindersOf(type, value);
  const result = field === undefined ? made : binders.result!;
  const typed = message(
    number(1, name),
    part(2, into.type(forAll(type.params, functionType(binders.params, result)))),
  );
  const code = typeAbstraction(into, type.params, () =>
    constant === undefined
      ? lambda(into, binders.params, () => bodyOf(into, type, value, binders))
      : enumeration(into, made, of),
  );
  return message(part(2, typed), part(3, code));
}

/** Writes an exception, whose message is its field `message`. */
export function writeException(
  into: Tables,
  dataTypes: readonly DataType[],
  of: string,
): Uint8Array {
  const value = { of, field: 'message' };
  const type = typeOf(dataTypes, value);
  const name = into.dottedName(of);
  const binders = bindersOf(type, value);
  const term = lambda(into, binders.params, () => bodyOf(into, type, value, binders));
  return message(number(1, name), part(3, term));
}

function typeOf(dataTypes: readonly DataType[], { of }: LibraryValue): DataType {
  return dataTypes.find(({ id, body }) =>
    body.kind === 'variant'
      ? body.constructors.some(({ name }) => name === of)
      : id.endsWith(`:${of}`),
  )!;
}

function bodyOf(
  into: Tables,
  type: DataType,
  { field, of }: LibraryValue,
  { params }: Binders,
): Uint8Array {
  const made = atItsParameters(type.id, type.params);
  if (field !== undefined) return projection(into, made, field, params[0]!.name);
  if (type.body.kind === 'variant') return variant(into, made, of, params[0]!.name);
  return record(
    into,
    made,
    fieldsOf(type).map((each, index) => [each.name, params[index]!.name] as const),
  );
}

/** The selector's name with the escapes of the compiler. */
const selectorName = (field: string, of: string): string => `$$sel$u003a${field}$u003a${of}`;

function fieldsOf({ body }: DataType) {
  return body.kind === 'record' ? body.fields : [];
}

interface Binders {
  readonly params: readonly Binder[];
  readonly result?: CodeType;
}

function bindersOf(type: DataType, { of, field, params }: LibraryValue): Binders {
  if (field !== undefined) {
    const result = fieldsOf(type).find(({ name }) => name === field)!.type;
    return { params: [{ name: 'x', type: atItsParameters(type.id, type.params) }], result };
  }
  const parts =
    type.body.kind === 'variant'
      ? type.body.constructors.filter(({ name }) => name === of)
      : fieldsOf(type);
  return {
    params: parts.map((each, index) => ({ name: params?.[index] ?? each.name, type: each.type })),
  };
}

function functionType(params: readonly Binder[], result: CodeType): CodeType {
  return params.reduceRight<CodeType>(
    (to, { type: from }) => ({ kind: 'arrow', from, to }),
    result,
  );
}

function forAll(params: readonly string[], of: CodeType): CodeType {
  return params.length === 0 ? of : { kind: 'forall', params, of };
}
