/**
 * What a prepared transaction would cost in traffic. NOTE: a participant weighs the encrypted request that it would send; here
 * the size of the message stands for that, so the numbers are of the right order, and always the same.
 */
import type { Transaction } from '../../daml/model/transaction.js';
import type { Timestamp } from '../../daml/model/values.js';
import { KEY_SPEC, SIGNATURE_ALGORITHM } from '../topology/party-keys.js';
import type { ExternalParty } from '../topology/external-parties.js';
import { REQUEST_BASE, VIEW_OVERHEAD } from '../submission/traffic-cost.js';

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

const SIGNATURE_BYTES: Readonly<Record<number, number>> = {
  [SIGNATURE_ALGORITHM.ED25519]: 64,
  [SIGNATURE_ALGORITHM.EC_DSA_SHA_256]: 64,
  [SIGNATURE_ALGORITHM.EC_DSA_SHA_384]: 96,
};
/** Fingerprint, format and algorithm around a signature. */
const SIGNATURE_ENVELOPE = 90;
const RESPONSE = 950;

export function estimateCost(
  encoded: Uint8Array,
  { nodes }: Transaction,
  parties: readonly (ExternalParty | undefined)[],
  { expectedSignatures }: CostHints,
  estimatedAt: Timestamp,
): CostEstimation {
  const signatures =
    expectedSignatures.length > 0 ? expectedSignatures : parties.flatMap(thresholdSignatures);
  const signed = signatures.reduce(
    (sum, each) => sum + SIGNATURE_ENVELOPE + (SIGNATURE_BYTES[each] ?? 64),
    0,
  );
  return {
    estimatedAt,
    confirmationRequest: REQUEST_BASE + encoded.length + VIEW_OVERHEAD * nodes.length + signed,
    confirmationResponse: RESPONSE,
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
