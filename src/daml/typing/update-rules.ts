/** Types of updates. */
import type { LfExpression } from '../archive/code/expression.js';
import type { LfChoice } from '../archive/lf-definitions.js';
import type { TypeId } from '../model/types.js';
import type { ExpressionChecker } from './expression-checker.js';
import type { Rule, Rules } from './expression-rules.js';
import { prettyType } from './type-text.js';
import type { Type } from './type.js';

/** `(,)`, of the standard library's stable packages. */
const TUPLE2 = '5aee9b21b8e9a4c4975b5f4c4198e6e6e8469df49e2010820e792f393db870f4:DA.Types:Tuple2';

const updateOf = ({ types }: ExpressionChecker, type: Type): Type => types.app(types.update, type);
const contractIdOf = ({ types }: ExpressionChecker, type: Type): Type =>
  types.app(types.contractId, type);

const typeOfBlock: Rule<'block'> = (c, { bindings, body }) => {
  const { mark, types } = c;
  for (const { binder, bound } of bindings) {
    const type = c.type(binder.type);
    c.checkType(type);
    c.checkExpression(bound, updateOf(c, type));
    c.bind(binder.name, type);
  }
  const type = c.typeOf(body);
  c.unbind(mark);
  const isUpdate = (one: Type): boolean => one.tag === 'app' && one.function === types.update;
  const result = isUpdate(type) ? type : c.expand(type);
  if (isUpdate(result)) return result;
  return c.fail('EExpectedUpdateType', `expected update type, but found: ${prettyType(type)}`);
};

/** Creates by template and by interface, and fetches: the named type, and an expression. */
const onContract =
  (
    kind: 'template' | 'interface',
    expected: (c: ExpressionChecker, type: Type) => Type,
    result: (c: ExpressionChecker, type: Type) => Type,
  ) =>
  (c: ExpressionChecker, { id, value }: { readonly id: TypeId; readonly value: LfExpression }) => {
    const entity = c.entities.get(id);
    c.entities[kind](entity);
    c.checkExpression(value, expected(c, entity.type));
    return updateOf(c, result(c, entity.type));
  };

const same = (_: ExpressionChecker, type: Type): Type => type;

/** Checks the argument of a choice, and returns the type of the exercise. */
function exercised(c: ExpressionChecker, choice: LfChoice, argument: LfExpression): Type {
  c.checkExpression(argument, c.types.of(choice.argument));
  return updateOf(c, c.types.of(choice.returns));
}

const typeOfExercise: Rule<'exercise'> = (c, { id, choice: name, contractId, argument }) => {
  const template = c.entities.get(id);
  const choice = c.entities.templateChoice(template, name);
  c.checkExpression(contractId, contractIdOf(c, template.type));
  return exercised(c, choice, argument);
};

const typeOfExerciseInterface: Rule<'exerciseInterface'> = (c, form) => {
  const iface = c.entities.get(form.id);
  c.checkExpression(form.contractId, contractIdOf(c, iface.type));
  const choice = c.entities.interfaceChoice(iface, form.choice);
  const result = exercised(c, choice, form.argument);
  if (form.guard !== undefined)
    c.checkExpression(form.guard, c.types.fun(iface.type, c.types.bool));
  return result;
};

const typeOfExerciseByKey: Rule<'exerciseByKey'> = (c, { id, choice, key, argument }) => {
  const template = c.entities.get(id);
  c.checkExpression(key, c.entities.keyType(template));
  return exercised(c, c.entities.templateChoice(template, choice), argument);
};

/** Look-ups by key are functions of it; they find contracts with their ids. */
const byKey =
  (type: (c: ExpressionChecker, key: Type, contract: Type) => Type) =>
  (c: ExpressionChecker, { id }: { readonly id: TypeId }) => {
    const { types } = c;
    const template = c.entities.get(id);
    const key = c.entities.keyType(template);
    const pair = types.app(types.con(TUPLE2), contractIdOf(c, template.type));
    return type(c, key, types.app(pair, template.type));
  };

const typeOfTryCatch: Rule<'tryCatch'> = (c, { type, body, exception, handler }) => {
  const { types } = c;
  const result = c.type(type);
  c.checkType(result);
  const update = updateOf(c, result);
  c.checkExpression(body, update);
  const { mark } = c;
  c.bind(exception, types.anyException);
  c.checkExpression(handler, types.app(types.optional, update));
  c.unbind(mark);
  return update;
};

export const UPDATE_RULES = {
  pure: (c, { type: index, value }) => {
    const type = c.type(index);
    c.checkType(type);
    c.checkExpression(value, type);
    return updateOf(c, type);
  },
  block: typeOfBlock,
  create: onContract('template', same, contractIdOf),
  createInterface: onContract('interface', same, contractIdOf),
  fetch: onContract('template', contractIdOf, same),
  fetchInterface: onContract('interface', contractIdOf, same),
  exercise: typeOfExercise,
  exerciseInterface: typeOfExerciseInterface,
  exerciseByKey: typeOfExerciseByKey,
  // The look-up of the time when keys were unique.
  lookupByKey: (c, { id }) => {
    const { types } = c;
    const template = c.entities.get(id);
    const key = c.entities.keyType(template);
    return types.fun(key, updateOf(c, types.app(types.optional, contractIdOf(c, template.type))));
  },
  fetchByKey: byKey((c, key, contract) => c.types.fun(key, updateOf(c, contract))),
  queryNByKey: byKey((c, key, contract) => {
    const { types } = c;
    const found = types.app(types.optional, types.app(types.list, contract));
    return types.fun(types.int64, types.fun(key, updateOf(c, found)));
  }),
  getTime: (c) => updateOf(c, c.types.timestamp),
  ledgerTimeLt: (c, { time }) => {
    c.checkExpression(time, c.types.timestamp);
    return updateOf(c, c.types.bool);
  },
  embed: (c, { type, body }) => {
    const update = updateOf(c, c.type(type));
    c.checkExpression(body, update);
    return update;
  },
  tryCatch: typeOfTryCatch,
} satisfies Partial<Rules>;
