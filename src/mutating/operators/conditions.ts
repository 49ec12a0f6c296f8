/** Conditions that always have the same value, and operands of `&&` and `||` that are ignored. */
import type { LfExpression } from '../../daml/archive/code/expression.js';
import { Constant, type FormOf } from '../../daml/archive/code/form.js';
import type { Case, Expression } from '../../daml/lf/lowering/expression.js';
import { FALSE, TRUE, type Place } from './place.js';

export function condition(
  place: Place,
  expression: LfExpression,
  form: FormOf<'case'>,
  lowered: Case,
): Expression {
  const yes = alternativeOf(form, Constant.True);
  const no = alternativeOf(form, Constant.False);
  if (form.alternatives.length !== 2 || yes < 0 || no < 0 || yes === no) return lowered;
  const bodies = form.alternatives.map(({ body }) => body);
  const isAnd = isConstant(bodies[no]!, Constant.False);
  const isOr = isConstant(bodies[yes]!, Constant.True);
  if (isAnd && isOr) return lowered;
  const left = place.text(form.scrutinee);
  if (!isAnd && !isOr) {
    const before = `if ${left}`;
    const scrutinee = place.switched(
      lowered.scrutinee,
      [
        { operator: 'condition', before, after: 'if True', expression: TRUE },
        { operator: 'condition', before, after: 'if False', expression: FALSE },
      ],
      true,
    );
    return { ...lowered, scrutinee };
  }
  const before = place.text(expression);
  const ignored = isAnd ? TRUE : FALSE;
  const used = isAnd ? yes : no;
  const right = place.text(bodies[used]!);
  const scrutinee = place.switched(
    lowered.scrutinee,
    [{ operator: 'condition', before, after: right, expression: ignored }],
    true,
  );
  const alternatives = lowered.alternatives.map((each, index) =>
    index === used
      ? {
          ...each,
          body: place.switched(
            each.body,
            [{ operator: 'condition', before, after: left, expression: ignored }],
            true,
          ),
        }
      : each,
  );
  return { ...lowered, scrutinee, alternatives };
}

/** The index of the first alternative that matches. */
const alternativeOf = ({ alternatives }: FormOf<'case'>, value: Constant): number =>
  alternatives.findIndex(
    ({ pattern }) =>
      (pattern.kind === 'constant' && pattern.constant === value) ||
      (pattern.kind === 'default' &&
        alternatives.some(
          ({ pattern: other }) => other.kind === 'constant' && other.constant !== Constant.Unit,
        )),
  );

const isConstant = ({ form }: LfExpression, which: Constant): boolean =>
  form.kind === 'constant' && form.constant === which;
