/**
 * Reassigns inputs from other synchronizers to that of the transaction before its submission. These reassignments have
 * separate completions (B-RSG-020, B-RSG-025). The inputs stay there even if the transaction fails (B-RSG-026).
 */
import { LedgerError } from '../../daml/errors/ledger-error.js';
import type { Settled } from '../ledger/in-flight.js';
import type { Participant } from '../participant.js';
import { reassignmentFailed, type Move, type Route } from '../routing/routing.js';
import type { ReassignmentSubmission, Submission } from '../submission/submission.js';
import type { ReassignmentUpdate, SubmissionInfo } from '../model/updates.js';
import { reassignNow } from './reassign.js';

/**
 * One unassignment and one assignment for each batch. The unassigning party also assigns, so that assignment
 * exclusivity does not delay it.
 * @throws LedgerError AUTOMATIC_REASSIGNMENT_FOR_TRANSACTION_FAILED
 */
export function moveInputs(
  participant: Participant,
  { userId, commandId, traceContext }: Submission,
  info: SubmissionInfo,
  { synchronizerId: target, moves }: Route,
): void {
  if (moves.length === 0) return;
  for (const batch of batchesOf(participant, moves)) {
    const { submitter, source } = batch[0]!;
    const { submissionId } = info;
    const move = (commands: ReassignmentSubmission['commands']) =>
      accepted(() =>
        reassignNow(participant, {
          ...{ userId, commandId, submissionId, submitter, commands },
          ...(traceContext !== undefined && { traceContext }),
        }),
      );
    const { reassignmentId } = move(
      batch.map(({ contractId }) => ({ kind: 'unassign', contractId, source, target })),
    ).events[0]!;
    move([{ kind: 'assign', reassignmentId, source, target }]);
  }
}

/**
 * One batch for each submitter, source and set of stakeholders. Skips contracts that were archived or reassigned in
 * the meantime: the confirming participants will reject the transaction.
 */
export function batchesOf(
  { ledger }: Participant,
  moves: readonly Move[],
): Iterable<readonly Move[]> {
  const batches = new Map<string, Move[]>();
  for (const move of moves) {
    const state = ledger.contracts.state(move.contractId);
    if (state?.kind !== 'active' || state.synchronizerId !== move.source) continue;
    const { signatories, observers } = ledger.contracts.get(move.contractId)!.instance;
    const key = JSON.stringify([move.submitter, move.source, signatories, observers]);
    batches.set(key, [...(batches.get(key) ?? []), move]);
  }
  return batches.values();
}

function accepted(move: () => Settled<ReassignmentUpdate>): ReassignmentUpdate {
  const result = outcomeOf(move);
  if (result instanceof LedgerError) throw reassignmentFailed(result.details.cause);
  return result;
}

function outcomeOf(move: () => Settled<ReassignmentUpdate>): ReassignmentUpdate | LedgerError {
  try {
    const result = move();
    return result.kind === 'rejected' ? result.error : result.update;
  } catch (error) {
    if (error instanceof LedgerError) return error;
    throw error;
  }
}
