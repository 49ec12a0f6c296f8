/** Types of expressions, a rule for each form. */
import type { LfExpression } from '../archive/code/expression.js';
import { Constant, type ByForm, type Form, type FormOf } from '../archive/code/form.js';
import type { ExpressionChecker } from './expression-checker.js';
import { ExpressionText } from './expression-text.js';
import { INTERFACE_RULES } from './interface-rules.js';
import { literalType } from './literals.js';
import { typeOfCase } from './patterns.js';
import { prettyType, showType } from './type-text.js';
import type { Type } from './type.js';
import { UPDATE_RULES } from './update-rules.js';

export type Rules = ByForm<ExpressionChecker, Type>;
export type AnyRule = (checker: ExpressionChecker, form: Form, of: LfExpression) => Type;
/** The rule of one kind of form. */
export type Rule<Kind extends Form['kind']> = (c: ExpressionChecker, form: FormOf<Kind>) => Type;

const typeOfApplication: Rule<'application'> = (c, { fun: head, args }) => {
  const isFunction = (one: Type): boolean =>
    one.tag === 'app' && one.function.tag === 'app' && one.function.function === c.types.arrow;
  let type = c.typeOf(head);
  for (const arg of args) {
    const fun = isFunction(type) ? type : c.expand(type);
    if (!isFunction(fun))
      c.fail('EExpectedFunctionType', `expected function type, but found: ${prettyType(type)}`);
    c.checkExpression(arg, fun.function.argument);
    type = fun.argument;
  }
  return type;
};

const typeOfLambda: Rule<'lambda'> = (c, { params, body }) => {
  const { mark } = c;
  const types = params.map(({ name, type: index }) => {
    const type = c.type(index);
    c.checkType(type);
    c.bind(name, type);
    return type;
  });
  const result = c.typeOf(body);
  c.unbind(mark);
  return types.reduceRight((to, from) => c.types.fun(from, to), result);
};

const typeOfTypeLambda: Rule<'typeLambda'> = (c, { params, body }) => {
  const outer = c.scope;
  for (const [name, kind] of params) {
    c.checkKind(kind);
    c.scope = { outer: c.scope, name, kind };
  }
  const type = c.typeOf(body);
  c.scope = outer;
  return params.reduceRight((inner, [name, kind]) => c.types.forall(name, kind, inner), type);
};

const typeOfLet: Rule<'let'> = (c, { bindings, body }) => {
  const { mark } = c;
  for (const { binder, bound } of bindings) {
    const type = c.type(binder.type);
    c.checkType(type);
    c.bind(binder.name, c.checkExpression(bound, type));
  }
  const type = c.typeOf(body);
  c.unbind(mark);
  return type;
};

const expectedRecord = (c: ExpressionChecker, type: Type): never =>
  c.fail('EExpectedRecordType', `expected record type: * found: ${prettyType(type)}`);

function fieldMismatch(c: ExpressionChecker, { con, fields }: FormOf<'record'>): never {
  const text = new ExpressionText((index) => c.type(index));
  return c.fail(
    'EFieldMismatch',
    `field mismatch: * expected: ${text.con(con)} * record expression: ${text.fields(fields)}`,
  );
}

const typeOfRecord: Rule<'record'> = (c, form) => {
  const { fields } = form;
  const { entity, data, args, type } = c.instance(form.con);
  if (data.lf.body.kind !== 'record') return expectedRecord(c, type);
  const fits =
    fields.length === data.names.length &&
    fields.every(({ name }, index) => name === data.names[index]);
  if (!fits) return fieldMismatch(c, form);
  fields.forEach(({ value }, index) =>
    c.checkExpression(value, c.partType(entity, type, args, index)),
  );
  return type;
};

const unknownField = (c: ExpressionChecker, name: string, type: Type): never =>
  c.fail(
    'EUnknownField',
    `Tried to access nonexistent field ${name} on value of type ${showType(type)}`,
  );

const typeOfProjection: Rule<'projection'> = (c, { con, field, record }) => {
  const { entity, data, args, type } = c.instance(con);
  if (data.lf.body.kind !== 'record') return expectedRecord(c, type);
  const index = data.index(field) ?? unknownField(c, field, type);
  const result = c.partType(entity, type, args, index);
  c.checkExpression(record, type);
  return result;
};

const typeOfRecordUpdate: Rule<'recordUpdate'> = (c, { con, field, record, value }) => {
  const { entity, data, args, type } = c.instance(con);
  if (data.lf.body.kind !== 'record') return expectedRecord(c, type);
  c.checkExpression(record, type);
  const index = data.index(field) ?? unknownField(c, field, type);
  c.checkExpression(value, c.partType(entity, type, args, index));
  return type;
};

const typeOfVariant: Rule<'variant'> = (c, { con, name, value }) => {
  const { entity, data, args, type } = c.instance(con);
  if (data.lf.body.kind !== 'variant')
    return c.fail('EExpectedVariantType', `expected variant type: ${prettyType(entity.type)}`);
  const index =
    data.index(name) ?? c.fail('EUnknownVariantCon', `unknown variant constructor: ${name}`);
  c.checkExpression(value, c.partType(entity, type, args, index));
  return type;
};

const typeOfEnum: Rule<'enum'> = (c, { id, name }) => {
  const entity = c.entities.get(id);
  const data = c.dataType(entity);
  if (data.lf.body.kind !== 'enum')
    return c.fail('EExpectedEnumType', `expected enum type: ${prettyType(entity.type)}`);
  if (data.index(name) === undefined)
    c.fail('EUnknownEnumCon', `unknown enum constructor: ${name}`);
  return entity.type;
};

const typeOfStruct: Rule<'struct'> = (c, form) => {
  const fields = form.fields.map(({ name, value }) => [name, c.typeOf(value)] as const);
  // Compilers write them sorted.
  const isSorted = fields.every(([name], n) => n === 0 || fields[n - 1]![0] < name);
  if (!isSorted) fields.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const names = fields.map(([name]) => name);
  const twice = names.find((name, n) => name === names[n + 1]);
  if (twice !== undefined) return c.fail('EDuplicateField', `duplicate field: ${twice}`);
  return c.types.struct(
    names,
    fields.map(([, type]) => type),
  );
};

function structOf(c: ExpressionChecker, type: Type): Type {
  const struct = type.tag === 'struct' ? type : c.expand(type);
  if (struct.tag === 'struct') return struct;
  return c.fail('EExpectedStructType', `expected struct type, but found: ${prettyType(type)}`);
}

const typeOfMember: Rule<'member'> = (c, { field, struct }) => {
  const type = c.typeOf(struct);
  const { inner, names } = structOf(c, type);
  return inner[names.indexOf(field)] ?? unknownField(c, field, type);
};

const typeOfStructUpdate: Rule<'structUpdate'> = (c, { field, struct, value }) => {
  const type = c.typeOf(struct);
  const found = structOf(c, type);
  const member = found.inner[found.names.indexOf(field)] ?? unknownField(c, field, type);
  c.checkExpression(value, member);
  return found;
};

const typeOfCons: Rule<'cons'> = (c, { type, front, tail }) => {
  const element = c.type(type);
  c.checkType(element);
  for (const each of front) c.checkExpression(each, element);
  const list = c.types.app(c.types.list, element);
  c.checkExpression(tail, list);
  return list;
};

/** An empty list or optional: the type that it is of. */
const typeOfEmpty =
  (container: 'list' | 'optional'): Rule<'nil'> & Rule<'none'> =>
  (c: ExpressionChecker, { type }: { readonly type: number }) => {
    const element = c.type(type);
    c.checkType(element);
    return c.types.app(c.types[container], element);
  };

const typeOfSome: Rule<'some'> = (c, { type: index, value }) => {
  const type = c.type(index);
  c.checkType(type);
  c.checkExpression(value, type);
  return c.types.app(c.types.optional, type);
};

/** A type that `Any` may hold: without variables, quantifiers and synonyms; a constructor alone before 2.dev. */
function anyType(c: ExpressionChecker, index: number): Type {
  const type = c.type(index);
  const refuse = (found: Type): never =>
    c.fail('EExpectedAnyType', `expected a any type but found: ${prettyType(found)}`);
  const check = (part: Type): void => {
    if (part.tag === 'variable' || part.tag === 'forall' || part.tag === 'syn') refuse(part);
    if (!part.closed || !part.plain) part.inner.forEach(check);
  };
  if (c.lf.version.dev) check(type);
  else if (type.tag !== 'con') refuse(type);
  c.checkType(type);
  return type;
}

function exceptionType(c: ExpressionChecker, index: number): Type {
  const type = c.type(index);
  if (type.tag === 'con') c.entities.exception(c.entities.of(type));
  else
    c.fail('EExpectedExceptionType', `expected an exception type, but found: ${prettyType(type)}`);
  return type;
}

const typeOfThrow: Rule<'throw'> = (c, { returns, exception, value }) => {
  const result = c.type(returns);
  c.checkType(result);
  c.checkExpression(value, exceptionType(c, exception));
  return result;
};

export const RULES: Rules = {
  variable: (c, { name }) => c.variable(name),
  value: (c, { id }) => c.entities.valueType(c.entities.get(id)),
  builtin: (c, { row }) => c.builtinFunction(row),
  constant: ({ types }, { constant }) => (constant === Constant.Unit ? types.unit : types.bool),
  literal: ({ types }, { literal }) => literalType(types, literal),
  record: typeOfRecord,
  projection: typeOfProjection,
  recordUpdate: typeOfRecordUpdate,
  variant: typeOfVariant,
  enum: typeOfEnum,
  struct: typeOfStruct,
  member: typeOfMember,
  structUpdate: typeOfStructUpdate,
  application: typeOfApplication,
  typeApplication: (c, form) => c.typeApplication(form),
  lambda: typeOfLambda,
  typeLambda: typeOfTypeLambda,
  case: typeOfCase,
  let: typeOfLet,
  nil: typeOfEmpty('list'),
  none: typeOfEmpty('optional'),
  cons: typeOfCons,
  some: typeOfSome,
  toAny: (c, { type, value }) => {
    c.checkExpression(value, anyType(c, type));
    return c.types.any;
  },
  fromAny: (c, { type: index, value }) => {
    const type = anyType(c, index);
    c.checkExpression(value, c.types.any);
    return c.types.app(c.types.optional, type);
  },
  typeRep: (c, { type }) => {
    anyType(c, type);
    return c.types.typeRep;
  },
  toAnyException: (c, { type, value }) => {
    c.checkExpression(value, exceptionType(c, type));
    return c.types.anyException;
  },
  fromAnyException: (c, { type: index, value }) => {
    const type = exceptionType(c, index);
    c.checkExpression(value, c.types.anyException);
    return c.types.app(c.types.optional, type);
  },
  throw: typeOfThrow,
  experimental: (c, { type }) => c.type(type),
  ...INTERFACE_RULES,
  ...UPDATE_RULES,
};
