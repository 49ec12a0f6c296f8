/** Types of the matchers. */
import type { ActiveContract } from '../../wallet/active-contract.js';
import type { ErrorCode } from '../../daml/errors/error-catalogue.js';
import type { ExpectedError } from './error-matchers.js';
import type { Instrument } from './party-matchers.js';
import type { SeenByOptions, Viewer } from './privacy-matchers.js';
import type { SeenNodes } from './seen.js';

export type { ExpectedError, Instrument, SeenByOptions, SeenNodes, Viewer };

/** `R` is the result of a matcher: void, or a promise of void. */
export interface CanticleMatchers<R> {
  /** A contract (its id, or anything with a `contractId`) that is active somewhere. */
  toBeActive(): R;
  /** A contract that was archived. */
  toBeArchived(): R;
  /** A contract that is unassigned from one synchronizer, and not yet assigned to the next. */
  toBeInFlight(): R;
  /** A contract that is active on the synchronizer with this alias or id. */
  toBeOn(synchronizer: string): R;
  /** A contract with this counter: 0 at creation, plus one with each unassignment. */
  toHaveReassignmentCounter(counter: number): R;
  /** A contract whose payload, as Ledger API JSON, has these members. */
  toHavePayload(subset: object): R;
  /** A party whose active holdings have this sum, of the named instrument or of its only one. */
  toHold(amount: string | number, instrument?: Instrument): R;
  /** A party or a participant that sees the contract. */
  toSee(contract: string | Pick<ActiveContract, 'contractId'>): R;
  /**
   * An update (its id, or anything with an `updateId`) or a contract that exactly these parties see. A participant means the
   * parties that it hosts. The last argument can select nodes: `{ field: 'payload.amount' }`.
   */
  toBeSeenOnlyBy(...who: readonly Viewer[]): R;
  toBeSeenOnlyBy(...whoAndNodes: readonly [...Viewer[], SeenNodes]): R;
  /** An update or a contract that the party or participant sees, for the reason `because` if you pass one. */
  toBeSeenBy(who: Viewer, options?: SeenByOptions): R;
  /** A party or a participant that sees no create, exercise or fetch of the contract. */
  toKnowNothingOf(contract: string | Pick<ActiveContract, 'contractId'>): R;
  /** An update whose traffic has at most this number of bytes, whether or not traffic control is on. */
  toCostAtMost(bytes: number): R;
  /**
   * A Canton error: a thrown error, a function that throws, an error body, an answer with one, or a promise of any of these. Await the
   * matcher for a promise, an answer of fetch, or an async function.
   */
  toBeCantonError(code: ErrorCode | (string & {}), expected?: ExpectedError): R;
  /** An instance that answered the operation (its id, or `METHOD /path`) this number of times, or at least once. */
  toHaveAnswered(operation: string, times?: number): R;
}
