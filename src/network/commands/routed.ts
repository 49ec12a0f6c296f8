/** The transaction of interpreted commands, and its synchronizer. */
import type { LedgerError } from '../../daml/errors/ledger-error.js';
import type { Interpretation } from '../../daml/model/transaction.js';
import type { Party, Timestamp } from '../../daml/model/values.js';
import { explainRefusal } from '../explanation/explain.js';
import type { Participant } from '../participant.js';
import { route, type Route } from '../routing/routing.js';
import { witnessesOf } from '../routing/visibility.js';
import type { Submission } from '../submission/submission.js';
import type { ExternalAuthorization } from '../model/updates.js';

/** The result of interpreting a submission's commands. */
export interface Interpreted {
  readonly transaction: Interpretation;
  readonly effectiveAt: Timestamp;
  /** As in the interpreter's input. */
  readonly rollsBackEffects: boolean;
  /** The error of the confirming participants, regardless of the inputs; called when the transaction is sequenced. */
  readonly verdict: (effectiveAt: Timestamp, recordTime: Timestamp) => LedgerError | undefined;
  /** Called when it was sequenced, whether it was accepted or rejected. */
  readonly onSequenced?: (recordTime: Timestamp) => void;
  /** The hash that an external party signed, in hexadecimal. */
  readonly externalTransactionHash?: string;
  /** The signatures of external parties. */
  readonly externalAuthorization?: ExternalAuthorization;
}

/** The synchronizer of a transaction, and the witnesses of its nodes. */
export interface Routed extends Route {
  readonly witnesses: readonly (readonly Party[])[];
}

/** @throws LedgerError if no synchronizer is usable */
export function routedOf(
  participant: Participant,
  submission: Submission,
  interpreted: Interpreted,
): Routed {
  const { transaction } = interpreted;
  const witnesses = witnessesOf(participant.ledger.partySets, transaction);
  try {
    const { synchronizerId, moves } = route(participant, submission, transaction, witnesses);
    return { synchronizerId, moves, witnesses };
  } catch (error) {
    explainRefusal(participant, submission, error, interpreted);
    throw error;
  }
}
