/** The objects of expressions, by the members of `Expr`; each reads its parts in the order in which the real decoder does. */
import { BUILTIN_TABLE } from '../../archive/builtin-table.js';
import { parseError } from '../../archive/dar-refusals.js';
import { lf2, type Lf2 } from '../../archive/lf-tables.js';
import { hasBuiltinFunction } from '../builtin-types.js';
import { builtinFunctionName } from './builtin-function-name.js';
import { caseObject } from './case-objects.js';
import type { Form, Forms } from './forms.js';
import { INTERFACE_OBJECTS } from './interface-objects.js';
import { builtinCon, literalObject } from './literal-objects.js';
import { immArray, scalaObject, scalaTuple, type ScalaPart } from './scala-object.js';
import { updateObject } from './update-objects.js';

const builtinFunction: Form<number> = ({ lf: { tables, version } }, number) => {
  const row = BUILTIN_TABLE.get(number);
  if (row === undefined)
    throw parseError('BuiltinFunction.UNRECOGNIZED, value looked up was UNRECOGNIZED');
  if (!hasBuiltinFunction(version, row)) throw tables.notSupported(`daml_lf_2.${row.name}`);
  return scalaObject('EBuiltinFun', builtinFunctionName(row.name));
};

const record: Form<Uint8Array> = (d, bytes) => {
  const { con, fields } = lf2.decode('Expr.RecCon', bytes);
  const type = d.typeConApp(con);
  return scalaObject('ERecCon', type, d.fields(fields));
};

const projection: Form<Uint8Array> = (d, bytes) => {
  const { con, field, record: value } = lf2.decode('Expr.RecProj', bytes);
  return scalaObject('ERecProj', d.typeConApp(con), d.name(field), d.expression(value));
};

const recordUpdate: Form<Uint8Array> = (d, bytes) => {
  const { con, field, record: value, update } = lf2.decode('Expr.RecUpd', bytes);
  const [type, name] = [d.typeConApp(con), d.name(field)];
  return scalaObject('ERecUpd', type, name, d.expression(value), d.expression(update));
};

const variant: Form<Uint8Array> = (d, bytes) => {
  const { con, constructor_, argument } = lf2.decode('Expr.VariantCon', bytes);
  const type = d.typeConApp(con);
  return scalaObject('EVariantCon', type, d.name(constructor_), d.expression(argument));
};

const enumeration: Form<Uint8Array> = (d, bytes) => {
  const { con, constructor_ } = lf2.decode('Expr.EnumCon', bytes);
  return scalaObject('EEnumCon', d.id(con), d.name(constructor_));
};

const structProjection: Form<Uint8Array> = (d, bytes) => {
  const { field, struct } = lf2.decode('Expr.StructProj', bytes);
  return scalaObject('EStructProj', d.name(field), d.expression(struct));
};

const structUpdate: Form<Uint8Array> = (d, bytes) => {
  const { field, struct, update } = lf2.decode('Expr.StructUpd', bytes);
  const name = d.name(field);
  return scalaObject('EStructUpd', name, d.expression(struct), d.expression(update));
};

const application: Form<Uint8Array> = (d, bytes) => {
  const { function: head, args } = lf2.decode('Expr.App', bytes);
  d.requireSome(args, 'args');
  const base = d.expression(head);
  return d.expressions(args).reduce((fun, arg) => scalaObject('EApp', fun, arg), base);
};

const typeApplication: Form<Uint8Array> = (d, bytes) => {
  const { expr, types } = lf2.decode('Expr.TyApp', bytes);
  d.requireOne(types, 'params');
  d.requireSome(types, 'args');
  const base = d.expression(expr);
  const args = types.map((type) => d.type(type));
  return args.reduce<ScalaPart>((fun, type) => scalaObject('ETyApp', fun, type), base);
};

const lambda: Form<Uint8Array> = (d, bytes) => {
  const { params, body } = lf2.decode('Expr.Abs', bytes);
  d.requireSome(params, 'params');
  d.requireOne(params, 'params');
  const base = d.expression(body);
  const binders = params.map((param) => scalaTuple(...d.binder(param)));
  return binders.reduceRight<ScalaPart>(
    (inner, binder) => scalaObject('EAbs', binder, inner),
    base,
  );
};

const typeLambda: Form<Uint8Array> = (d, bytes) => {
  const { params, body } = lf2.decode('Expr.TyAbs', bytes);
  d.requireSome(params, 'params');
  d.requireOne(params, 'params');
  const base = d.expression(body);
  const binders = d.typeVariables(params);
  return binders.reduceRight((inner, binder) => scalaObject('ETyAbs', binder, inner), base);
};

const letIn: Form<Uint8Array> = (d, bytes) => {
  const { bindings, body } = lf2.decode('Block', bytes);
  d.requireSome(bindings, 'bindings');
  const base = d.expression(body);
  const bound = d.bindings(bindings);
  return bound.reduceRight((inner, binding) => scalaObject('ELet', binding, inner), base);
};

const cons: Form<Uint8Array> = (d, bytes) => {
  const { type, front, tail } = lf2.decode('Expr.Cons', bytes);
  d.requireSome(front, 'front');
  const element = d.type(type);
  const items = immArray(d.expressions(front));
  return scalaObject('ECons', element, items, d.expression(tail));
};

/** Those of a type and an expression are messages of one shape. */
const typed =
  (name: string): Form<Uint8Array> =>
  (d, bytes) => {
    const { type, expr } = lf2.decode('Expr.ToAny', bytes);
    return scalaObject(name, d.type(type), d.expression(expr));
  };

const empty =
  (name: string): Form<Uint8Array> =>
  (d, bytes) =>
    scalaObject(name, d.type(lf2.decode('Expr.Nil', bytes).type));

const throws: Form<Uint8Array> = (d, bytes) => {
  const { returnType, exceptionType, exception } = lf2.decode('Expr.Throw', bytes);
  const [returns, type] = [d.type(returnType), d.type(exceptionType)];
  return scalaObject('EThrow', returns, type, d.expression(exception));
};

const experimental: Form<Uint8Array> = (d, bytes) => {
  if (!d.lf.version.dev) throw d.tables.notSupported('Unstable, experimental features');
  const { name, type } = lf2.decode('Expr.Experimental', bytes);
  return scalaObject('EExperimental', name, d.type(type));
};

export const EXPRESSIONS: Forms<Omit<Lf2<'Expr'>, 'location'>> = {
  variable: (d, name) => scalaObject('EVar', d.listedName(name)),
  value: (d, id) => scalaObject('EVal', d.id(id)),
  builtin: builtinFunction,
  builtinCon: (_, constant) => {
    if (constant > 2) throw parseError('BuiltinCon.UNRECOGNIZED');
    return scalaObject('EBuiltinCon', builtinCon(constant));
  },
  builtinLit: (d, bytes) => scalaObject('EBuiltinLit', literalObject(d, bytes)),
  recCon: record,
  recProj: projection,
  recUpd: recordUpdate,
  variantCon: variant,
  enumCon: enumeration,
  structCon: (d, bytes) =>
    scalaObject('EStructCon', d.fields(lf2.decode('Expr.StructCon', bytes).fields)),
  structProj: structProjection,
  structUpd: structUpdate,
  app: application,
  tyApp: typeApplication,
  abs: lambda,
  tyAbs: typeLambda,
  case: caseObject,
  let: letIn,
  nil: empty('ENil'),
  cons,
  update: (d, bytes) => scalaObject('EUpdate', updateObject(d, bytes)),
  none: empty('ENone'),
  some: typed('ESome'),
  toAny: typed('EToAny'),
  fromAny: typed('EFromAny'),
  typeRep: (d, type) => scalaObject('ETypeRep', d.type(type)),
  toAnyException: typed('EToAnyException'),
  fromAnyException: typed('EFromAnyException'),
  throw: throws,
  ...INTERFACE_OBJECTS,
  interned: (d, index) => d.internedExpression(index),
  experimental,
};
