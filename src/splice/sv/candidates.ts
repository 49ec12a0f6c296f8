/** SV candidates: their onboarding token, and the status of their onboarding (SvOnboardingRequest and SvOnboardingConfirmed). */
import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { uniqueIdentifierError } from '../../daml/model/identifiers.js';
import { isJsonObject } from '../../daml/model/own-members.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { ContractId, Party } from '../../daml/model/values.js';
import { AppRefusal } from '../app-refusal.js';
import type { SvNode } from './sv-node.js';

const CLAIM = 'https://lfdecentralizedtrust.splice/sv';
const JWT_PROBLEM = 'com.auth0.jwt.exceptions';

interface Candidate {
  readonly name: string;
  readonly key: string;
  readonly party: Party;
  /** `PAR::…`. */
  readonly participantId: string;
}

/**
 * Refuses a candidate. As on a LocalNet, no SV is approved in advance, so that each candidate fails at one of the checks.
 * @throws AppRefusal 400, 401 or 409
 */
export function refuseCandidate({ node }: SvNode, token: string): never {
  const { name, party, participantId } = candidateIn(token);
  const uid = participantId.slice('PAR::'.length);
  if (party.split('::')[1] !== uid.split('::')[1])
    throw new AppRefusal(
      400,
      `Party ${party} does not have the same namespace than its participant ${participantId}.`,
    );
  const { topology, synchronizers } = node.dso.network;
  if (!topology.hosts(party, synchronizers[0]!.id).has(uid))
    throw new AppRefusal(
      409,
      `Candidate party ${party} is not authorized by participant ${participantId}`,
    );
  throw new AppRefusal(
    401,
    `Could not approve SV Identity because of reason: no matching approved SV identity found for ${name}`,
  );
}

/** Verifies an ES256 token that contains its own key. NOTE: for errors inside a claim, the reason is in our words. */
function candidateIn(token: string): Candidate {
  const parts = token.split('.');
  const [head, payload, signature] = parts;
  if (parts.length !== 3 || head === undefined || payload === undefined || signature === undefined)
    throw undecodable(
      `${JWT_PROBLEM}.JWTDecodeException: The token was expected to have 3 parts, but got ${parts.length > 3 ? '> 3' : parts.length === 1 && token === '' ? 0 : parts.length}.`,
    );
  const [header, claims] = [head, payload].map(membersOf);
  const candidate = candidateOf(claims![CLAIM]);
  const key = keyOf(candidate.key);
  if (header!['alg'] !== 'ES256')
    throw undecodable(
      `${JWT_PROBLEM}.AlgorithmMismatchException: The provided Algorithm doesn't match the one defined in the JWT's Header.`,
    );
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${payload}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned)
    throw undecodable(
      `${JWT_PROBLEM}.SignatureVerificationException: The Token's Signature resulted invalid when verified using the Algorithm: SHA256withECDSA`,
    );
  return candidate;
}

function membersOf(part: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    if (isJsonObject(value)) return value;
  } catch {
    // The error below reports it.
  }
  throw undecodable(
    `${JWT_PROBLEM}.JWTDecodeException: The string '${part}' doesn't have a valid JSON format.`,
  );
}

function candidateOf(claim: unknown): Candidate {
  let members: unknown;
  try {
    members = typeof claim === 'string' ? JSON.parse(claim) : undefined;
  } catch {
    members = undefined;
  }
  if (!isJsonObject(members)) throw undecodable(`the claim ${CLAIM} is no JSON object in a text`);
  const text = (name: string): string => {
    const value = (members as Readonly<Record<string, unknown>>)[name];
    if (typeof value !== 'string')
      throw undecodable(`DecodingFailure at .${name}: Missing required field`);
    return value;
  };
  const [name, key, party, participantId, dso] = [
    'name',
    'key',
    'party',
    'participantId',
    'dso',
  ].map(text);
  for (const [member, id] of [
    ['party', party!],
    ['participantId', participantId!.replace(/^PAR::/, '')],
    ['dso', dso!],
  ] as const) {
    const error = uniqueIdentifierError(id);
    if (error !== undefined) throw undecodable(`DecodingFailure at .${member}: ${error}`);
  }
  return { name: name!, key: key!, party: party!, participantId: participantId! };
}

function keyOf(base64: string): KeyObject {
  try {
    const key = createPublicKey({
      key: Buffer.from(base64, 'base64'),
      format: 'der',
      type: 'spki',
    });
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  } catch {
    // The error below reports it.
  }
  throw undecodable('could not parse public key: invalid key format');
}

function undecodable(reason: string): AppRefusal {
  return new AppRefusal(400, `Could not verify and decode token: ${reason}`);
}

/** The onboarding status of an SV candidate. */
export type Standing =
  | { readonly state: 'unknown' }
  | {
      readonly state: 'completed' | 'confirmed';
      readonly name: string;
      readonly contractId: ContractId;
    };

/**
 * @param partyOrName a text in the form of a party id is a party, any other text a name
 * @throws AppRefusal 400 for an empty text
 */
export function standingOf(svNode: SvNode, partyOrName: string): Standing {
  const { node } = svNode;
  const error = uniqueIdentifierError(partyOrName);
  const isParty = error === undefined;
  const completed = node.svs.find(([party, info]) =>
    isParty ? party === partyOrName : info.name === partyOrName,
  );
  if (completed !== undefined)
    return {
      state: 'completed',
      name: completed[1].name as string,
      contractId: node.dsoRules!.contractId,
    };
  const confirmed = node
    .contracts('svOnboardingConfirmed')
    .find(({ payload }) => payload[isParty ? 'svParty' : 'svName'] === partyOrName);
  if (confirmed !== undefined)
    return {
      state: 'confirmed',
      name: confirmed.payload.svName as string,
      contractId: confirmed.contractId,
    };
  const requested = node
    .contracts('svOnboardingRequest')
    .find(({ payload }) => payload[isParty ? 'candidateParty' : 'candidateName'] === partyOrName);
  // The weight of a candidate without approval is unknown.
  if (requested !== undefined)
    throw new AppRefusal(
      404,
      `Candidate ${requested.payload.candidateName as string} not found in approved SV identities.`,
    );
  if (partyOrName === '')
    throw new AppRefusal(
      400,
      `Could not find any party ID or name matching: ${partyOrName}; error: ${error}`,
    );
  return { state: 'unknown' };
}

/**
 * The confirmed candidate that may also host the DSO. There is none, because no node here requests the votes that confirm an SV.
 * @throws AppRefusal 400 or 404
 */
export function confirmedCandidate({ node }: SvNode, party: string): ContractInstance {
  const error = uniqueIdentifierError(party);
  if (error !== undefined) throw new AppRefusal(400, error);
  const confirmed = node
    .contracts('svOnboardingConfirmed')
    .find(({ payload }) => payload.svParty === party);
  if (confirmed === undefined)
    throw new AppRefusal(
      404,
      'Candidate party is not an sv and no `SvOnboardingConfirmed` for the candidate party is found.',
    );
  return confirmed;
}
