/**
 * The steps of a run, as data. A step has its own number, and the ids of the contracts that it creates depend only on
 * that number. So the other steps of a sequence keep their meaning if one step is removed or changed.
 */
import type { Command } from '../../daml/model/transaction.js';
import type { DamlValue, Party } from '../../daml/model/values.js';

/** Commands that parties submit together. */
export interface Submission {
  readonly actAs: readonly Party[];
  readonly readAs: readonly Party[];
  readonly commands: readonly Command[];
}

interface Numbered {
  /** Unique in a sequence; not its position. */
  readonly number: number;
}

export interface SubmitStep extends Numbered {
  readonly kind: 'submit';
  readonly submission: Submission;
}

/** Two submissions that both run on the state before the step. The ledger commits the second only if its inputs are active. */
export interface RaceStep extends Numbered {
  readonly kind: 'race';
  readonly submissions: readonly [Submission, Submission];
}

/** The time of the ledger advances. */
export interface AdvanceStep extends Numbered {
  readonly kind: 'advance';
  readonly micros: bigint;
}

/** An action of the user: a Daml script, or a function of the test. */
export interface CustomStep extends Numbered {
  readonly kind: 'custom';
  /** The name of the action. */
  readonly action: string;
  /** The argument of a script, or the seed of a function. */
  readonly argument: DamlValue;
}

export type Step = SubmitStep | RaceStep | AdvanceStep | CustomStep;
