/**
 * Errors of scenarios, with the place. NOTE: all texts of this folder are our own, because no real system reads scenario
 * files.
 */
import { ScenarioError, type Place } from '../wallet/scenario-error.js';

/** An expectation that the ledger does not meet. */
export class ExpectationFailed extends ScenarioError {
  /** `ExpectationFailed`. */
  override readonly name = 'ExpectationFailed';
  override readonly code = 'EXPECTATION_FAILED';

  /**
   * @param expectation as it was written
   * @param errors the differences, one per line
   * @param holds the state of the ledger
   */
  constructor(
    /** The expectation, as written. */
    readonly expectation: string,
    /** The differences, in order. */
    readonly errors: readonly string[],
    /** The state of the ledger. */
    readonly holds?: string,
    place?: Place,
    step?: string,
    cause?: unknown,
  ) {
    const lines = holds === undefined ? errors : [...errors, `The ledger holds: ${holds}`];
    super([`not as expected: ${expectation}`, ...lines].join('\n  '), [], place, step, cause);
  }

  /** The differences and the state of the ledger, without the place. */
  get lines(): readonly string[] {
    return this.holds === undefined
      ? this.errors
      : [...this.errors, `The ledger holds: ${this.holds}`];
  }
}
