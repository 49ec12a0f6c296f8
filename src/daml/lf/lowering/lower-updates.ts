/**
 * Lowers updates. An update is a function of a token: code outside the lambda runs at its evaluation, code inside runs with the update.
 * Ledger actions are operations of `actions.ts`.
 */
import type { LfExpression } from '../../archive/code/expression.js';
import type { FormOf } from '../../archive/code/form.js';
import type { SourceLocation } from '../../errors/source-location.js';
import type { TypeId } from '../../model/types.js';
import { Binding, isTotal, lambda, run, type Expression, type Operation } from './expression.js';
import type { LowerForms } from './lower-forms.js';
import type { Lowering } from './lowering.js';

/** An update with one action, whose arguments are evaluated before it runs. The last constant is its position. */
function action(
  name: string,
  constants: readonly unknown[],
  args: readonly Expression[],
): Expression {
  const lets: [Binding, Expression][] = [];
  const atoms = args.map((arg): Expression => {
    if (isTotal(arg)) return arg;
    const binding = new Binding();
    lets.push([binding, arg]);
    return { kind: 'variable', binding };
  });
  const at = constants.at(-1) as SourceLocation | undefined;
  const operation: Operation = { kind: 'operation', name, constants, args: atoms, calls: true, at };
  // Arguments are evaluated from last to first.
  return lets.reduce<Expression>(
    (body, [binding, bound]) => ({ kind: 'let', binding, bound, body }),
    lambda([new Binding()], operation),
  );
}

function pure(by: Lowering, form: FormOf<'pure'>): Expression {
  const value = by.lower(form.value);
  if (isTotal(value)) return lambda([new Binding()], value);
  const binding = new Binding();
  const body = lambda([new Binding()], { kind: 'variable', binding });
  return { kind: 'let', binding, bound: value, body };
}

/** The first action is evaluated with the block, the rest when it runs. */
function block(by: Lowering, { bindings, body }: FormOf<'block'>): Expression {
  const [head] = bindings;
  if (head === undefined) return by.lower(body);
  const first = by.lower(head.bound);
  const evaluated = new Binding();
  const from = (index: number): Expression => {
    const next = bindings[index];
    if (next === undefined) return run(by.lower(body), by.placeOf(body));
    const update: Expression =
      index > 0
        ? by.lower(next.bound)
        : isTotal(first)
          ? first
          : { kind: 'variable', binding: evaluated };
    const binding = new Binding();
    const inner = by.bound(next.binder.name, binding, () => from(index + 1));
    const bound = run(update, by.placeOf(next.bound));
    return { kind: 'let', binding, bound, body: inner, ...by.statement(next.bound) };
  };
  const whole = lambda([new Binding()], from(0));
  return isTotal(first) ? whole : { kind: 'let', binding: evaluated, bound: first, body: whole };
}

/** The handler returns an update to run instead, or none to throw again. */
function tryCatch(by: Lowering, form: FormOf<'tryCatch'>): Expression {
  const body = lambda([new Binding()], run(by.lower(form.body), by.placeOf(form.body)));
  const exception = new Binding();
  const chosen = by.bound(form.exception, exception, () => by.lower(form.handler));
  const operation: Operation = {
    kind: 'operation',
    name: 'tryCatch',
    constants: [],
    args: [body, lambda([exception], chosen)],
    calls: true,
  };
  return lambda([new Binding()], operation);
}

/** A lookup by key, as a function with this number of arguments. */
const keyed =
  (arity: number) =>
  (
    { location }: Lowering,
    { kind, id }: { readonly kind: string; readonly id: TypeId },
  ): Expression => {
    const params = Array.from({ length: arity }, () => new Binding());
    const args = params.map((binding): Expression => ({ kind: 'variable', binding }));
    const constants = [id, location];
    const operation: Operation = { kind: 'operation', name: kind, constants, args, calls: true };
    return lambda([...params, new Binding()], operation);
  };

const NOTHING: Expression = { kind: 'constant', value: null };

/** An action on one template or interface, with one argument. */
const onContract = (
  by: Lowering,
  { kind, id, value }: { readonly kind: string; readonly id: TypeId; readonly value: LfExpression },
): Expression => action(kind, [id, by.location], [by.lower(value)]);

const GET_TIME: Expression = {
  kind: 'operation',
  name: 'getTime',
  constants: [],
  args: [],
  calls: false,
};

export const LOWER_UPDATES = {
  pure,
  block,
  create: onContract,
  createInterface: (by, { value }) => action('createInterface', [by.location], [by.lower(value)]),
  fetch: onContract,
  fetchInterface: onContract,
  exercise: (by, { kind, id, choice, contractId, argument }) => {
    const args = [by.lower(contractId), by.lower(argument)];
    return action(kind, [id, choice, by.location], args);
  },
  // The guard is evaluated last.
  exerciseInterface: (by, { kind, id, choice, contractId, argument, guard }) => {
    const allows = guard === undefined ? NOTHING : by.lower(guard);
    const args = [allows, by.lower(contractId), by.lower(argument)];
    return action(kind, [id, choice, by.location], args);
  },
  exerciseByKey: (by, { kind, id, choice, key, argument }) => {
    const args = [by.lower(key), by.lower(argument)];
    return action(kind, [id, choice, by.location], args);
  },
  lookupByKey: keyed(1),
  fetchByKey: keyed(1),
  queryNByKey: keyed(2),
  getTime: () => lambda([new Binding()], GET_TIME),
  ledgerTimeLt: (by, { time }) => action('ledgerTimeLt', [], [by.lower(time)]),
  embed: (by, { body }) => lambda([new Binding()], run(by.lower(body), by.placeOf(body))),
  tryCatch,
} satisfies Partial<LowerForms>;
