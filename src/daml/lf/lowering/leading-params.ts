/** The number of arguments of a definition, as far as its beginning shows it. */
import type { LfExpression } from '../../archive/code/expression.js';
import type { Form } from '../../archive/code/form.js';
import { MAX_DEPTH } from '../../archive/code/limits.js';
import { MAX_MERGED_PARAMS } from './expression.js';
import { LOWER_UPDATES } from './lower-updates.js';

export interface LeadingParams {
  /** The number of parameters of the leading lambdas. */
  readonly count: number;
  /** Whether the compiled function has exactly these: the body is neither a lambda nor an update. */
  readonly isAll: boolean;
}

export function leadingParams(expression: LfExpression): LeadingParams {
  let count = 0;
  let { form } = expression;
  // Deeper nesting is an error when the whole expression is read.
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

/** Forms that may become a lambda: updates, conversions, and experimental forms. */
function mayBeFunction({ kind }: Form): boolean {
  return kind in LOWER_UPDATES || kind === 'toRequiredInterface' || kind === 'experimental';
}
