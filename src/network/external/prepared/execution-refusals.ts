/** Errors of executing a prepared transaction before it reaches a synchronizer. */
import { ledgerError, type LedgerError } from '../../../daml/errors/ledger-error.js';
import { BARE } from '../../../daml/errors/logging-context.js';

export function failedToExecute(reason: string): LedgerError {
  return ledgerError('FAILED_TO_EXECUTE_TRANSACTION', {
    cause: `The participant failed to execute the transaction: ${reason}`,
  });
}

/** An exception of the participant: the client gets no details (B-INT-042). */
export function unforeseen(reason: string): LedgerError {
  return ledgerError('LEDGER_API_INTERNAL_ERROR', reason).logIn(BARE);
}

/** The same, if the participant knows the caller. */
export function unforeseenInCall(reason: string): LedgerError {
  return ledgerError('LEDGER_API_INTERNAL_ERROR', reason);
}
