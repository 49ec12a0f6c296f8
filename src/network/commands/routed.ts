/** What commands come to, and where it goes. */
import type { LedgerError } from '../../daml/errors/ledger-error.js';
import type { Interpretation } from '../../daml/model/transaction.js';
import type { Party, Timestamp } from '../../daml/model/values.js';
import { explainSubmission } from '../explanation/explain.js';
import type { Participant } from '../participant.js';
import { route, type Route } from '../routing/routing.js';
import { witnessesOf } from '../routing/visibility.js';
import type { Submission } from '../submission/submission.js';
import type { ExternalAuthorization } from '../updates.js';

/** What came of the commands of a submission. */
export interface Interpreted {
  readonly transaction: Interpretation;
  readonly effectiveAt: Timestamp;
  /** Why the confirming participants refuse it, whatever its inputs; asked when it is sequenced. */
  readonly verdict: () => LedgerError | undefined;
  /** Told when it was sequenced, whether it was accepted or not. */
  readonly onSequenced?: (recordTime: Timestamp) => void;
  /** Hexadecimal; of what an external party signed. */
  readonly externalTransactionHash?: string;
  /** How they signed it. */
  readonly externalAuthorization?: ExternalAuthorization;
}

/** Where a transaction goes, and who sees which of its nodes. */
export interface Routed extends Route {
  readonly witnesses: readonly (readonly Party[])[];
}

/** @throws LedgerError where no synchronizer will do */
export function routedOf(
  participant: Participant,
  submission: Submission,
  interpreted: Interpreted,
): Routed {
  const { transaction } = interpreted;
  const witnesses = witnessesOf(participant.ledger.partySets, transaction);
  const { synchronizerId, moves } = explainSubmission(participant, submission, interpreted, () =>
    route(participant, submission, transaction, witnesses),
  );
  return { synchronizerId, moves, witnesses };
}
