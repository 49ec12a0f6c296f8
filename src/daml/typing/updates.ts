/** Types of updates, by the number of the field of `Update` that holds them. */
import { parseError } from '../archive/dar-refusals.js';
import type { LfChoice } from '../archive/lf-definitions.js';
import { readBinding, type Form } from './expression-forms.js';
import type { ExpressionChecker } from './expression-checker.js';
import { prettyType } from './type-text.js';
import type { Type } from './type.js';

/** `(,)`, of the standard library's stable packages. */
const TUPLE2 = '5aee9b21b8e9a4c4975b5f4c4198e6e6e8469df49e2010820e792f393db870f4:DA.Types:Tuple2';

const updateOf = ({ types }: ExpressionChecker, type: Type): Type => types.app(types.update, type);
const contractIdOf = ({ types }: ExpressionChecker, type: Type): Type =>
  types.app(types.contractId, type);

const typeOfPure: Form = (c, start, end) => {
  const { code } = c;
  code.scan(start, end);
  const [valueStart, valueEnd] = [code.starts[2]!, code.ends[2]!];
  const type = code.type(code.starts[1]!, code.ends[1]!);
  c.checkType(type);
  c.checkExpression(valueStart, valueEnd, type);
  return updateOf(c, type);
};

const typeOfBlock: Form = (c, start, end) => {
  const { code, types } = c;
  const mark = c.mark;
  for (let next = start; code.find(next, end, 1);) {
    next = code.partEnd;
    const { name, type, boundStart, boundEnd } = readBinding(c);
    c.checkType(type);
    c.checkExpression(boundStart, boundEnd, updateOf(c, type));
    c.bind(name, type);
  }
  code.scan(start, end);
  const type = c.typeOf(code.starts[2]!, code.ends[2]!);
  c.unbind(mark);
  const isUpdate = (one: Type): boolean => one.tag === 'app' && one.function === types.update;
  const result = isUpdate(type) ? type : c.expand(type);
  if (isUpdate(result)) return result;
  return c.fail('EExpectedUpdateType', `expected update type, but found: ${prettyType(type)}`);
};

/** Creates by template and by interface, and fetches: what it names, and an expression. */
const onContract =
  (
    kind: 'template' | 'interface',
    expected: (c: ExpressionChecker, type: Type) => Type,
    result: (c: ExpressionChecker, type: Type) => Type,
  ): Form =>
  (c, start, end) => {
    const { code } = c;
    code.scan(start, end);
    const [valueStart, valueEnd] = [code.starts[2]!, code.ends[2]!];
    const entity = code.entity(code.starts[1]!, code.ends[1]!);
    c.entities[kind](entity);
    c.checkExpression(valueStart, valueEnd, expected(c, entity.type));
    return updateOf(c, result(c, entity.type));
  };

const same = (_: ExpressionChecker, type: Type): Type => type;

/** Checks a choice's argument, and answers what exercising it gives. */
function exercised(c: ExpressionChecker, choice: LfChoice, start: number, end: number): Type {
  c.checkExpression(start, end, c.types.of(choice.argument));
  return updateOf(c, c.types.of(choice.returns));
}

const typeOfExercise: Form = (c, start, end) => {
  const { code } = c;
  code.scan(start, end);
  const [idStart, idEnd] = [code.starts[3]!, code.ends[3]!];
  const [argStart, argEnd] = [code.starts[5]!, code.ends[5]!];
  const name = code.name(code.starts[6]!);
  const template = code.entity(code.starts[1]!, code.ends[1]!);
  const choice = c.entities.templateChoice(template, name);
  c.checkExpression(idStart, idEnd, contractIdOf(c, template.type));
  return exercised(c, choice, argStart, argEnd);
};

const typeOfExerciseInterface: Form = (c, start, end) => {
  const { code, types } = c;
  code.scan(start, end);
  const [idStart, idEnd] = [code.starts[3]!, code.ends[3]!];
  const [argStart, argEnd] = [code.starts[4]!, code.ends[4]!];
  const [guardStart, guardEnd] = [code.starts[5]!, code.ends[5]!];
  if (guardEnd > 0 && !code.lf.version.dev)
    throw code.lf.tables.notSupported('Guards in interfaces (case exerciseInterface.guard)');
  const name = code.name(code.starts[2]!);
  const iface = code.entity(code.starts[1]!, code.ends[1]!);
  c.checkExpression(idStart, idEnd, contractIdOf(c, iface.type));
  const choice = c.entities.interfaceChoice(iface, name);
  const result = exercised(c, choice, argStart, argEnd);
  if (guardEnd > 0) c.checkExpression(guardStart, guardEnd, types.fun(iface.type, types.bool));
  return result;
};

/** @param what the feature that the update is of */
function requireKeys({ code }: ExpressionChecker, what: string): void {
  if (!code.lf.version.contractKeys) throw code.lf.tables.notSupported(what);
}

const typeOfExerciseByKey: Form = (c, start, end) => {
  requireKeys(c, 'Exercise by key');
  const { code } = c;
  code.scan(start, end);
  const [keyStart, keyEnd] = [code.starts[3]!, code.ends[3]!];
  const [argStart, argEnd] = [code.starts[4]!, code.ends[4]!];
  const name = code.name(code.starts[2]!);
  const template = code.entity(code.starts[1]!, code.ends[1]!);
  c.checkExpression(keyStart, keyEnd, c.entities.keyType(template));
  return exercised(c, c.entities.templateChoice(template, name), argStart, argEnd);
};

/** Look-ups by key are functions of it; they find contracts with their ids. */
const byKey =
  (feature: string, type: (c: ExpressionChecker, key: Type, contract: Type) => Type): Form =>
  (c, start, end) => {
    requireKeys(c, feature);
    const { code, types } = c;
    code.scan(start, end);
    const template = code.entity(code.starts[1]!, code.ends[1]!);
    const key = c.entities.keyType(template);
    const pair = types.app(types.con(TUPLE2), contractIdOf(c, template.type));
    return type(c, key, types.app(pair, template.type));
  };

/** The look-up of the time when keys were unique. */
const typeOfLookupByKey: Form = (c, start, end) => {
  const { code, types } = c;
  if (!code.lf.version.dev) throw code.lf.tables.notSupported('Lookup by key');
  code.scan(start, end);
  const template = code.entity(code.starts[1]!, code.ends[1]!);
  const key = c.entities.keyType(template);
  const found = types.app(types.optional, contractIdOf(c, template.type));
  return types.fun(key, updateOf(c, found));
};

const typeOfTryCatch: Form = (c, start, end) => {
  const { code, types } = c;
  code.scan(start, end);
  const [tryStart, tryEnd] = [code.starts[2]!, code.ends[2]!];
  const binder = code.starts[3]!;
  const [catchStart, catchEnd] = [code.starts[4]!, code.ends[4]!];
  const result = code.type(code.starts[1]!, code.ends[1]!);
  c.checkType(result);
  const update = updateOf(c, result);
  c.checkExpression(tryStart, tryEnd, update);
  const mark = c.mark;
  c.bind(binder, types.anyException);
  c.checkExpression(catchStart, catchEnd, types.app(types.optional, update));
  c.unbind(mark);
  return update;
};

const UPDATES: Readonly<Record<number, Form>> = {
  1: typeOfPure,
  2: typeOfBlock,
  3: onContract('template', same, contractIdOf),
  4: typeOfExercise,
  5: onContract('template', contractIdOf, same),
  6: (c) => updateOf(c, c.types.timestamp),
  7: (c, start, end) => {
    const { code } = c;
    code.scan(start, end);
    const [valueStart, valueEnd] = [code.starts[2]!, code.ends[2]!];
    const update = updateOf(c, code.type(code.starts[1]!, code.ends[1]!));
    c.checkExpression(valueStart, valueEnd, update);
    return update;
  },
  8: typeOfLookupByKey,
  9: byKey('Fetch by key', (c, key, contract) => c.types.fun(key, updateOf(c, contract))),
  10: typeOfExerciseByKey,
  11: typeOfTryCatch,
  12: onContract('interface', same, contractIdOf),
  13: typeOfExerciseInterface,
  14: onContract('interface', contractIdOf, same),
  15: (c, start, end) => {
    c.checkExpression(start, end, c.types.timestamp);
    return updateOf(c, c.types.bool);
  },
  16: byKey('Non-unique contract keys', (c, key, contract) => {
    const { types } = c;
    const found = types.app(types.optional, types.app(types.list, contract));
    return types.fun(types.int64, types.fun(key, updateOf(c, found)));
  }),
};

export function typeOfUpdate(c: ExpressionChecker, start: number, end: number): Type {
  const { code } = c;
  code.at = start;
  let field = 0;
  let [from, to] = [0, 0];
  while (code.at < end) {
    field = code.varint() >>> 3;
    const length = code.varint();
    from = code.at;
    to = from + length;
    code.at = to;
  }
  const form = UPDATES[field];
  if (form === undefined) throw parseError('Update.SUM_NOT_SET');
  return form(c, from, to);
}
