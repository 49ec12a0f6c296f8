/** The error for an unexpected exception in a participant's service. Clients get no details, not even an id (B-ERR-037). */
import { ledgerError, type LedgerError } from './ledger-error.js';
import { BARE } from './logging-context.js';

export function unexpectedFailure(explanation?: string): LedgerError {
  return ledgerError('SERVICE_INTERNAL_ERROR', {
    cause: 'Unexpected or unknown exception occurred.',
    ...(explanation !== undefined && { explanation }),
  }).logIn(BARE);
}
