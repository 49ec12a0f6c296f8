/** What a prepared transaction would cost in traffic: what its submission weighs, with the signatures that are still to come. */
import type { Transaction } from '../../daml/model/transaction.js';
import type { Timestamp } from '../../daml/model/values.js';
import type { TrafficControl } from '../ledger/traffic.js';
import { KEY_SPEC, SIGNATURE_ALGORITHM } from '../topology/party-keys.js';
import type { ExternalParty } from '../topology/external-parties.js';
import { responseCost, transactionCost } from '../submission/traffic-cost.js';

export interface CostHints {
  /** Algorithms of the signatures to come; empty for what the parties' thresholds ask for. */
  readonly expectedSignatures: readonly number[];
}

export interface CostEstimation {
  readonly estimatedAt: Timestamp;
  /** Bytes, like all traffic. */
  readonly confirmationRequest: number;
  readonly confirmationResponse: number;
}

interface CostConditions {
  readonly estimatedAt: Timestamp;
  readonly traffic: TrafficControl;
  /** Whether confirmations are paid for. */
  readonly paysToConfirm: boolean;
}

const SIGNATURE_BYTES: Readonly<Record<number, number>> = {
  [SIGNATURE_ALGORITHM.ED25519]: 64,
  [SIGNATURE_ALGORITHM.EC_DSA_SHA_256]: 64,
  [SIGNATURE_ALGORITHM.EC_DSA_SHA_384]: 96,
};
const USUAL = 64;

export function estimateCost(
  transaction: Transaction,
  parties: readonly (ExternalParty | undefined)[],
  { expectedSignatures }: CostHints,
  { estimatedAt, traffic, paysToConfirm }: CostConditions,
): CostEstimation {
  const signatures =
    expectedSignatures.length > 0 ? expectedSignatures : parties.flatMap(thresholdSignatures);
  const longer = signatures.reduce(
    (sum, each) => sum + (SIGNATURE_BYTES[each] ?? USUAL) - USUAL,
    0,
  );
  return {
    estimatedAt,
    confirmationRequest: traffic.cost(
      () => transactionCost(transaction, signatures.length) + longer,
    ),
    confirmationResponse: paysToConfirm ? traffic.cost(() => responseCost(transaction)) : 0,
  };
}

/** As many as the party needs, of its keys in their order. */
function thresholdSignatures(party: ExternalParty | undefined): readonly number[] {
  return (party?.keys ?? []).slice(0, party?.threshold).map(({ keySpec }) => {
    if (keySpec === KEY_SPEC.EC_CURVE25519) return SIGNATURE_ALGORITHM.ED25519;
    return keySpec === KEY_SPEC.EC_P384
      ? SIGNATURE_ALGORITHM.EC_DSA_SHA_384
      : SIGNATURE_ALGORITHM.EC_DSA_SHA_256;
  });
}
