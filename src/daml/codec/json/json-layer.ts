/**
 * What the JSON layer of a participant refuses by itself, before it calls the ledger: clients see it in a form of its own
 * (B-ERR-008, B-ERR-009). Who answers them looks for the class.
 */
import { LedgerError } from '../../errors/ledger-error.js';
import { invalidArgument } from '../../model/identifiers.js';

export class JsonLayerError extends LedgerError {}

/** The ledger's INVALID_ARGUMENT, of the JSON layer itself. */
export function refusedByJsonLayer(reason: string): LedgerError {
  const { code, details } = invalidArgument(reason);
  return new JsonLayerError(code, details);
}
