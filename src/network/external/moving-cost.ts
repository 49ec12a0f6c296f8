/**
 * Estimates the traffic cost of the reassignments that the inputs of a prepared transaction need (B-TRF-014): one
 * unassignment and one assignment for each batch.
 */
import type { ContractId, Timestamp } from '../../daml/model/values.js';
import { batchesOf } from '../commands/move-inputs.js';
import type { Participant } from '../participant.js';
import { eventsOf } from '../reassignment/events.js';
import type { Move, Route } from '../routing/routing.js';
import { costOfReassignment } from '../traffic/update-cost.js';
import { estimateResponse, type RequestAndResponse } from './cost.js';
import type { ReassignmentEvent } from '../model/updates.js';

export interface MovingCost {
  /** Physical ids. */
  readonly source: string;
  readonly target: string;
  readonly contractIds: readonly ContractId[];
  readonly unassignment: RequestAndResponse;
  readonly assignment: RequestAndResponse;
}

/** The sender's data in the requests. */
interface Sender {
  readonly userId: string;
  readonly commandId: string;
}

/** @throws LedgerError if an input cannot be reassigned */
export const estimateMoves = (
  participant: Participant,
  { synchronizerId, moves }: Route,
  sender: Sender,
  estimatedAt: Timestamp,
): readonly MovingCost[] =>
  [...batchesOf(participant, moves)].map((batch) =>
    estimateMove(participant, batch, synchronizerId, sender, estimatedAt),
  );

function estimateMove(
  participant: Participant,
  batch: readonly Move[],
  target: string,
  { userId, commandId }: Sender,
  estimatedAt: Timestamp,
): MovingCost {
  const { ledger, id: participantId } = participant;
  const { source, submitter } = batch[0]!;
  const unassigned = eventsOf(participant, {
    ...{ userId, commandId, submitter },
    commands: batch.map(({ contractId }) => ({ kind: 'unassign', contractId, source, target })),
  });
  // NOTE: the estimate of the assignment has the first counter, not that of the contract.
  const assigned = unassigned.map((event) => ({
    ...event,
    kind: 'assigned' as const,
    reassignmentCounter: 0,
  }));
  const metadata = {
    ...{ participantId, userId, commandId, actAs: [submitter], recordTime: estimatedAt },
    ...{ submissionId: '', workflowId: '' },
  };
  const { signatories } = unassigned[0]!.contract;
  const half = (at: string, events: readonly ReassignmentEvent[]): RequestAndResponse => ({
    request: ledger.traffic.cost(() => costOfReassignment(participant, at, events, metadata)),
    response: estimateResponse(participant, at, signatories, estimatedAt),
  });
  return {
    source: ledger.synchronizer(source)!.physicalId,
    target: ledger.synchronizer(target)!.physicalId,
    contractIds: batch.map(({ contractId }) => contractId),
    unassignment: half(source, unassigned),
    assignment: half(target, assigned),
  };
}
