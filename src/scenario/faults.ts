/**
 * What a scenario can get wrong, said so that its author finds the place and knows what to do.
 * NOTE: what is told of scenario files is in words of ours, here and in this whole room: no real system reads them.
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
   * @param faults what differs, each in a line
   * @param holds what the ledger holds instead
   */
  constructor(
    /** What was expected, as it was written. */
    readonly expectation: string,
    /** What differs, in order. */
    readonly faults: readonly string[],
    /** What the ledger holds instead. */
    readonly holds?: string,
    place?: Place,
    step?: string,
    cause?: unknown,
  ) {
    const lines = holds === undefined ? faults : [...faults, `The ledger holds: ${holds}`];
    super([`not as expected: ${expectation}`, ...lines].join('\n  '), [], place, step, cause);
  }

  /** What differs and what there is, without the place. */
  get lines(): readonly string[] {
    return this.holds === undefined
      ? this.faults
      : [...this.faults, `The ledger holds: ${this.holds}`];
  }
}

/** `Did you mean 'x'?`, or what there is to choose from. */
export function suggestion(given: string, names: readonly string[]): string {
  const meant = nearest(given, names);
  if (meant !== undefined) return ` Did you mean '${meant}'?`;
  if (names.length === 0) return '';
  return ` There are: ${names.slice(0, 40).join(', ')}.`;
}
