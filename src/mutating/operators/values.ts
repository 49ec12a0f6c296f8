/** Constants that are one off, and updates of records that keep a field. */
import type { LfExpression } from '../../daml/archive/code/expression.js';
import type { FormOf, Literal } from '../../daml/archive/code/form.js';
import { withArguments, type Expression } from '../../daml/lf/lowering/expression.js';
import { int64 } from '../../daml/lf/runtime/int64.js';
import { Numeric } from '../../daml/model/numeric.js';
import { formatDate } from '../../daml/model/time.js';
import type { Place } from './place.js';

export function constant(
  place: Place,
  expression: LfExpression,
  { literal }: FormOf<'literal'>,
  lowered: Expression,
): Expression {
  const next = nextOf(literal);
  if (next === undefined) return lowered;
  const before = place.text(expression);
  const [value, after] = next;
  const changed: Expression = { kind: 'constant', value };
  return place.switched(lowered, [
    { operator: 'constant', before, after: after ?? `${before} + 1µs`, expression: changed },
  ]);
}

/** A value that is one higher, and its text. */
function nextOf(literal: Literal): readonly [value: unknown, text?: string] | undefined {
  switch (literal.type) {
    case 'Int64': {
      const next = BigInt.asIntN(64, literal.value + 1n);
      return [int64(next), String(next)];
    }
    case 'Numeric': {
      const { unscaled, scale } = literal.value;
      const next = new Numeric(unscaled + 10n ** BigInt(scale), scale);
      return [next, next.toString().replace(/(\.\d+?)0+$/, '$1')];
    }
    case 'Date':
      return [literal.value + 1, formatDate(literal.value + 1)];
    case 'Timestamp':
      return [int64(literal.value + 1n)];
    default:
      return undefined;
  }
}

export function update(
  place: Place,
  expression: LfExpression,
  { record }: FormOf<'recordUpdate'>,
  lowered: Extract<Expression, { kind: 'update' }>,
): Expression {
  const before = place.text(expression);
  const after = place.text(record);
  return withArguments([lowered.target, lowered.value], ([target, value]) =>
    place.switched({ ...lowered, target: target!, value: value! }, [
      { operator: 'drop-update', before, after, expression: target! },
    ]),
  );
}
