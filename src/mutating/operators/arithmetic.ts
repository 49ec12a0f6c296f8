/** Calculations with the opposite operator. */
import type { BuiltinName } from '../../daml/archive/builtin-table.js';
import type { LfType } from '../../daml/archive/lf-type.js';
import { apply, withArguments, type Expression } from '../../daml/lf/lowering/expression.js';
import { unescaped } from '../../daml/lf/lowering/script-name.js';
import { splitTypeId, type TypeId } from '../../daml/model/types.js';
import { allArguments, methodOf, type Called } from './called.js';
import { builtin } from './comparisons.js';
import type { Place } from './place.js';

const BUILTINS: Readonly<Partial<Record<BuiltinName, readonly [string, BuiltinName, string]>>> = {
  ADD_INT64: ['+', 'SUB_INT64', '-'],
  SUB_INT64: ['-', 'ADD_INT64', '+'],
  MUL_INT64: ['*', 'DIV_INT64', '/'],
  DIV_INT64: ['/', 'MUL_INT64', '*'],
  ADD_NUMERIC: ['+', 'SUB_NUMERIC', '-'],
  SUB_NUMERIC: ['-', 'ADD_NUMERIC', '+'],
  MUL_NUMERIC: ['*', 'DIV_NUMERIC', '/'],
  DIV_NUMERIC: ['/', 'MUL_NUMERIC', '*'],
};
const OPPOSITE: Readonly<Record<string, string>> = { '+': '-', '-': '+', '*': '/', '/': '*' };

export function arithmetic(place: Place, called: Called): Expression | undefined {
  const { args, shown, lowered } = called;
  const found = opposite(place, called);
  if (found === undefined || shown.length !== 2 || args.length < 2) return undefined;
  const [sign, other, fun] = found;
  const [left, right] = args.slice(-2);
  const { text } = place.reader;
  const before = text.binary(left!, sign, right!);
  const after = text.binary(left!, other, right!);
  return withArguments(lowered.args, (atoms) => {
    const expression = apply(fun, allArguments(place, called, atoms));
    const original = apply(lowered.fun, atoms, lowered.at);
    return place.switched(original, [{ operator: 'arithmetic', before, after, expression }]);
  });
}

function opposite(
  place: Place,
  { head }: Called,
): readonly [sign: string, other: string, fun: Expression] | undefined {
  if (head.form.kind === 'builtin') {
    const row = BUILTINS[head.form.row.name];
    return row && [row[0], row[2], builtin(row[1])];
  }
  const sign = methodOf(head);
  const other = sign === undefined ? undefined : OPPOSITE[sign];
  if (head.form.kind !== 'value' || sign === undefined || other === undefined) return undefined;
  const id = methodWithType(place, head.form.id, other);
  if (id === undefined) return undefined;
  // The number of its name only matters for values of the package itself.
  const definition = place.by.context.value(id, -1);
  return [sign, other, { kind: 'definition', definition }];
}

/** The method with another operator in the same module and with the same type: that of the same instance. */
function methodWithType({ reader }: Place, id: TypeId, operator: string): TypeId | undefined {
  const { packageId, module, entity } = splitTypeId(id);
  const { lf, world } = reader.definition;
  if (packageId === lf.id) return undefined;
  const values = world.package(packageId)?.modules.get(module)?.values;
  const type = values?.get(entity)?.type;
  if (values === undefined || type === undefined) return undefined;
  const wanted = keyOf(type);
  for (const [name] of values) {
    const plain = unescaped(name);
    if (!plain.startsWith(`$c${operator}`) || !/^\d*$/.test(plain.slice(2 + operator.length)))
      continue;
    if (keyOf(values.get(name)!.type) === wanted) return `${packageId}:${module}:${name}` as TypeId;
  }
  return undefined;
}

const keyOf = (type: LfType): string => JSON.stringify(type);
