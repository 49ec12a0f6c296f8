/** Whether the external parties of a submission signed it, with enough of their keys (B-INT-019, B-INT-020, B-INT-023). */
import { toHex } from '../daml/hash.js';
import type { Party } from './ids.js';
import { isValidSignature, KEY_USAGE, type Signature } from './external-keys.js';
import type { SigningKeys } from './external-topology.js';
import type { Protocol } from './protocol.js';

/** More from one party are refused without a look at them. */
const MAX_SIGNATURES_PER_PARTY = 50;

/** @returns what is missing, as a text; signatures of others than the submitters count for nothing */
export function verifyPartySignatures(
  { limitsSignatures }: Protocol,
  hash: Uint8Array,
  signatures: ReadonlyMap<Party, readonly Signature[]>,
  actAs: readonly Party[],
  keysOf: (party: Party) => SigningKeys | undefined,
): string | undefined {
  const flooding = [...signatures.values()].some(({ length }) => length > MAX_SIGNATURES_PER_PARTY);
  if (flooding)
    return `One or more parties provided more than the maximum number of signatures allowed (${MAX_SIGNATURES_PER_PARTY})`;
  const unsigned = actAs.filter((party) => !signatures.has(party));
  if (unsigned.length > 0)
    return `The following actAs parties did not provide an external signature: ${unsigned.join(', ')}`;
  for (const party of actAs) {
    const fault = faultOf(party, hash, signatures.get(party)!, keysOf(party), limitsSignatures);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOf(
  party: Party,
  hash: Uint8Array,
  given: readonly Signature[],
  signing: SigningKeys | undefined,
  isLimited: boolean,
): string | undefined {
  if (signing === undefined) return `Could not find party signing keys for ${party}.`;
  const usable = signing.keys.filter(({ usage }) => usage.includes(KEY_USAGE.PROTOCOL));
  if (isLimited && given.length > usable.length)
    return `${given.length} external signatures were provided, which is more than the number of registered signing keys (${usable.length}) with protocol usage for ${party}`;
  const valid = given.filter((each) =>
    usable.some((key) => key.fingerprint === each.signedBy && isValidSignature(hash, key, each)),
  );
  const signers = new Set(valid.map(({ signedBy }) => signedBy));
  if (signers.size >= signing.threshold) return undefined;
  return (
    `Received ${signers.size} valid signatures from distinct keys (${given.length - valid.length} invalid), but expected at least ${signing.threshold} valid for ${party}. ` +
    `Transaction hash to be signed: ${toHex(hash)}. Ensure the correct transaction hash is signed with the correct key(s).`
  );
}
