/** Unassign and assign: contracts move between synchronizers in two updates that share a reassignment id (B-RSG-*). */
import type { LedgerError } from '../daml/ledger-error.js';
import { exclusivityVerdict } from './assignment-exclusivity.js';
import { explainReassignment } from './explain.js';
import type { Settled } from './in-flight.js';
import type { Participant } from './participant.js';
import { eventsOf } from './reassignment-events.js';
import { StoredSubmissionInfo } from './submission-info.js';
import {
  validateReassignment,
  type ReassignmentSubmission,
  type SubmissionResult,
} from './submission.js';
import type { ReassignmentUpdate, SubmissionInfo } from './updates.js';

/** @throws LedgerError for a synchronous refusal */
export function submitReassignment(
  participant: Participant,
  submission: ReassignmentSubmission,
): SubmissionResult<ReassignmentUpdate> {
  return explainReassignment(participant, submission, () => {
    validateReassignment(submission);
    return participant.network.journal.atomically(() => process(participant, submission));
  });
}

function process(
  participant: Participant,
  submission: ReassignmentSubmission,
): SubmissionResult<ReassignmentUpdate> {
  const { network, deduplication } = participant;
  const events = eventsOf(participant, submission);
  const first = events[0]!;
  const synchronizerId = first.kind === 'unassigned' ? first.source : first.target;
  const info = infoOf(participant, submission);
  const start = deduplication.periodStart(submission.deduplicationPeriod, network.clock.now());
  const rejected = (error: LedgerError, period = start): Settled<ReassignmentUpdate> => ({
    kind: 'rejected',
    error,
    completionOffset: participant.reject(
      error,
      { info, synchronizerId, traceContext: submission.traceContext },
      period,
    ),
  });
  const duplicate = deduplication.duplicate(info, start);
  if (duplicate) return rejected(duplicate.error, duplicate.existing.offset - 1);
  const isPaused = network.isPaused(synchronizerId);
  const commit = (): Settled<ReassignmentUpdate> => {
    // What it is about may have changed while it was in flight.
    const sequenced = isPaused ? eventsOf(participant, submission) : events;
    const verdict = exclusivityVerdict(network, sequenced[0]!, network.clock.now() + 1n);
    if (verdict !== undefined) return rejected(verdict);
    const update = network.commit(
      {
        kind: 'reassignment',
        synchronizerId,
        events: sequenced,
        submission: info,
        workflowId: submission.workflowId ?? '',
        traceContext: submission.traceContext,
      },
      { participantId: participant.id, deduplicationOffset: start },
    ) as ReassignmentUpdate;
    return { kind: 'accepted', update, completionOffset: update.offsets.get(participant.id)! };
  };
  if (!isPaused) return commit();
  return network.inFlight.add({
    participant,
    info,
    synchronizerId,
    sequence: () => explainReassignment(participant, submission, commit),
    reject: rejected,
  });
}

function infoOf(
  { network, id }: Participant,
  { userId, commandId, submissionId, submitter }: ReassignmentSubmission,
): SubmissionInfo {
  const { random, nextNumber } = network;
  const known = submissionId || nextNumber;
  return new StoredSubmissionInfo(random, known, id, userId, commandId, [submitter]);
}
