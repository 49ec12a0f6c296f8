/** The literals in the code of a package. */
import { LfCode, type LfExpression } from '../../archive/code/expression.js';
import type { Literal } from '../../archive/code/form.js';
import type { LfPackage } from '../../archive/lf-package.js';
import { partsWithin } from '../../archive/code/parts-within.js';
import { partsOf } from './located.js';

/** In the order of the archive; the same literal may occur repeatedly. */
export function* literalsIn(lf: LfPackage): Generator<Literal, undefined> {
  const code = new LfCode(lf);
  for (const module of lf.modules.values()) {
    for (const [, { expression }] of module.values) yield* within(code.expression(expression));
    for (const bytes of partsOf(module)) yield* within(code.expression(bytes));
  }
}

function* within({ form }: LfExpression): Generator<Literal, undefined> {
  if (form.kind === 'literal') yield form.literal;
  for (const part of partsWithin(form)) yield* within(part);
}
