/** The form of signatures by external parties' keys in a request. */
import {
  KEY_SPEC,
  SIGNATURE_ALGORITHM,
  SIGNATURE_FORMAT,
  type PartyKey,
  type Signature,
} from '../topology/party-keys.js';
import type { SignatureForm } from '../model/updates.js';

const ED25519 = {
  size: 64,
  format: SIGNATURE_FORMAT.CONCAT,
  algorithm: SIGNATURE_ALGORITHM.ED25519,
};
/**
 * NOTE: Canton estimates 64 and 96 bytes for signatures of elliptic curves, although signatures in DER format are
 * slightly longer.
 */
const BY_ALGORITHM: Readonly<Record<number, Omit<SignatureForm, 'signedBy'>>> = {
  [SIGNATURE_ALGORITHM.ED25519]: ED25519,
  [SIGNATURE_ALGORITHM.EC_DSA_SHA_256]: {
    size: 64,
    format: SIGNATURE_FORMAT.DER,
    algorithm: SIGNATURE_ALGORITHM.EC_DSA_SHA_256,
  },
  [SIGNATURE_ALGORITHM.EC_DSA_SHA_384]: {
    size: 96,
    format: SIGNATURE_FORMAT.DER,
    algorithm: SIGNATURE_ALGORITHM.EC_DSA_SHA_384,
  },
};

/**
 * The form that a cost estimate expects.
 * @param signedBy a fingerprint; if absent, an unknown one
 */
export const expectedForm = (algorithm: number, signedBy?: string): SignatureForm => ({
  signedBy,
  ...(BY_ALGORITHM[algorithm] ?? ED25519),
});

export function formOf({ keySpec, fingerprint }: PartyKey): SignatureForm {
  if (keySpec === KEY_SPEC.EC_CURVE25519)
    return expectedForm(SIGNATURE_ALGORITHM.ED25519, fingerprint);
  const isLong = keySpec === KEY_SPEC.EC_P384;
  const { EC_DSA_SHA_256, EC_DSA_SHA_384 } = SIGNATURE_ALGORITHM;
  return expectedForm(isLong ? EC_DSA_SHA_384 : EC_DSA_SHA_256, fingerprint);
}

/** The form of an actual signature. */
export const givenForm = ({
  format,
  signature,
  signedBy,
  signingAlgorithmSpec: algorithm,
}: Signature): SignatureForm => ({
  size: signature.length,
  format,
  algorithm,
  signedBy,
});
