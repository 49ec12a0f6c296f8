/** Kinds of failures of Daml code: crashes, which are mistakes of the model, and refusals, which are its rules. */
import type { LedgerError } from '../../daml/errors/ledger-error.js';
import type { Command } from '../../daml/model/transaction.js';
import { qualifiedNameOf } from '../../daml/model/types.js';

/**
 * - `zero`: a division by zero
 * - `overflow`: a number beyond its bounds
 * - `partial`: a partial function of the standard library, such as `head`, or a pattern that does not match
 * - `incomparable`: a comparison of values that have no order, such as functions
 * - `ensure`: an `ensure` clause
 * - `time`: more calls than the limit
 */
export type CrashKind = 'zero' | 'overflow' | 'partial' | 'incomparable' | 'ensure' | 'time';

const ARITHMETIC = 'DA.Exception.ArithmeticError:ArithmeticError';
const GENERAL = 'DA.Exception.GeneralError:GeneralError';

/**
 * The messages of the standard library's partial functions, and of the compiler for patterns that do not match.
 * Other messages of `error` and `abort` are texts of the model, with which it refuses bad input.
 */
const PARTIAL =
  /: empty (list|input|stack)|^fromSome|^fromLeft: |^fromRight: |^Prelude\.|\b(head|last|init|tail|maximum|minimum|foldl1|foldr1)\S*: empty|[Nn]on-exhaustive|[Pp]attern match failure|\|hd :: tl|the first argument cannot be empty/;
const DIVISION = /\((?:DIV|MOD)_(?:INT64|NUMERIC) [^)]* -?0(?:\.0*)?\)/;

/** Undefined for a refusal of the model or the ledger. */
export function crashOf({ code, details }: LedgerError): CrashKind | undefined {
  switch (code) {
    case 'TEMPLATE_PRECONDITION_VIOLATED':
      return 'ensure';
    case 'INTERPRETATION_TIME_EXCEEDED':
      return 'time';
    case 'NON_COMPARABLE_VALUES':
      return 'incomparable';
    case 'DAML_FAILURE': {
      const id = details.context?.['error_id'] ?? '';
      if (id.endsWith(ARITHMETIC)) return DIVISION.test(details.cause) ? 'zero' : 'overflow';
      return id.endsWith(GENERAL) && PARTIAL.test(messageIn(details.cause)) ? 'partial' : undefined;
    }
    case 'INTERPRETATION_USER_ERROR':
      return PARTIAL.test(messageIn(details.cause)) ? 'partial' : undefined;
    default:
      return undefined;
  }
}

/** The message of the Daml code in the cause of an error, in one line. */
export function messageIn(cause: string): string {
  const own = cause.replace(/^.*?(\(error category \d+\)|User abort): /s, '');
  return own.trim().replaceAll(/\s+/g, ' ');
}

/** `Module:Template.Choice` of the innermost choice around a failure; the command's if the error has no choice. */
export function failingPlace({ details }: LedgerError, command: Command | undefined): string {
  const trace = details.context?.['exercise_trace'] ?? details.cause;
  const choice = /in choice [0-9a-f]{1,8}:(\S+):([^\s:]+) on contract/.exec(trace);
  return choice === null ? commandName(command) : `${choice[1]}.${choice[2]}`;
}

export function commandName(command: Command | undefined): string {
  if (command === undefined) return 'no command';
  const name = qualifiedNameOf(command.templateId);
  return command.kind === 'create' ? name : `${name}.${command.choice}`;
}
