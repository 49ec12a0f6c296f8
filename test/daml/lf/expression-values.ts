/** The values of many expressions of one type: as Ledger API JSON, or the code of their refusal. */
import { e, type Code } from '../../support/daml/lf-code.js';
import type { ModuleSpec } from '../../support/daml/lf-encoder.js';
import { evaluateEach, type Question, type Refusal } from '../../support/daml/lf-probe.js';
import type { LfTypeSpec } from '../../support/daml/lf-types.js';

export const ARITHMETIC = 'UNHANDLED_EXCEPTION/DA.Exception.ArithmeticError:ArithmeticError';

/** Of all in one package of that language version. A failed computation is `ArithmeticError`. */
export function valuesOf(
  type: LfTypeSpec,
  expressions: readonly Code[],
  lf: '3' | 'dev' = '3',
  more: ModuleSpec = {},
): unknown[] {
  const questions = Object.fromEntries(
    expressions.map((value, index): [string, Question] => [`Q${index}`, { type, value }]),
  );
  return Object.values(evaluateEach(questions, more, { lf })).map((answer) => {
    const refusal = answer as Partial<Refusal> | null;
    if (typeof refusal !== 'object' || refusal?.refused === undefined) return answer;
    return refusal.context?.['error_id'] === ARITHMETIC ? 'ArithmeticError' : refusal.refused;
  });
}

/** A builtin of the types that it is applied to, then of its arguments. */
export const call = (name: string, ...parts: (LfTypeSpec | Code)[]): Code => {
  const types = parts.filter((part): part is LfTypeSpec => typeof part !== 'function');
  const args = parts.filter((part): part is Code => typeof part === 'function');
  return e.call(e.builtin(name, ...types), ...args);
};
