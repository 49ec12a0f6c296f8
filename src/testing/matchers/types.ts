/** Types of the matchers. */
import type { ActiveContract } from '../../wallet/active-contract.js';
import type { ErrorCode } from '../../daml/errors/error-catalogue.js';
import type { ExpectedError } from './error-matchers.js';
import type { Instrument } from './party-matchers.js';

export type { ExpectedError, Instrument };

/** `R` is the result of a matcher: void, or a promise of void. */
export interface CanticleMatchers<R> {
  /** A contract (its id, or anything with a `contractId`) that is active somewhere. */
  toBeActive(): R;
  /** A contract that was created, and is archived. */
  toBeArchived(): R;
  /** Unassigned from one synchronizer and not yet assigned to the next. */
  toBeInFlight(): R;
  /** Active on the synchronizer of that alias or id. */
  toBeOn(synchronizer: string): R;
  /** 0 at creation, one more with each unassignment. */
  toHaveReassignmentCounter(counter: number): R;
  /** The payload, as Ledger API JSON, has these members. */
  toHavePayload(subset: object): R;
  /** A party holds this much, over all its active holdings; of the named instrument, or of the only one that it has. */
  toHold(amount: string | number, instrument?: Instrument): R;
  /** A party or a participant is shown the contract by the ledger. */
  toSee(contract: string | Pick<ActiveContract, 'contractId'>): R;
  /**
   * A refusal: a thrown error, a function that throws, an error body, an answer with one, or a promise or function that gives any of
   * these. To be awaited for a promise, an answer of fetch, or a function that waits.
   */
  toBeCantonError(code: ErrorCode | (string & {}), expected?: ExpectedError): R;
  /** An instance answered the operation (its id, or `METHOD /path`), so often or at least once. */
  toHaveAnswered(operation: string, times?: number): R;
}
