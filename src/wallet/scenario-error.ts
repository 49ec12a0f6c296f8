/** Errors that the verbs of scenarios and views report before they submit to the ledger. */

import { StacklessError, addStack } from '../daml/errors/own-frames.js';

/** A position in a file. Lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A path in a step: field names and list indexes. */
export type FieldPath = readonly (string | number)[];

/** A mistake in a scenario or in a call of its builder. `place` and `step` are set if the scenario is a file. */
export class ScenarioError extends StacklessError {
  /** `ScenarioError`, or the name of a subclass. */
  override readonly name: string = 'ScenarioError';
  /** Identifies an expected failure, like the error codes of Node.js and of the ledger. */
  readonly code: string = 'SCENARIO_ERROR';

  constructor(
    /** Without the place. */
    readonly reason: string,
    /** The field, as a path from the step. */
    readonly path: FieldPath = [],
    /** The position in the file. */
    readonly place?: Place,
    /** Number, from 1, and verb: `3 (create)`. */
    readonly step?: string,
    cause?: unknown,
  ) {
    super(
      (place === undefined ? '' : `${place.file}:${place.line}:${place.column}: `) +
        (step === undefined ? '' : `step ${step}: `) +
        reason,
      { cause },
    );
    addStack(this, () => this.message);
  }

  /** The same error, with `key` in front of its path. */
  under(key: string | number): ScenarioError {
    return new ScenarioError(this.reason, [key, ...this.path], this.place, this.step, this.cause);
  }
}
