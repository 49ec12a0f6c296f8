/** The explanation of a rejection, printed below the line of the error. */
import type { Explanation, TextOptions } from '../daml/errors/explanation.js';
import { LedgerError } from '../daml/errors/ledger-error.js';
import { isError } from '../daml/errors/realms.js';

/** The explanation of the error, or of its cause. */
function explanationOf(error: unknown): Explanation | undefined {
  if (error instanceof LedgerError) return error.explanation;
  return isError(error) ? explanationOf(error.cause) : undefined;
}

/** Lines with this indentation; empty without an explanation. */
export function explanationLines(
  error: unknown,
  indentation: string,
  options: TextOptions = {},
): readonly string[] {
  const text = explanationOf(error)?.body(options);
  return text === undefined ? [] : text.split('\n').map((line) => indentation + line);
}
