/** The limits of messages on a synchronizer: its nodes discard a larger request (R-36-068). */
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import type { Party } from '../../daml/model/values.js';
import type { Protocol } from '../model/protocol.js';

/** NOTE: here it rejects at once. A real participant waits for its decision timeout of a minute. */
export function limitVerdict(
  { maxActAs = Infinity }: Protocol,
  actAs: readonly Party[],
): LedgerError | undefined {
  if (actAs.length <= maxActAs) return undefined;
  return ledgerError('LOCAL_VERDICT_TIMEOUT', {
    cause: 'Rejected transaction due to a participant determined timeout ',
    explanation: `The submission acts as ${actAs.length} parties, and the synchronizer takes at most ${maxActAs}.`,
  });
}
