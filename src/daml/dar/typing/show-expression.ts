/**
 * Expressions as Scala prints their objects, `EVar(x)`: the one error text that holds expressions, of a record whose
 * fields do not match, has them so.
 */
import type { ExpressionChecker, Instance } from './expression-checker.js';
import { showType } from './type-text.js';

export function showTypeConApp({ entity, args }: Pick<Instance, 'entity' | 'args'>): string {
  return `TypeConApp(${entity.id},ImmArray(${args.map(showType).join(',')}))`;
}

/**
 * The fields of a record that is constructed, whose message is at this range.
 *
 * NOTE: the real text prints each field's expression whole; here it is told of variables alone, and is `…` else.
 */
export function showFields(checker: ExpressionChecker, start: number, end: number): string {
  const { code } = checker;
  const fields: string[] = [];
  for (let next = start; code.find(next, end, 2);) {
    next = code.partEnd;
    code.scan(code.partStart, code.partEnd);
    const name = code.name(code.starts[3]!);
    const variable = checker.variableName(code.starts[2]!, code.ends[2]!);
    fields.push(`(${name},${variable === undefined ? '…' : `EVar(${variable})`})`);
  }
  return `ImmArray(${fields.join(',')})`;
}
