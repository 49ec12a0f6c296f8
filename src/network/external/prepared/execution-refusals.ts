/** What the execution of a prepared transaction is refused with before it reaches a synchronizer. */
import { ledgerError, type LedgerError } from '../../../daml/errors/ledger-error.js';

export function failedToExecute(reason: string): LedgerError {
  return ledgerError('FAILED_TO_EXECUTE_TRANSACTION', {
    cause: `The participant failed to execute the transaction: ${reason}`,
  });
}

/** NOTE: a participant fails here without telling more than that it did. */
export function unforeseen(reason: string): LedgerError {
  return ledgerError('LEDGER_API_INTERNAL_ERROR', reason);
}
