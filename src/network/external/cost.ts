/**
 * Estimates the traffic cost of a prepared transaction: its request, with the expected signatures, and its
 * confirmation.
 */
import type { Transaction } from '../../daml/model/transaction.js';
import type { Party, Timestamp } from '../../daml/model/values.js';
import type { SynchronizerId } from '../model/ids.js';
import type { Participant } from '../participant.js';
import type { Submission } from '../submission/submission.js';
import { responseCost } from '../traffic/confirmation-response.js';
import { expectedForm, formOf } from '../traffic/signature-forms.js';
import { costOfTransaction } from '../traffic/update-cost.js';
import type { ExternalAuthorization, SignatureForm } from '../model/updates.js';

export interface CostHints {
  /** Algorithms of the expected signatures; if empty, the thresholds of the parties decide. */
  readonly expectedSignatures: readonly number[];
}

/** In bytes, like all traffic. */
export interface RequestAndResponse {
  readonly request: number;
  readonly response: number;
}

export interface CostEstimation extends RequestAndResponse {
  readonly estimatedAt: Timestamp;
}

/** In place of future ids, with the same compressibility: two ids differ. */
const SUBMISSION_ID = '6f1ad2c4-93b7-4e58-a0cd-7be9154f3c82';
const WORKFLOW_ID = 'e40c87b5-2d6f-4a19-8b3e-c95071fa64d8';
const HASHING_VERSION = 2;

export function estimateCost(
  participant: Participant,
  synchronizerId: SynchronizerId,
  transaction: Transaction,
  { actAs, userId }: Pick<Submission, 'actAs' | 'userId'>,
  commandId: string,
  { expectedSignatures }: CostHints,
  estimatedAt: Timestamp,
): CostEstimation {
  const { ledger, id } = participant;
  const parties = actAs.flatMap((party) => {
    const signatures = signaturesOf(participant, synchronizerId, party, expectedSignatures);
    return signatures.length > 0 ? [{ party, signatures }] : [];
  });
  const external: ExternalAuthorization | undefined =
    parties.length === 0
      ? undefined
      : { parties, hashingVersion: HASHING_VERSION, hasMaxRecordTime: false };
  const request = () =>
    costOfTransaction(participant, synchronizerId, transaction, {
      ...{ participantId: id, actAs, userId, commandId, external },
      submissionId: SUBMISSION_ID,
      workflowId: external === undefined ? WORKFLOW_ID : '',
      deduplicationPeriod: { kind: 'offset', offset: 0 },
      recordTime: estimatedAt,
    });
  return {
    estimatedAt,
    request: ledger.traffic.cost(request),
    response: estimateResponse(participant, synchronizerId, actAs, estimatedAt),
  };
}

/**
 * The cost of the participant's confirmation.
 * @param parties those that have to confirm; the participant confirms for the parties that it hosts
 */
export function estimateResponse(
  participant: Participant,
  synchronizerId: SynchronizerId,
  parties: readonly Party[],
  estimatedAt: Timestamp,
): number {
  const { ledger, id } = participant;
  const { physicalId, foundedBy } = ledger.synchronizer(synchronizerId)!;
  // The SVs of a Splice network confirm without traffic costs (A-TRF-008).
  if (foundedBy !== undefined) return 0;
  const confirming = parties.filter((party) => participant.hosts(party));
  return ledger.traffic.cost(() => responseCost(physicalId, id, estimatedAt, [id, ...confirming]));
}

/** The hinted signatures, with unknown keys; without hints, as many as the party's threshold. */
function signaturesOf(
  { ledger }: Participant,
  synchronizerId: SynchronizerId,
  party: Party,
  hinted: readonly number[],
): readonly SignatureForm[] {
  const signing = ledger.externalParties.get(party, synchronizerId);
  if (signing !== undefined && hinted.length > 0)
    return hinted.map((algorithm) => expectedForm(algorithm));
  return (signing?.keys ?? []).slice(0, signing?.threshold).map(formOf);
}
