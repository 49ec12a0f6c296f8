/** Unassign and assign: contracts move between synchronizers in two updates that share a reassignment id (B-RSG-*). */
import { unconfirmed } from '../routing/confirmers.js';
import type { LedgerError } from '../../daml/errors/ledger-error.js';
import { explainReassignment } from '../explanation/explain.js';
import type { Settled } from '../ledger/in-flight.js';
import type { Participant } from '../participant.js';
import { eventsOf } from '../reassignment/events.js';
import { reassignmentVerdict } from '../reassignment/verdict.js';
import { correlated, StoredSubmissionInfo } from '../ledger/submission-info.js';
import { validateReassignment, type ReassignmentSubmission } from '../submission/submission.js';
import { reassignmentCost } from '../submission/traffic-cost.js';
import type { SubmissionResult } from '../ledger/in-flight.js';
import type { ReassignmentUpdate, SubmissionInfo } from '../updates.js';

/** @throws LedgerError for a synchronous refusal */
export function submitReassignment(
  participant: Participant,
  submission: ReassignmentSubmission,
): SubmissionResult<ReassignmentUpdate> {
  return explainReassignment(participant, submission, () => {
    correlated(participant.ledger, submission.submissionId, () => validateReassignment(submission));
    return participant.ledger.journal.atomically(() => process(participant, submission));
  });
}

/** Unlike that of a transaction, its command id may come again: the contract is no longer where it was (B-RSG-024). */
function process(
  participant: Participant,
  submission: ReassignmentSubmission,
): SubmissionResult<ReassignmentUpdate> {
  const { ledger, log } = participant;
  const { workflowId = '', traceContext } = submission;
  const events = eventsOf(participant, submission);
  const first = events[0]!;
  const synchronizerId = first.kind === 'unassigned' ? first.source : first.target;
  const info = infoOf(participant, submission);
  const reject = (error: LedgerError, paid?: number): Settled<ReassignmentUpdate> => ({
    kind: 'rejected',
    error,
    completionOffset: participant.reject(error, { info, synchronizerId, traceContext, paid }),
  });
  const isPaused = ledger.isPaused(synchronizerId);
  const { imposed } = ledger;
  const contracts = events.map(({ contract }) => contract);
  const confirmers = () => [...new Set(contracts.flatMap(({ signatories }) => signatories))].sort();
  const inputs = contracts.map(({ contractId }) => contractId);
  const commit = (): Settled<ReassignmentUpdate> => {
    const cost = () => ledger.traffic.cost(() => reassignmentCost(events));
    const unpaid = ledger.traffic.charge(synchronizerId, participant.id, cost);
    if (unpaid !== undefined) return reject(unpaid);
    const verdict =
      imposed?.({ inputs, confirmers: confirmers() }) ??
      reassignmentVerdict(ledger, events, ledger.clock.now() + 1n) ??
      (ledger.hasCutOff(synchronizerId)
        ? unconfirmed(ledger, synchronizerId, confirmers())
        : undefined);
    if (verdict !== undefined) return reject(verdict, cost());
    // Its id and its exclusive time depend on when it is sequenced.
    const sequenced = isPaused ? eventsOf(participant, submission) : events;
    const update = ledger.commit(
      {
        kind: 'reassignment',
        synchronizerId,
        events: sequenced,
        submission: info,
        workflowId,
        traceContext,
      },
      { participantId: participant.id },
    ) as ReassignmentUpdate;
    return {
      kind: 'accepted',
      update,
      completionOffset: update.offsets.get(participant.id) ?? log.end,
    };
  };
  if (!isPaused) return commit();
  return ledger.inFlight.add({
    participant,
    info,
    synchronizerId,
    mayRepeat: true,
    sequence: () => explainReassignment(participant, submission, commit),
    reject,
  });
}

function infoOf(
  { ledger, id }: Participant,
  { userId, commandId, submissionId, submitter }: ReassignmentSubmission,
): SubmissionInfo {
  const { random, requestNumbers } = ledger;
  const known = submissionId || requestNumbers.ofSubmission();
  return StoredSubmissionInfo.of(random, known, id, userId, commandId, [submitter]);
}
