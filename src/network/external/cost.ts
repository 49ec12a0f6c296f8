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

export interface CostEstimation {
  readonly estimatedAt: Timestamp;
  /** Bytes, like all traffic. */
  readonly confirmationRequest: number;
  readonly confirmationResponse: number;
}

/** In place of future ids, with the same compressibility. */
const UUID = '6f1ad2c4-93b7-4e58-a0cd-7be9154f3c82';
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
  const { physicalId, foundedBy } = ledger.synchronizer(synchronizerId)!;
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
      submissionId: UUID,
      workflowId: external === undefined ? UUID : '',
      deduplicationPeriod: { kind: 'offset', offset: 0 },
      recordTime: estimatedAt,
    });
  const confirming = actAs.filter((party) => participant.hosts(party));
  const response = () => responseCost(physicalId, id, estimatedAt, [id, ...confirming]);
  // The SVs of a Splice network confirm without traffic costs (A-TRF-008).
  const paysToConfirm = foundedBy === undefined;
  return {
    estimatedAt,
    confirmationRequest: ledger.traffic.cost(request),
    confirmationResponse: paysToConfirm ? ledger.traffic.cost(response) : 0,
  };
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
