/**
 * The failures of scripts. A script can catch errors that its code throws (`try`, `tryFailureStatus`). A failed
 * question ends the script, and only `tryCommands` can catch it.
 */
import type { Explanation } from '../daml/errors/explanation.js';
import type { LedgerError } from '../daml/errors/ledger-error.js';
import type { DamlException } from '../daml/lf/runtime/exceptions.js';
import type { DamlFailure } from '../daml/model/package.js';

/** A place in a script: the module, and the name of the called function. Lines and columns from 1. */
export interface ScriptPlace {
  readonly module: string;
  readonly definition: string;
  readonly line: number;
  readonly column: number;
}

/** The value is not a script, or this runner cannot run it. */
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

/** A ledger refuses a question. */
export class ScriptRefusal extends Error {
  override readonly name = 'ScriptRefusal';
  constructor(
    message: string,
    /** The class name of the real runner's exception. */
    readonly className = 'RuntimeException',
    /** The error of a refused submission. */
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

  /** The innermost failed question. */
  get innermost(): FailedCommand {
    return this.cause instanceof FailedCommand ? this.cause.innermost : this;
  }
}

/** The reason why a script failed, for users. */
export interface ScriptFailure {
  /** Daml's message, or the reason why the script could not run. */
  readonly message: string;
  /** The places of the failure, innermost first; empty for errors that the script's code threw outside questions. */
  readonly places: readonly ScriptPlace[];
  /** The explanation of a refused submission. */
  readonly explanation: Explanation | undefined;
}

/** A script failed that a user's code has run. */
export class ScriptFailed extends Error {
  /** `ScriptFailed`. */
  override readonly name = 'ScriptFailed';
  /** `SCRIPT_FAILED`. */
  readonly code = 'SCRIPT_FAILED';

  constructor(
    /** `Module:name` */
    readonly script: string,
    /** The failure and its places. */
    readonly failure: ScriptFailure,
    /** The original error, if any. */
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
