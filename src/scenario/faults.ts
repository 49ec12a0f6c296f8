/**
 * Errors of scenarios, with the place and a suggestion. NOTE: all texts of this folder are our own, because no real system reads scenario
 * files.
 */
import { ScenarioError, type Place } from '../wallet/scenario-error.js';
import { nearest } from '../daml/errors/edit-distance.js';

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

/** `Did you mean 'x'?`, or what there is to choose from. */
export function suggestion(given: string, names: readonly string[]): string {
  const meant = nearest(given, names);
  if (meant !== undefined) return ` Did you mean '${meant}'?`;
  if (names.length === 0) return '';
  return ` There are: ${names.slice(0, 40).join(', ')}.`;
}
