/**
 * Tokens that an external party signs with its own key, for a user whose primary party it is (B-AUTH-042).
 * NOTE: only the log has the reason for rejecting a token, partly in Canticle's words.
 */
import {
  derSignature,
  isValidSignature,
  KEY_USAGE,
  SIGNATURE_ALGORITHM,
  SIGNATURE_FORMAT,
  type Signature,
} from '../../network/topology/party-keys.js';
import type { Participant } from '../../network/participant.js';
import type { TokenFacts } from './claim-set.js';
import { parseJwt, TokenRefused, type Jwt, type Payload } from './jwt.js';
import { AUDIENCE_PREFIX } from './token-format.js';
import { requireCurrent, type VerifierRules } from './verifier.js';

type Facts = TokenFacts & { readonly userId: string };

/** The algorithms of tokens, with those of Canton's keys, and the bytes of a signature. */
const ALGORITHMS = new Map<
  unknown,
  { readonly spec: Signature['signingAlgorithmSpec']; readonly bytes: number }
>([
  ['EdDSA', { spec: SIGNATURE_ALGORITHM.ED25519, bytes: 64 }],
  ['ES256', { spec: SIGNATURE_ALGORITHM.EC_DSA_SHA_256, bytes: 64 }],
  ['ES384', { spec: SIGNATURE_ALGORITHM.EC_DSA_SHA_384, bytes: 96 }],
]);

/** The claim whose members name the user and the synchronizer. */
const CLAIM = 'daml.com';

/** @throws TokenRefused */
export function partyTokenFacts(
  token: string,
  participant: Participant,
  rules: VerifierRules,
): Facts {
  const jwt = parseJwt(token);
  if (jwt.header['typ'] !== 'JWT') throw new TokenRefused('Invalid kty');
  const { payload } = jwt;
  const { party, userId, synchronizerId } = namesIn(payload);
  const audience = payload['aud'];
  if (audience !== participant.id && audience !== AUDIENCE_PREFIX + participant.id)
    throw new TokenRefused('Invalid participant ID');
  const user = participant.users.lookup(userId)?.user;
  if (user === undefined || user.identityProviderId !== '')
    throw new TokenRefused('Could not retrieve user');
  if (!user.primaryPartyAuthentication)
    throw new TokenRefused('primaryPartyAuthentication is not enabled');
  if (user.primaryParty !== party) throw new TokenRefused('primaryParty mismatch');
  if (!isSignedBy(jwt, party, participant, synchronizerId))
    throw new TokenRefused('Could not verify JWT token');
  requireCurrent(payload, rules.now(), rules);
  const { exp } = payload;
  const expiresAt = typeof exp === 'number' ? Math.trunc(exp) * 1000 : undefined;
  return { userId, participantId: participant.id, expiresAt, identityProviderId: undefined };
}

/** A missing name is empty, which no user, party or synchronizer has. */
function namesIn(payload: Payload) {
  const own = payload[CLAIM] as Payload | null | undefined;
  return {
    party: textOf(payload['iss']),
    userId: textOf(own?.['usr']),
    synchronizerId: textOf(own?.['syn']),
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function isSignedBy(
  { header, signed, signature }: Jwt,
  party: string,
  { ledger, connected }: Participant,
  synchronizerId: string,
): boolean {
  const algorithm = ALGORITHMS.get(header['alg']);
  if (algorithm === undefined || signature.length !== algorithm.bytes) return false;
  if (!connected.includes(synchronizerId)) return false;
  const signing = ledger.externalParties.get(party, synchronizerId);
  // One signature cannot reach a higher threshold.
  if (signing === undefined || signing.threshold > 1) return false;
  const isEdwards = algorithm.spec === SIGNATURE_ALGORITHM.ED25519;
  const given = {
    format: isEdwards ? SIGNATURE_FORMAT.CONCAT : SIGNATURE_FORMAT.DER,
    signature: isEdwards ? signature : derSignature(signature),
    signingAlgorithmSpec: algorithm.spec,
  };
  const bytes = Buffer.from(signed);
  return signing.keys
    .filter(({ usage }) => usage.includes(KEY_USAGE.PROTOCOL))
    .some((key) => isValidSignature(bytes, key, { ...given, signedBy: key.fingerprint }));
}
