/** Inputs of a transaction that are elsewhere: they are moved to its synchronizer first, at once (B-RSG-020). */
import type { SynchronizerId } from '../ids.js';
import type { Participant } from '../participant.js';
import { assignEvents, unassignEvents } from './events.js';
import type { Move } from '../routing/routing.js';
import { StoredSubmissionInfo } from '../ledger/submission-info.js';
import type { Submission } from '../submission/submission.js';
import type { ReassignmentEvent } from '../updates.js';

/**
 * Moves the inputs in one batch for each submitter, source and set of stakeholders. Who unassigns assigns, so that no exclusive
 * time is in the way.
 */
export function reassignForTransaction(
  participant: Participant,
  { commandId, userId, submissionId }: Submission,
  target: SynchronizerId,
  moves: readonly Move[],
): void {
  if (moves.length === 0) return;
  const { contracts } = participant.ledger;
  const batches = new Map<string, Move[]>();
  for (const move of moves) {
    const { signatories, observers } = contracts.get(move.contractId)!.instance;
    const key = JSON.stringify([move.submitter, move.source, signatories, observers]);
    batches.set(key, [...(batches.get(key) ?? []), move]);
  }
  for (const batch of batches.values()) {
    const { submitter, source } = batch[0]!;
    const common = { commandId, userId, submissionId, submitter };
    const commands = batch.map(
      ({ contractId }) => ({ kind: 'unassign', contractId, source, target }) as const,
    );
    const unassign = unassignEvents(participant, submitter, commands);
    commitInternally(participant, common, source, unassign);
    const [{ reassignmentId }] = unassign as [ReassignmentEvent];
    const assign = { kind: 'assign', reassignmentId, source, target } as const;
    commitInternally(participant, common, target, assignEvents(participant, submitter, assign));
  }
}

type Submitted = Pick<Submission, 'commandId' | 'userId' | 'submissionId'> &
  Pick<Move, 'submitter'>;

function commitInternally(
  { ledger, id }: Participant,
  { commandId, userId, submissionId, submitter }: Submitted,
  synchronizerId: SynchronizerId,
  events: readonly ReassignmentEvent[],
): void {
  const { random, clock } = ledger;
  const known = submissionId || random.uuidAt('automatic reassignment', clock.ticks);
  const submission = StoredSubmissionInfo.of(random, known, id, userId, commandId, [submitter]);
  ledger.commit({ kind: 'reassignment', synchronizerId, events, submission, workflowId: '' });
}
