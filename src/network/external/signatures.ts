/**
 * Verifies that the external parties of a submission signed it, with enough of their keys (B-INT-019, B-INT-020,
 * B-INT-023).
 */
import { abbreviatedId, multihash, type Party } from '../model/ids.js';
import { isValidSignature, KEY_USAGE, type Signature } from '../topology/party-keys.js';
import type { SigningKeys } from '../topology/party-hosting.js';
import type { Protocol } from '../model/protocol.js';

const MAX_SIGNATURES_PER_PARTY = 50;

type Signatures = ReadonlyMap<Party, readonly Signature[]>;

/**
 * More signatures from one party are rejected without verification.
 * NOTE: Canton checks this only if no client waits for the result.
 */
export function signatureCountError(signatures: Signatures): string | undefined {
  const flooding = [...signatures.values()].some(({ length }) => length > MAX_SIGNATURES_PER_PARTY);
  return flooding
    ? `One or more parties provided more than the maximum number of signatures allowed (${MAX_SIGNATURES_PER_PARTY})`
    : undefined;
}

interface Verification {
  readonly hash: Uint8Array;
  readonly actAs: readonly Party[];
  readonly protocol: Protocol;
  readonly keysOf: (party: Party) => SigningKeys | undefined;
}

/** @returns an error text for missing signatures; signatures of other parties are ignored */
export function verifyPartySignatures(
  signatures: Signatures,
  verification: Verification,
): string | undefined {
  const { actAs } = verification;
  const unsigned = actAs.filter((party) => !signatures.has(party));
  if (unsigned.length > 0)
    return `The following actAs parties did not provide an external signature: ${unsigned.join(', ')}`;
  for (const [party, given] of signatures) {
    const error = actAs.includes(party) ? errorOf(party, given, verification) : undefined;
    if (error !== undefined) return error;
  }
  return undefined;
}

function errorOf(
  party: Party,
  given: readonly Signature[],
  { hash, protocol, keysOf }: Verification,
): string | undefined {
  const signing = keysOf(party);
  const shown = abbreviatedId(party);
  if (signing === undefined) return `Could not find party signing keys for ${shown}.`;
  const usable = signing.keys.filter(({ usage }) => usage.includes(KEY_USAGE.PROTOCOL));
  if (protocol.limitsSignatures && given.length > usable.length)
    return `${given.length} external signatures were provided, which is more than the number of registered signing keys (${usable.length}) with protocol usage for ${shown}`;
  const valid = given.filter((each) =>
    usable.some((key) => key.fingerprint === each.signedBy && isValidSignature(hash, key, each)),
  );
  const signers = new Set(valid.map(({ signedBy }) => signedBy));
  if (signers.size >= signing.threshold) return undefined;
  return (
    `Received ${signers.size} valid signatures from distinct keys (${given.length - valid.length} invalid), but expected at least ${signing.threshold} valid for ${shown}. ` +
    `Transaction hash to be signed: ${multihash(hash)}. Ensure the correct transaction hash is signed with the correct key(s).`
  );
}
