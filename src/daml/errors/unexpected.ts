/** What ends as an exception that no service of a participant foresaw: clients learn nothing of it, by no id either (B-ERR-037). */
import { ledgerError, type LedgerError } from './ledger-error.js';
import { BARE } from './logging-context.js';

export function unexpectedFailure(explanation?: string): LedgerError {
  return ledgerError('SERVICE_INTERNAL_ERROR', {
    cause: 'Unexpected or unknown exception occurred.',
    ...(explanation !== undefined && { explanation }),
  }).logIn(BARE);
}
