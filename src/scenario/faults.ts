/** What a scenario can get wrong, said so that its author finds the place and knows what to do. */
import { nearest } from '../daml/edit-distance.js';

/** Where in a file: lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A place inside a step: its fields' names and list indexes. */
export type FieldPath = readonly (string | number)[];

/** A mistake in a scenario or in a call of its builder. `place` and `step` are known where there is a file. */
export class ScenarioError extends Error {
  override readonly name: string = 'ScenarioError';
  /** Marks it as a failure that was foreseen, beside the codes of the system and of the ledger. */
  readonly code: string = 'SCENARIO_ERROR';

  constructor(
    readonly reason: string,
    readonly path: FieldPath = [],
    readonly place?: Place,
    /** Number, from 1, and what it does: `3 (create)`. */
    readonly step?: string,
    cause?: unknown,
  ) {
    super(
      (place === undefined ? '' : `${place.file}:${place.line}:${place.column}: `) +
        (step === undefined ? '' : `step ${step}: `) +
        reason,
      { cause },
    );
  }

  /** The same, one level further out. */
  under(key: string | number): ScenarioError {
    return new ScenarioError(this.reason, [key, ...this.path], this.place, this.step, this.cause);
  }
}

/** An expectation that the ledger does not meet. */
export class ExpectationFailed extends ScenarioError {
  override readonly name = 'ExpectationFailed';
  override readonly code = 'EXPECTATION_FAILED';

  /**
   * @param expectation as it was written
   * @param faults what differs, each in a line
   * @param holds what the ledger holds instead
   */
  constructor(
    readonly expectation: string,
    readonly faults: readonly string[],
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
