/** Refusals of offsets and periods, with the texts of Canton's request validation. */
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';

export { invalidArgument, invalidField, missingField } from '../../daml/model/identifiers.js';

export function negativeOffset(
  field: string,
  offset: number,
  message = `the offset in ${field} field has to be a non-negative integer (>=0)`,
): LedgerError {
  return ledgerError('NEGATIVE_OFFSET', {
    cause: `Offset ${offset} in ${field} is a negative integer: ${message}`,
  });
}

export function negativeDeduplicationOffset(offset: number): LedgerError {
  const message = `the deduplication offset has to be a non-negative integer and not ${offset}`;
  return negativeOffset('deduplication_period', offset, message);
}

export function nonPositiveOffset(
  field: string,
  offset: number,
  message = 'the offset has to be a positive integer (>0)',
): LedgerError {
  return ledgerError('NON_POSITIVE_OFFSET', {
    cause: `Offset ${offset} in ${field} is not a positive integer: ${message}`,
  });
}

export function offsetAfterLedgerEnd(kind: string, offset: number, ledgerEnd: number): LedgerError {
  return ledgerError(
    'OFFSET_AFTER_LEDGER_END',
    `${kind} offset (${offset}) is after ledger end (${ledgerEnd})`,
  );
}

export function prunedDataAccessed(cause: string, prunedUpTo: number): LedgerError {
  return ledgerError('PARTICIPANT_PRUNED_DATA_ACCESSED', {
    cause,
    context: { earliest_offset: String(prunedUpTo) },
  });
}
