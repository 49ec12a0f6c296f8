/**
 * Errors of a participant's JSON layer before it calls the ledger. Clients get them in a different form (B-ERR-008, B-ERR-009), by this
 * class.
 */
import { LedgerError } from '../../errors/ledger-error.js';
import { invalidArgument } from '../../model/identifiers.js';

export class JsonLayerError extends LedgerError {}

/** The ledger's INVALID_ARGUMENT, from the JSON layer. */
export function refusedByJsonLayer(reason: string): LedgerError {
  const { code, details } = invalidArgument(reason);
  return new JsonLayerError(code, details);
}
