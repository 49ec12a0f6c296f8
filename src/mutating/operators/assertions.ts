/** Assertions that do not fail, and deadlines that are off by one microsecond. */
import {
  Binding,
  lambda,
  withArguments,
  type Expression,
} from '../../daml/lf/lowering/expression.js';
import { entityOf } from '../../daml/lf/probing/code-text.js';
import { UNIT } from '../../daml/model/values.js';
import type { LfExpression } from '../../daml/archive/code/expression.js';
import type { Called } from './called.js';
import { later } from './comparisons.js';
import { TRUE, type Change, type Place } from './place.js';
import { functionType, isBuiltin, isUnitAction, type FunctionType } from './value-types.js';

const REMOVED = '(removed)';
/** Functions of the standard library that compare a time with the ledger time. */
const TIME_CHECK = /^(?:assert(?:Within)?Deadline|isLedgerTime|assertDeadlineExceeded)/;

export function assertion(
  place: Place,
  called: Called,
  expression: LfExpression,
): Expression | undefined {
  const { head, args, lowered } = called;
  if (head.form.kind !== 'value') return undefined;
  const type = functionType(place.reader.definition, head.form.id);
  if (type === undefined || type.args.length !== args.length) return undefined;
  const name = entityOf(head.form.id);
  if (isBuiltin(type.args.at(-1), 'Bool') && isUnitAction(type.result)) {
    const before = place.text(expression);
    const condition = lowered.args.at(-1)!;
    const change: Change = { operator: 'drop-assertion', before, after: REMOVED, expression: TRUE };
    const always = place.switched(condition, [change], true);
    return { ...lowered, args: [...lowered.args.slice(0, -1), always] };
  }
  return TIME_CHECK.test(name) ? timeCheck(place, called, type, expression) : undefined;
}

function timeCheck(
  place: Place,
  { args, lowered }: Called,
  type: FunctionType,
  expression: LfExpression,
): Expression | undefined {
  const index = type.args.findIndex((each) => isBuiltin(each, 'Timestamp'));
  const at = index - (args.length - lowered.args.length);
  if (at < 0) return undefined;
  const before = place.text(expression);
  const moved = withArguments([lowered.args[at]!], ([time]) =>
    place.switched(
      time!,
      ([1, -1] as const).map((micros) => ({
        operator: 'time' as const,
        before,
        after: `${before} ${micros < 0 ? '-' : '+'} 1µs`,
        expression: later(time!, micros),
      })),
    ),
  );
  const original: Expression = { ...lowered, args: lowered.args.with(at, moved) };
  if (!isUpdate(type, args)) return original;
  const nothing = lambda([new Binding()], { kind: 'constant', value: UNIT });
  return place.switched(original, [
    { operator: 'drop-assertion', before, after: REMOVED, expression: nothing },
  ]);
}

/** Whether the call is an update: its type says so, or the instance that it is called with. */
function isUpdate({ result }: FunctionType, args: readonly LfExpression[]): boolean {
  if (!isUnitAction(result)) return false;
  if (result.tag === 'app' && isBuiltin(result.function, 'Update')) return true;
  return args.some(({ form }) => form.kind === 'value' && /Update$/.test(entityOf(form.id)));
}
