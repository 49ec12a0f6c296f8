/** Lowers each form of expression. Types are erased unless the runtime needs them. */
import type { BuiltinName } from '../../archive/builtin-table.js';
import type { LfExpression } from '../../archive/code/expression.js';
import {
  Constant,
  type ByForm,
  type Form,
  type FormOf,
  type LfAlternative,
  type LfPattern,
  type Literal,
} from '../../archive/code/form.js';
import { typeCon, unapply } from '../../archive/lf-type.js';
import type { TypeId } from '../../model/types.js';
import { UNIT } from '../../model/values.js';
import { int64 } from '../runtime/int64.js';
import { NIL, structKey, TypeRep } from '../runtime/runtime-values.js';
import {
  apply,
  Binding,
  lambda,
  type Alternative,
  type Expression,
  type Pattern,
} from './expression.js';
import { LOWER_UPDATES } from './lower-updates.js';
import type { Lowering } from './lowering.js';

export type LowerForms = ByForm<Lowering, Expression>;
export type AnyLower = (by: Lowering, form: Form, of: LfExpression) => Expression;
/** For one kind of form. */
type Lower<Kind extends Form['kind']> = (by: Lowering, form: FormOf<Kind>) => Expression;

const lowerLambda: Lower<'lambda'> = (by, { params, body }) => {
  const bindings = params.map(() => new Binding());
  const names = params.map(({ name }) => name);
  return lambda(
    bindings,
    by.within(names, bindings, () => by.lower(body)),
  );
};

const lowerLet: Lower<'let'> = (by, { bindings, body }) => {
  const from = (index: number): Expression => {
    const next = bindings[index];
    if (next === undefined) return by.lower(body);
    const bound = by.lower(next.bound);
    const binding = new Binding();
    const inner = by.bound(next.binder.name, binding, () => from(index + 1));
    return { kind: 'let', binding, bound, body: inner, ...by.statement(next.bound) };
  };
  return from(0);
};

function alternative(by: Lowering, { pattern, body }: LfAlternative): Alternative {
  const names = variablesOf(pattern);
  const bindings = names.map(() => new Binding());
  const inner = by.within(names, bindings, () => by.lower(body));
  return { pattern: patternOf(by, pattern), bindings, body: inner };
}

function variablesOf(pattern: LfPattern): readonly string[] {
  if (pattern.kind === 'cons') return [pattern.head, pattern.tail];
  return 'binder' in pattern ? [pattern.binder] : [];
}

function patternOf({ context }: Lowering, pattern: LfPattern): Pattern {
  switch (pattern.kind) {
    case 'variant':
    case 'enum': {
      const rank = context.rank(pattern.id, pattern.name);
      return { kind: 'rank', rank, variant: pattern.kind === 'variant' };
    }
    case 'constant':
      return { kind: 'constant', value: constant(pattern.constant) };
    default:
      return { kind: pattern.kind };
  }
}

function constant(of: Constant): unknown {
  return of === Constant.Unit ? UNIT : of === Constant.True;
}

/** Indexed by their numbers in archives. */
const FAILURE_CATEGORIES = [8, 9];

function literal(of: Literal): unknown {
  switch (of.type) {
    case 'Int64':
    case 'Timestamp':
      return int64(of.value);
    case 'FailureCategory':
      return FAILURE_CATEGORIES[of.value];
    default:
      return of.value;
  }
}

/** Builtins with an inlined form for values of a builtin type. */
const COMPARISONS: readonly BuiltinName[] = ['EQUAL', 'LESS_EQ', 'LESS', 'GREATER_EQ', 'GREATER'];

const lowerTypeApplication: Lower<'typeApplication'> = (by, { head, types }) => {
  const lowered = by.lower(head);
  if (lowered.kind === 'counted') return { ...lowered, body: ofType(by, lowered.body, types) };
  return ofType(by, lowered, types);
};

/** A function applied to types. */
function ofType(by: Lowering, lowered: Expression, types: readonly number[]): Expression {
  if (lowered.kind !== 'builtin' || lowered.type !== undefined) return lowered;
  if (!COMPARISONS.includes(lowered.row.name)) return lowered;
  const { head } = unapply(by.context.type(types[0]!));
  return { ...lowered, type: head.tag === 'builtin' ? head.name : undefined };
}

const anyOperation =
  (name: 'toAny' | 'fromAny') =>
  (by: Lowering, { type, value }: { readonly type: number; readonly value: LfExpression }) =>
    by.operation(name, [by.typeRep(type)], [value], { total: true });

const ofInterface = (
  by: Lowering,
  {
    kind,
    id,
    value,
  }: FormOf<'signatoryInterface'> | FormOf<'observerInterface'> | FormOf<'viewInterface'>,
) => by.operation(kind, [id], [value], { calls: true });

const ofChoice = (
  by: Lowering,
  { kind, id, choice, contract, argument }: FormOf<'choiceController'> | FormOf<'choiceObserver'>,
) => by.operation(kind, [id, choice], [contract, argument], { calls: true });

const fieldIndex = ({ context }: Lowering, { id }: { readonly id: TypeId }, field: string) =>
  context.fieldIndex(id, field);

export const FORMS: LowerForms = {
  variable: (by, { name }) => by.variable(name),
  value: ({ context, home }, { id, number }) => ({
    kind: 'definition',
    definition: context.value(id, number, home),
  }),
  builtin: (_, { row }) => ({ kind: 'builtin', row, type: undefined }),
  constant: (_, form) => ({ kind: 'constant', value: constant(form.constant) }),
  literal: (_, form) => ({ kind: 'constant', value: literal(form.literal) }),
  record: (by, { fields }) => ({
    kind: 'record',
    fields: fields.map(({ value }) => by.lower(value)),
  }),
  projection: (by, { con, field, record }) => {
    const index = fieldIndex(by, con, field);
    return { kind: 'project', index, record: by.lower(record) };
  },
  recordUpdate: (by, { con, field, record, value }) => {
    const key = `p${fieldIndex(by, con, field)}`;
    return { kind: 'update', key, target: by.lower(record), value: by.lower(value) };
  },
  variant: (by, { con, name, value }) => {
    const rank = by.context.rank(con.id, name);
    return { kind: 'variant', rank, value: by.lower(value) };
  },
  enum: ({ context }, { id, name }) => ({ kind: 'constant', value: context.rank(id, name) }),
  struct: (by, { fields }) => ({
    kind: 'struct',
    names: fields.map(({ name }) => name),
    fields: fields.map(({ value }) => by.lower(value)),
  }),
  member: (by, { field, struct }) => ({
    kind: 'member',
    key: structKey(field),
    struct: by.lower(struct),
  }),
  structUpdate: (by, { field, struct, value }) => ({
    kind: 'update',
    key: structKey(field),
    target: by.lower(struct),
    value: by.lower(value),
  }),
  application: (by, { fun, args }) => {
    const lowered = args.map((arg) => by.lower(arg));
    return apply(by.lower(fun), lowered, by.location);
  },
  typeApplication: lowerTypeApplication,
  lambda: lowerLambda,
  typeLambda: (by, { body }) => by.lower(body),
  case: (by, { scrutinee, alternatives }) => ({
    kind: 'case',
    alternatives: alternatives.map((each) => alternative(by, each)),
    scrutinee: by.lower(scrutinee),
  }),
  let: lowerLet,
  nil: () => ({ kind: 'constant', value: NIL }),
  cons: (by, { front, tail }) => ({
    kind: 'cons',
    front: front.map((each) => by.lower(each)),
    tail: by.lower(tail),
  }),
  none: () => ({ kind: 'constant', value: null }),
  some: (by, { value }) => ({ kind: 'some', value: by.lower(value) }),
  toAny: anyOperation('toAny'),
  fromAny: anyOperation('fromAny'),
  typeRep: (by, { type }) => ({ kind: 'constant', value: by.typeRep(type) }),
  toAnyException: anyOperation('toAny'),
  fromAnyException: anyOperation('fromAny'),
  throw: (by, { exception, value }) =>
    by.operation('throwException', [by.typeRep(exception)], [value]),
  toInterface: (by, { templateId, value }) =>
    by.operation('toInterface', [TypeRep.of(typeCon(templateId))], [value], { total: true }),
  fromInterface: (by, { templateId, value }) =>
    by.operation('fromInterface', [templateId], [value]),
  unsafeFromInterface: (by, { templateId, contractId, value }) =>
    by.operation('unsafeFromInterface', [templateId], [contractId, value]),
  // A value of an interface is also a value of the interfaces that it requires.
  toRequiredInterface: (by, { value }) => by.lower(value),
  fromRequiredInterface: (by, { requiring, value }) =>
    by.operation('fromRequiredInterface', [requiring], [value]),
  unsafeFromRequiredInterface: (by, { required, requiring, contractId, value }) =>
    by.operation('unsafeFromRequiredInterface', [required, requiring], [contractId, value]),
  callInterface: (by, { id, method, value }) =>
    by.operation('callInterface', [id, method], [value], { calls: true }),
  signatoryInterface: ofInterface,
  observerInterface: ofInterface,
  viewInterface: ofInterface,
  interfaceTypeRep: (by, { value }) =>
    by.operation('interfaceTypeRep', [], [value], { total: true }),
  choiceController: ofChoice,
  choiceObserver: ofChoice,
  experimental: (_, { name }) =>
    name === 'ANSWER'
      ? lambda([new Binding()], { kind: 'constant', value: 42 })
      : { kind: 'operation', name: 'experimental', constants: [name], args: [], calls: false },
  ...LOWER_UPDATES,
};
