/** Builtins as function values, and as plain functions by number for saturated calls. */
import { BUILTIN_TABLE } from '../../archive/builtin-table.js';
import { BUILTINS } from '../builtins/builtins.js';
import { Code, Fun, type FastCode } from '../runtime/runtime-values.js';

/** By number: what a saturated call runs. */
export const builtinRuns: Record<number, unknown> = {};
/** By number: the function as a value, or the constant. */
export const builtinValues: Record<number, unknown> = {};

for (const { number, name } of BUILTIN_TABLE.values()) {
  const { arity, run, code, value, counts } = BUILTINS[name];
  builtinRuns[number] = run;
  if (arity === 0) builtinValues[number] = value;
  else {
    const body =
      code ?? new Code(fastOf(arity + (counts ? 1 : 0), run as (...args: unknown[]) => unknown));
    builtinValues[number] = new Fun(arity, body.fast, body, []);
  }
}

/**
 * Compiled code passes the closure first, and the machine and the depth last. @param arity including the machine, if
 * the function uses it
 */
function fastOf(arity: number, run: (...args: unknown[]) => unknown): FastCode {
  const fast: (...all: unknown[]) => unknown =
    arity === 1
      ? (_self, a) => run(a)
      : arity === 2
        ? (_self, a, b) => run(a, b)
        : arity === 3
          ? (_self, a, b, c) => run(a, b, c)
          : (_self, ...all) => run(...all.slice(0, arity));
  return fast as FastCode;
}
