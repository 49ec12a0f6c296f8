/** The error of a failed fork. */
import { spelledOut } from '../../daml/errors/printable.js';

/** The live participant cannot be forked: it returned an error, or the connection failed. */
export class ForkFailed extends Error {
  /** `ForkFailed`. */
  override readonly name = 'ForkFailed';
  /** The code with which the command line recognizes an expected failure. */
  readonly code = 'FORK_FAILED';

  constructor(
    why: string,
    /** The HTTP status, if there was an answer. */
    readonly status?: number,
    cause?: unknown,
  ) {
    super(`Failed to fork: ${spelledOut(why)}`, { cause });
  }
}
