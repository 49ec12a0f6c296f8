/**
 * How scripts fail. What the code itself throws may be caught in the script (`try`, `tryFailureStatus`); a question that failed ends
 * the script, whatever is around it, but for `tryCommands`.
 */
import type { Explanation } from '../daml/errors/explanation.js';
import type { LedgerError } from '../daml/errors/ledger-error.js';
import type { DamlException } from '../daml/lf/runtime/exceptions.js';
import type { DamlFailure } from '../daml/model/package.js';

/** A place in a script: the module, and what is called there. Lines and columns from 1. */
export interface ScriptPlace {
  readonly module: string;
  readonly definition: string;
  readonly line: number;
  readonly column: number;
}

/** What cannot be run as a script, or not by this runner. */
export class ScriptError extends Error {
  override readonly name = 'ScriptError';
  readonly code = 'SCRIPT_CANNOT_RUN';
}

/** The code of the script threw, or failed with a status. */
export class ThrownInScript extends Error {
  override readonly name = 'ThrownInScript';
  constructor(override readonly cause: DamlException | DamlFailure | LedgerError) {
    super(cause.message);
  }
}

/** Why a ledger refuses a question. */
export class ScriptRefusal extends Error {
  override readonly name = 'ScriptRefusal';
  constructor(
    message: string,
    /** What the real runner's exception is called. */
    readonly className = 'RuntimeException',
    /** Of a refused submission. */
    readonly refused?: LedgerError,
  ) {
    super(message);
  }
}

/** A question that failed. */
export class FailedCommand extends Error {
  override readonly name = 'FailedCommand';
  constructor(
    readonly command: string,
    /** Innermost first. */
    readonly stack_: readonly ScriptPlace[],
    override readonly cause: Error,
  ) {
    super(`Command ${command} failed: ${cause.message}`);
  }

  /** The question that failed inside of others. */
  get innermost(): FailedCommand {
    return this.cause instanceof FailedCommand ? this.cause.innermost : this;
  }
}

/** Why a script failed, for people. */
export interface ScriptFailure {
  /** Daml's message, or why it could not be run. */
  readonly message: string;
  /** Where it was, innermost first; none of what the script's code threw outside of questions. */
  readonly places: readonly ScriptPlace[];
  /** Of a refused submission. */
  readonly explanation: Explanation | undefined;
}

/** A script that was run for somebody, and failed. */
export class ScriptFailed extends Error {
  /** `ScriptFailed`. */
  override readonly name = 'ScriptFailed';
  /** `SCRIPT_FAILED`. */
  readonly code = 'SCRIPT_FAILED';

  constructor(
    /** `Module:name` */
    readonly script: string,
    /** What failed, and where. */
    readonly failure: ScriptFailure,
    /** What was thrown inside, where something was. */
    override readonly cause: unknown,
  ) {
    const places = failure.places.map(
      ({ definition, module, line, column }) =>
        `\n  in ${definition} at ${module}:${line}:${column}`,
    );
    const why = failure.explanation === undefined ? '' : `\n\n${failure.explanation.body()}\n`;
    super(`Script ${script} failed: ${failure.message}${places.join('')}${why}`);
  }
}
