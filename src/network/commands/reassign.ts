/** Unassign and assign: contracts move between synchronizers in two updates that share a reassignment id (B-RSG-*). */
import { unconfirmed } from '../routing/confirmers.js';
import type { LedgerError } from '../../daml/errors/ledger-error.js';
import type { Party } from '../../daml/model/values.js';
import { logRejection } from '../routing/rejection-report.js';
import { explainReassignment } from '../explanation/explain.js';
import type { SynchronizerId } from '../model/ids.js';
import type { PendingSubmission, Settled, SubmissionResult } from '../ledger/in-flight.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Participant } from '../participant.js';
import { eventsOf } from '../reassignment/events.js';
import { reassignmentVerdict } from '../reassignment/verdict.js';
import { correlated, StoredSubmissionInfo } from '../ledger/submission-info.js';
import { validateReassignment, type ReassignmentSubmission } from '../submission/submission.js';
import { costOfReassignment, debitUpdate, rememberCost, senderOf } from '../traffic/update-cost.js';
import type { ReassignmentEvent, ReassignmentUpdate, SubmissionInfo } from '../model/updates.js';

/** @throws LedgerError for a synchronous rejection */
export function submitReassignment(
  participant: Participant,
  submission: ReassignmentSubmission,
): SubmissionResult<ReassignmentUpdate> {
  return explainReassignment(participant, submission, () => {
    correlated(participant.ledger, submission.submissionId, () => validateReassignment(submission));
    return participant.ledger.journal.atomically(() => {
      const sent = new Sent(participant, submission, false);
      if (!sent.isPaused) return sent.commit();
      return participant.ledger.inFlight.add(sent.pending());
    });
  });
}

/**
 * A reassignment as part of another submission, which then continues. It cannot wait for a paused synchronizer.
 * @throws LedgerError for a synchronous rejection
 */
export function reassignNow(
  participant: Participant,
  submission: ReassignmentSubmission,
): Settled<ReassignmentUpdate> {
  const { journal } = participant.ledger;
  return journal.atomically(() => new Sent(participant, submission, true).commit());
}

/**
 * A submitted reassignment. Unlike for a transaction, its command id can repeat: the contract is no longer where it
 * was (B-RSG-024).
 */
class Sent {
  readonly isPaused: boolean;
  private readonly events: readonly ReassignmentEvent[];
  private readonly synchronizerId: SynchronizerId;
  private readonly info: SubmissionInfo;
  private readonly imposed: Ledger['imposed'];

  constructor(
    private readonly participant: Participant,
    private readonly submission: ReassignmentSubmission,
    /** Whether it is a part of another submission. */
    private readonly isPart: boolean,
  ) {
    const { ledger } = participant;
    this.events = eventsOf(participant, submission);
    const first = this.events[0]!;
    this.synchronizerId = first.kind === 'unassigned' ? first.source : first.target;
    this.info = infoOf(participant, submission);
    this.isPaused = ledger.isPaused(this.synchronizerId);
    this.imposed = isPart ? undefined : ledger.imposed;
  }

  commit(): Settled<ReassignmentUpdate> {
    const { participant, submission, events, synchronizerId, info, isPart } = this;
    const { ledger, log } = participant;
    const { workflowId = '', traceContext } = submission;
    const cost = () =>
      ledger.traffic.cost(() =>
        costOfReassignment(participant, synchronizerId, events, {
          ...senderOf(info),
          workflowId,
          recordTime: ledger.clock.now(),
        }),
      );
    let paid: number | undefined;
    const unpaid = ledger.traffic.charge(synchronizerId, participant.id, () => (paid = cost()));
    if (unpaid !== undefined) return this.reject(unpaid);
    const verdict = this.verdict();
    if (verdict !== undefined) return this.reject(verdict, cost());
    // The id and the exclusivity time depend on when the reassignment is sequenced.
    const sequenced = this.isPaused ? eventsOf(participant, submission) : events;
    const update = ledger.commit(
      {
        kind: 'reassignment',
        synchronizerId,
        events: sequenced,
        submission: info,
        workflowId,
        traceContext,
      },
      { participantId: participant.id, goesOn: isPart },
    ) as ReassignmentUpdate;
    if (paid !== undefined) rememberCost(update, paid);
    const completionOffset = update.offsets.get(participant.id) ?? log.end;
    debitUpdate(participant, update, completionOffset);
    return { kind: 'accepted', update, completionOffset };
  }

  private verdict(): LedgerError | undefined {
    const { participant, events, synchronizerId } = this;
    const { ledger } = participant;
    const inputs = events.map(({ contract }) => contract.contractId);
    return (
      this.imposed?.({ inputs, confirmers: this.confirmers() }) ??
      reassignmentVerdict(ledger, events, ledger.clock.now() + 1n) ??
      (ledger.hasCutOff(synchronizerId)
        ? unconfirmed(ledger, synchronizerId, this.confirmers())
        : undefined)
    );
  }

  /** Sorted. */
  private confirmers(): readonly Party[] {
    return [...new Set(this.events.flatMap(({ contract }) => contract.signatories))].sort();
  }

  private reject(error: LedgerError, paid?: number): Settled<ReassignmentUpdate> {
    const { participant, submission, info, synchronizerId } = this;
    const { traceContext } = submission;
    logRejection(participant, error, { synchronizerId, confirmers: () => this.confirmers() });
    const request = { info, synchronizerId, traceContext, paid };
    return { kind: 'rejected', error, completionOffset: participant.reject(error, request) };
  }

  /** For a paused synchronizer. */
  pending(): PendingSubmission<ReassignmentUpdate> {
    const { participant, submission, info, synchronizerId } = this;
    return {
      participant,
      info,
      synchronizerId,
      mayRepeat: true,
      sequence: () => explainReassignment(participant, submission, () => this.commit()),
      reject: (error) => this.reject(error),
    };
  }
}

function infoOf(
  { ledger, id }: Participant,
  { userId, commandId, submissionId, submitter }: ReassignmentSubmission,
): SubmissionInfo {
  const { random, requestNumbers } = ledger;
  const known = submissionId || requestNumbers.ofSubmission();
  return StoredSubmissionInfo.of(random, known, id, userId, commandId, [submitter]);
}
