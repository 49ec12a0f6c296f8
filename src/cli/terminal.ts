import { fileFault } from '../assembly/file-faults.js';
import { LedgerError } from '../daml/errors/ledger-error.js';

/**
 * What the command line may use of the process that it runs in. The bin hands in the real one, a test its own.
 */
export interface Terminal {
  /** The version of the package, for `--version`. */
  readonly version: string;
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: { write(text: string): unknown; readonly isTTY?: boolean };
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean };
  /** Where SIGINT and SIGTERM arrive. */
  readonly signals: {
    on(event: NodeJS.Signals, listener: () => void): unknown;
    off(event: NodeJS.Signals, listener: () => void): unknown;
  };
  /** The file that other threads of `canticle test` run; without it there are none. */
  readonly testWorker?: string;
  /** The id of the parent by now, where its end is an order to stop. */
  readonly parent?: () => number;
}

/** A failure that the user can mend. Its message is one line that says what failed, why, and what to do next. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

/** The cause of a refusal or of a failed file operation, in words. */
export function causeOf(error: unknown): string {
  if (error instanceof LedgerError)
    return [error.message, error.details.explanation].filter(Boolean).join('. ');
  return fileFault(error);
}
