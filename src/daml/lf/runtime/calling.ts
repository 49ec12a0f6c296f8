/** Calls of compiled code whose number of arguments is not known before. */
import type { Machine } from './machine.js';
import type { FastCode, Fun } from './runtime-values.js';

export type AnyFast = (self: unknown, ...rest: unknown[]) => unknown;

/**
 * Calls code with exactly its arguments. NOTE: the cases avoid a spread that is not the last argument, which is slow;
 * few functions have more arguments.
 * @param self the closure; 0 for a definition
 */
export function callCode(
  fast: FastCode,
  self: Fun | 0,
  args: readonly unknown[],
  m: Machine,
  d: number,
): unknown {
  const code = fast as AnyFast;
  switch (args.length) {
    case 1:
      return code(self, args[0], m, d);
    case 2:
      return code(self, args[0], args[1], m, d);
    case 3:
      return code(self, args[0], args[1], args[2], m, d);
    case 4:
      return code(self, args[0], args[1], args[2], args[3], m, d);
    case 5:
      return code(self, args[0], args[1], args[2], args[3], args[4], m, d);
    case 6:
      return code(self, args[0], args[1], args[2], args[3], args[4], args[5], m, d);
    default:
      return code(self, ...args, m, d);
  }
}
