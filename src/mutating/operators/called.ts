/** A function and its arguments at a place, as the archive has them and as they were lowered. */
import type { LfExpression } from '../../daml/archive/code/expression.js';
import type { Expression } from '../../daml/lf/lowering/expression.js';
import { isDictionary, type Applied } from '../../daml/lf/probing/code-text.js';
import { unescaped } from '../../daml/lf/lowering/script-name.js';
import { splitTypeId } from '../../daml/model/types.js';
import type { Place } from './place.js';

export type Apply = Extract<Expression, { kind: 'apply' }>;

export interface Called extends Applied {
  readonly lowered: Apply;
  /** The arguments without dictionaries of type classes. */
  readonly shown: readonly LfExpression[];
}

/** The call of an expression; undefined if the arguments at the place are not the last ones of the call. */
export function calledAt(
  { reader }: Place,
  expression: LfExpression,
  lowered: Apply,
): Called | undefined {
  const applied = reader.text.applied(expression);
  if (applied.args.length < lowered.args.length) return undefined;
  return { ...applied, lowered, shown: applied.args.filter((each) => !isDictionary(each)) };
}

/** All arguments: those of a lifted definition, which contain no variables, then those at the place. */
export function allArguments(
  { by }: Place,
  { args, lowered }: Called,
  atoms: readonly Expression[],
): readonly Expression[] {
  const before = args.slice(0, args.length - lowered.args.length);
  return [...before.map((each) => by.lowerPlain(each)), ...atoms];
}

/** The operator of a class method, such as `+` for `$c+12`. */
export function methodOf({ form }: LfExpression): string | undefined {
  if (form.kind !== 'value') return undefined;
  return /^\$(?:c|dm)(.+?)\d*$/.exec(unescaped(splitTypeId(form.id).entity))?.[1];
}
