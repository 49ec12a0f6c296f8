/**
 * The errors of confirming participants for a sequenced reassignment, which the client receives with a completion
 * (B-RSG-023).
 */
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import type { Timestamp } from '../../daml/model/values.js';
import { exclusivityVerdict } from './assignment-exclusivity.js';
import type { Ledger } from '../ledger/ledger.js';
import type { ReassignmentEvent } from '../model/updates.js';

/** @param events at the time of the submission */
export function reassignmentVerdict(
  ledger: Ledger,
  events: readonly ReassignmentEvent[],
  recordTime: Timestamp,
): LedgerError | undefined {
  const [first] = events as [ReassignmentEvent];
  if (first.kind === 'unassigned') return activenessVerdict(ledger, events);
  if (ledger.contracts.reassignment(first.reassignmentId)!.assigned !== undefined)
    return ledgerError(
      'ASSIGNMENT_ALREADY_COMPLETED',
      'Rejected reassignment as the reassignment has already completed ',
    );
  return exclusivityVerdict(ledger, first, recordTime);
}

/** Each contract must be where it was, without a reassignment in between. */
function activenessVerdict(
  { contracts }: Ledger,
  events: readonly ReassignmentEvent[],
): LedgerError | undefined {
  const gone = events.find(({ contract, source, reassignmentCounter }) => {
    const state = contracts.state(contract.contractId);
    const isThere = state?.kind === 'active' && state.synchronizerId === source;
    return !isThere || state.reassignmentCounter !== reassignmentCounter - 1;
  });
  return (
    gone &&
    ledgerError(
      'UNASSIGNMENT_ACTIVENESS_CHECK_FAILED',
      `Activeness check failed.reassignment counter for contract id ContractId(${gone.contract.contractId}) is not correct: ${gone.reassignmentCounter}`,
    )
  );
}
