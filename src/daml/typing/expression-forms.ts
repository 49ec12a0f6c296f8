/** Types of the forms of expressions, by the number of the field of `Expr` that holds them. */
import { parseError } from '../archive/dar-refusals.js';
import type { ExpressionChecker } from './expression-checker.js';
import { fieldMismatch } from './field-mismatch.js';
import { INTERFACE_FORMS } from './interface-forms.js';
import { literalType } from './literals.js';
import { typeOfCase } from './patterns.js';
import { prettyType, showType } from './type-text.js';
import type { Type } from './type.js';
import { typeOfUpdate } from './updates.js';

export type Form = (checker: ExpressionChecker, start: number, end: number) => Type;

const typeOfApplication: Form = (c, start, end) => {
  const { code, types } = c;
  code.scan(start, end);
  let type = c.typeOf(code.starts[1]!, code.ends[1]!);
  let count = 0;
  for (let next = start; code.find(next, end, 2); count += 1) {
    next = code.partEnd;
    const { partStart, partEnd } = code;
    const isFunction = (one: Type): boolean =>
      one.tag === 'app' && one.function.tag === 'app' && one.function.function === types.arrow;
    const fun = isFunction(type) ? type : c.expand(type);
    if (!isFunction(fun))
      c.fail('EExpectedFunctionType', `expected function type, but found: ${prettyType(type)}`);
    c.checkExpression(partStart, partEnd, fun.function.argument);
    type = fun.argument;
  }
  c.requireSome(count, 'args');
  return type;
};

const typeOfLambda: Form = (c, start, end) => {
  const { code } = c;
  const mark = c.mark;
  const params: Type[] = [];
  for (let next = start; code.find(next, end, 1);) {
    next = code.partEnd;
    code.scan(code.partStart, code.partEnd);
    const name = code.starts[3]!;
    const type = code.type(code.starts[2]!, code.ends[2]!);
    c.checkType(type);
    c.bind(name, type);
    params.push(type);
  }
  c.requireSome(params.length, 'params');
  c.requireOne(params.length, 'params');
  code.scan(start, end);
  const body = c.typeOf(code.starts[2]!, code.ends[2]!);
  c.unbind(mark);
  return params.reduceRight((result, param) => c.types.fun(param, result), body);
};

const typeOfTypeLambda: Form = (c, start, end) => {
  const { code } = c;
  const outer = c.scope;
  for (let next = start; code.find(next, end, 1);) {
    next = code.partEnd;
    const [param] = code.lf.tables.params([code.view(code.partStart, code.partEnd)]);
    const [name, kind] = param!;
    c.checkKind(kind);
    c.scope = { outer: c.scope, name, kind };
  }
  const inner = c.scope;
  code.scan(start, end);
  let type = c.typeOf(code.starts[2]!, code.ends[2]!);
  let count = 0;
  for (let scope = inner; scope !== outer; scope = scope.outer!, count += 1)
    type = c.types.forall(scope.name, scope.kind!, type);
  c.requireSome(count, 'params');
  c.requireOne(count, 'params');
  c.scope = outer;
  return type;
};

const typeOfLet: Form = (c, start, end) => {
  const { code } = c;
  const mark = c.mark;
  let count = 0;
  for (let next = start; code.find(next, end, 1); count += 1) {
    next = code.partEnd;
    const { name, type, boundStart, boundEnd } = readBinding(c);
    c.checkType(type);
    c.bind(name, c.checkExpression(boundStart, boundEnd, type));
  }
  c.requireSome(count, 'bindings');
  code.scan(start, end);
  const body = c.typeOf(code.starts[2]!, code.ends[2]!);
  c.unbind(mark);
  return body;
};

export interface BindingPart {
  readonly name: number;
  readonly type: Type;
  readonly boundStart: number;
  readonly boundEnd: number;
}

/** The binding that was found last. */
export function readBinding({ code }: ExpressionChecker): BindingPart {
  code.scan(code.partStart, code.partEnd);
  const [boundStart, boundEnd] = [code.starts[2]!, code.ends[2]!];
  code.scan(code.starts[1]!, code.ends[1]!);
  const name = code.starts[3]!;
  const type = code.type(code.starts[2]!, code.ends[2]!);
  return { name, type, boundStart, boundEnd };
}

const expectedRecord = (c: ExpressionChecker, type: Type): never =>
  c.fail('EExpectedRecordType', `expected record type: * found: ${prettyType(type)}`);

const typeOfRecord: Form = (c, start, end) => {
  const { code } = c;
  code.scan(start, end);
  const instance = c.instance(code.starts[1]!, code.ends[1]!);
  const { data, type } = instance;
  if (data.lf.body.kind !== 'record') return expectedRecord(c, type);
  const names: string[] = [];
  for (let next = start; code.find(next, end, 2);) {
    next = code.partEnd;
    code.scan(code.partStart, code.partEnd);
    names.push(code.name(code.starts[3]!));
  }
  const fits =
    names.length === data.names.length && names.every((name, n) => name === data.names[n]);
  if (!fits) return fieldMismatch(c, start, end);
  let index = 0;
  for (let next = start; code.find(next, end, 2); index += 1) {
    next = code.partEnd;
    code.scan(code.partStart, code.partEnd);
    const expected = c.partType(instance.entity, type, instance.args, index);
    c.checkExpression(code.starts[2]!, code.ends[2]!, expected);
  }
  return type;
};

const unknownField = (c: ExpressionChecker, name: string, type: Type): never =>
  c.fail(
    'EUnknownField',
    `Tried to access nonexistent field ${name} on value of type ${showType(type)}`,
  );

const typeOfProjection: Form = (c, start, end) => {
  const { code } = c;
  code.scan(start, end);
  const [recordStart, recordEnd, field] = [code.starts[3]!, code.ends[3]!, code.starts[4]!];
  const { entity, data, args, type } = c.instance(code.starts[1]!, code.ends[1]!);
  if (data.lf.body.kind !== 'record') return expectedRecord(c, type);
  const name = code.name(field);
  const index = data.index(name) ?? unknownField(c, name, type);
  const result = c.partType(entity, type, args, index);
  c.checkExpression(recordStart, recordEnd, type);
  return result;
};

const typeOfRecordUpdate: Form = (c, start, end) => {
  const { code } = c;
  code.scan(start, end);
  const field = code.starts[2]!;
  const [recordStart, recordEnd] = [code.starts[3]!, code.ends[3]!];
  const [valueStart, valueEnd] = [code.starts[4]!, code.ends[4]!];
  const { entity, data, args, type } = c.instance(code.starts[1]!, code.ends[1]!);
  if (data.lf.body.kind !== 'record') return expectedRecord(c, type);
  c.checkExpression(recordStart, recordEnd, type);
  const name = code.name(field);
  const index = data.index(name) ?? unknownField(c, name, type);
  c.checkExpression(valueStart, valueEnd, c.partType(entity, type, args, index));
  return type;
};

const typeOfVariant: Form = (c, start, end) => {
  const { code } = c;
  code.scan(start, end);
  const [constructor_, argStart, argEnd] = [code.starts[2]!, code.starts[3]!, code.ends[3]!];
  const { entity, data, args, type } = c.instance(code.starts[1]!, code.ends[1]!);
  if (data.lf.body.kind !== 'variant')
    return c.fail('EExpectedVariantType', `expected variant type: ${prettyType(entity.type)}`);
  const name = code.name(constructor_);
  const index =
    data.index(name) ?? c.fail('EUnknownVariantCon', `unknown variant constructor: ${name}`);
  c.checkExpression(argStart, argEnd, c.partType(entity, type, args, index));
  return type;
};

const typeOfEnum: Form = (c, start, end) => {
  const { code } = c;
  code.scan(start, end);
  const name = code.name(code.starts[2]!);
  const entity = code.entity(code.starts[1]!, code.ends[1]!);
  const data = c.dataType(entity);
  if (data.lf.body.kind !== 'enum')
    return c.fail('EExpectedEnumType', `expected enum type: ${prettyType(entity.type)}`);
  if (data.index(name) === undefined)
    c.fail('EUnknownEnumCon', `unknown enum constructor: ${name}`);
  return entity.type;
};

const typeOfStruct: Form = (c, start, end) => {
  const { code } = c;
  const fields: [string, Type][] = [];
  for (let next = start; code.find(next, end, 1);) {
    next = code.partEnd;
    code.scan(code.partStart, code.partEnd);
    const name = code.name(code.starts[3]!);
    fields.push([name, c.typeOf(code.starts[2]!, code.ends[2]!)]);
  }
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

const typeOfMember: Form = (c, start, end) => {
  const { code } = c;
  code.scan(start, end);
  const name = code.name(code.starts[1]!);
  const type = c.typeOf(code.starts[2]!, code.ends[2]!);
  const struct = structOf(c, type);
  return struct.inner[struct.names.indexOf(name)] ?? unknownField(c, name, type);
};

const typeOfStructUpdate: Form = (c, start, end) => {
  const { code } = c;
  code.scan(start, end);
  const name = code.name(code.starts[1]!);
  const [valueStart, valueEnd] = [code.starts[3]!, code.ends[3]!];
  const type = c.typeOf(code.starts[2]!, code.ends[2]!);
  const struct = structOf(c, type);
  const member = struct.inner[struct.names.indexOf(name)] ?? unknownField(c, name, type);
  c.checkExpression(valueStart, valueEnd, member);
  return struct;
};

const typeOfCons: Form = (c, start, end) => {
  const { code } = c;
  code.scan(start, end);
  const [tailStart, tailEnd] = [code.starts[3]!, code.ends[3]!];
  const element = code.type(code.starts[1]!, code.ends[1]!);
  c.checkType(element);
  let count = 0;
  for (let next = start; code.find(next, end, 2); count += 1) {
    next = code.partEnd;
    c.checkExpression(code.partStart, code.partEnd, element);
  }
  c.requireSome(count, 'front');
  const list = c.types.app(c.types.list, element);
  c.checkExpression(tailStart, tailEnd, list);
  return list;
};

/** An empty list or optional: the type that it is of, and a message that holds nothing else. */
const typeOfEmpty =
  (container: 'list' | 'optional'): Form =>
  (c, start, end) => {
    const { code, types } = c;
    code.scan(start, end);
    const element = code.type(code.starts[1]!, code.ends[1]!);
    c.checkType(element);
    return types.app(types[container], element);
  };

const typeOfSome: Form = (c, start, end) => {
  const { code, types } = c;
  code.scan(start, end);
  const [valueStart, valueEnd] = [code.starts[2]!, code.ends[2]!];
  const type = code.type(code.starts[1]!, code.ends[1]!);
  c.checkType(type);
  c.checkExpression(valueStart, valueEnd, type);
  return types.app(types.optional, type);
};

/** A message of a type and an expression. */
function typed(c: ExpressionChecker, start: number, end: number): [Type, number, number] {
  const { code } = c;
  code.scan(start, end);
  const [valueStart, valueEnd] = [code.starts[2]!, code.ends[2]!];
  return [code.type(code.starts[1]!, code.ends[1]!), valueStart, valueEnd];
}

/** A type that `Any` may hold: without variables, quantifiers and synonyms; a constructor alone before 2.dev. */
function checkAnyType(c: ExpressionChecker, type: Type): void {
  const refuse = (found: Type): never =>
    c.fail('EExpectedAnyType', `expected a any type but found: ${prettyType(found)}`);
  const check = (part: Type): void => {
    if (part.tag === 'variable' || part.tag === 'forall' || part.tag === 'syn') refuse(part);
    if (!part.closed || !part.plain) part.inner.forEach(check);
  };
  if (c.code.lf.version.dev) check(type);
  else if (type.tag !== 'con') refuse(type);
  c.checkType(type);
}

function checkExceptionType(c: ExpressionChecker, type: Type): void {
  if (type.tag === 'con') c.entities.exception(c.entities.of(type));
  else
    c.fail('EExpectedExceptionType', `expected an exception type, but found: ${prettyType(type)}`);
}

const typeOfThrow: Form = (c, start, end) => {
  const { code } = c;
  code.scan(start, end);
  const [valueStart, valueEnd] = [code.starts[3]!, code.ends[3]!];
  const [exceptionStart, exceptionEnd] = [code.starts[2]!, code.ends[2]!];
  const result = code.type(code.starts[1]!, code.ends[1]!);
  const exception = code.type(exceptionStart, exceptionEnd);
  c.checkType(result);
  checkExceptionType(c, exception);
  c.checkExpression(valueStart, valueEnd, exception);
  return result;
};

export const FORMS: Readonly<Record<number, Form>> = {
  3: (c, start, end) => c.entities.valueType(c.code.entity(start, end)),
  4: (c, number) => {
    const type = c.builtinFunction(number);
    if (type === undefined)
      throw parseError('BuiltinFunction.UNRECOGNIZED, value looked up was UNRECOGNIZED');
    return type;
  },
  5: (c, constant) => {
    if (constant > 2) throw parseError('BuiltinCon.UNRECOGNIZED');
    return constant === 0 ? c.types.unit : c.types.bool;
  },
  6: literalType,
  7: typeOfRecord,
  8: typeOfProjection,
  9: typeOfRecordUpdate,
  10: typeOfVariant,
  11: typeOfEnum,
  12: typeOfStruct,
  13: typeOfMember,
  14: typeOfStructUpdate,
  15: typeOfApplication,
  17: typeOfLambda,
  18: typeOfTypeLambda,
  19: typeOfCase,
  20: typeOfLet,
  21: typeOfEmpty('list'),
  22: typeOfCons,
  23: typeOfUpdate,
  25: typeOfEmpty('optional'),
  26: typeOfSome,
  27: (c, start, end) => {
    const [type, valueStart, valueEnd] = typed(c, start, end);
    checkAnyType(c, type);
    c.checkExpression(valueStart, valueEnd, type);
    return c.types.any;
  },
  28: (c, start, end) => {
    const [type, valueStart, valueEnd] = typed(c, start, end);
    checkAnyType(c, type);
    c.checkExpression(valueStart, valueEnd, c.types.any);
    return c.types.app(c.types.optional, type);
  },
  29: (c, start, end) => {
    checkAnyType(c, c.code.type(start, end));
    return c.types.typeRep;
  },
  30: (c, start, end) => {
    const [type, valueStart, valueEnd] = typed(c, start, end);
    checkExceptionType(c, type);
    c.checkExpression(valueStart, valueEnd, type);
    return c.types.anyException;
  },
  31: (c, start, end) => {
    const [type, valueStart, valueEnd] = typed(c, start, end);
    checkExceptionType(c, type);
    c.checkExpression(valueStart, valueEnd, c.types.anyException);
    return c.types.app(c.types.optional, type);
  },
  32: typeOfThrow,
  ...INTERFACE_FORMS,
  9999: (c, start, end) => {
    const { code } = c;
    if (!code.lf.version.dev) throw code.lf.tables.notSupported('Unstable, experimental features');
    code.scan(start, end);
    return code.type(code.starts[2]!, code.ends[2]!);
  },
};
