/** What the verbs of scenarios and of views refuse by themselves, before the ledger is asked. */

import { StacklessError, tellStack } from '../daml/errors/own-frames.js';

/** Where in a file: lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A place inside a step: its fields' names and list indexes. */
export type FieldPath = readonly (string | number)[];

/** A mistake in a scenario or in a call of its builder. `place` and `step` are known where there is a file. */
export class ScenarioError extends StacklessError {
  /** `ScenarioError`, or that of a heir. */
  override readonly name: string = 'ScenarioError';
  /** Marks it as a failure that was foreseen, beside the codes of the system and of the ledger. */
  readonly code: string = 'SCENARIO_ERROR';

  constructor(
    /** Without the place. */
    readonly reason: string,
    /** Which field, from the root of the step. */
    readonly path: FieldPath = [],
    /** Where in the file. */
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
    tellStack(this, () => this.message);
  }

  /** The same, one level further out. */
  under(key: string | number): ScenarioError {
    return new ScenarioError(this.reason, [key, ...this.path], this.place, this.step, this.cause);
  }
}
