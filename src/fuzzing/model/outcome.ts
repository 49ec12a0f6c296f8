/** The outcome of a step. */
import type { LedgerError } from '../../daml/errors/ledger-error.js';
import type { ContractInstance, Interpretation } from '../../daml/model/transaction.js';
import type { Step, Submission } from './step.js';

/** One submission of a step. */
export interface Submitted {
  readonly submission: Submission;
  /** Its transaction, unless it was rejected. */
  readonly transaction: Interpretation | undefined;
  readonly error: LedgerError | undefined;
  /** Contracts that its code used, of which no submitting or reading party is a stakeholder: they need disclosure. */
  readonly disclosed: readonly ContractInstance[];
  /** Steps of the Daml machine. */
  readonly work: number;
}

export interface Outcome {
  readonly step: Step;
  /** One for a submission, two for a race, any number for a custom action. */
  readonly submitted: readonly Submitted[];
  /** The failure of a custom action, except for a rejected submission. */
  readonly failure: string | undefined;
}
