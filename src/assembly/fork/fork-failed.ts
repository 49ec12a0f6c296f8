/** What a fork comes to that cannot be made. */
import { spelledOut } from '../../daml/errors/printable.js';

/** Why the live side cannot be forked: an error of its own, or of the way there. */
export class ForkFailed extends Error {
  /** `ForkFailed`. */
  override readonly name = 'ForkFailed';
  /** So that the command line tells it as an expected failure. */
  readonly code = 'FORK_FAILED';

  constructor(
    why: string,
    /** The HTTP status, where there was an answer. */
    readonly status?: number,
    cause?: unknown,
  ) {
    super(`Failed to fork: ${spelledOut(why)}`, { cause });
  }
}
