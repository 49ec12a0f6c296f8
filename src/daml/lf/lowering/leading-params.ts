/** How many arguments a definition takes, as far as that shows without reading all of it. */
import type { LfExpression } from '../../archive/code/expression.js';
import type { Form } from '../../archive/code/form.js';
import { MAX_DEPTH } from '../../archive/code/limits.js';
import { MAX_MERGED_PARAMS } from './expression.js';
import { LOWER_UPDATES } from './lower-updates.js';

export interface LeadingParams {
  /** Of the lambdas that the expression begins with. */
  readonly count: number;
  /** Whether the compiled function has just these: what is within is no lambda, and no update either. */
  readonly isAll: boolean;
}

export function leadingParams(expression: LfExpression): LeadingParams {
  let count = 0;
  let { form } = expression;
  // What nests deeper is refused where the expression is read whole.
  for (let level = 0; level < MAX_DEPTH; level += 1) {
    if (form.kind === 'typeApplication') form = form.head.form;
    else if (form.kind === 'typeLambda') form = form.body.form;
    else if (form.kind === 'lambda') {
      count += form.params.length;
      form = form.body.form;
    } else return { count, isAll: !mayBeFunction(form) && count <= MAX_MERGED_PARAMS };
  }
  return { count, isAll: false };
}

/** Forms that may become a lambda: updates, conversions, what is experimental. */
function mayBeFunction({ kind }: Form): boolean {
  return kind in LOWER_UPDATES || kind === 'toRequiredInterface' || kind === 'experimental';
}
