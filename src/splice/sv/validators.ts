/** Onboarding of new validators by an SV: it issues secrets, and a validator that presents one gets a licence (B-019 to B-022). */
import { uniqueIdentifierError } from '../../daml/model/identifiers.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { Party } from '../../daml/model/values.js';
import { AppRefusal } from '../app-refusal.js';
import { expectValidator, onboardValidator } from '../dso/onboarding.js';
import type { SvNode } from './sv-node.js';
import { notedSecret, readSecret, type OnboardingSecret } from './onboarding-secrets.js';

export interface Ongoing {
  readonly onboarding: ContractInstance;
  readonly secret: OnboardingSecret;
}

/** Pending onboardings, in the order in which the SV issued their secrets. */
export function ongoingOnboardings({ node, sv }: SvNode): readonly Ongoing[] {
  return node.contracts('validatorOnboarding', sv).map((onboarding) => ({
    onboarding,
    secret: readSecret(onboarding.payload.candidateSecret as string, sv),
  }));
}

/**
 * Creates a secret and records it on the ledger.
 * @param lifetime in microseconds
 * @throws LedgerError if the ledger refuses it
 */
export function newSecret(
  { node, sv, sponsor }: SvNode,
  lifetime: bigint,
  partyHint?: string,
): OnboardingSecret {
  const { journal, random } = node.dso.network;
  // A refused secret consumes no random values.
  return journal.atomically(() => {
    const drawn = Buffer.from(random.hex('validator onboarding'), 'hex');
    const secret = { sponsoringSv: sv, secret: drawn.toString('base64'), partyHint };
    expectValidator(sponsor, notedSecret(secret), lifetime);
    return secret;
  });
}

export interface Applicant {
  readonly party: string;
  readonly secret: string;
  readonly version?: string | undefined;
  readonly contactPoint?: string | undefined;
}

/**
 * Grants a validator its licence and uses up its secret. It has no effect for a validator that is already onboarded.
 * @throws AppRefusal 400 or 401; LedgerError if the ledger refuses it, for example because the secret has expired
 */
export function takeIn(svNode: SvNode, { party, secret, version, contactPoint }: Applicant): void {
  const { sv, sponsor } = svNode;
  const error = uniqueIdentifierError(party);
  if (error !== undefined) throw new AppRefusal(400, error);
  const given = readSecret(secret, sv);
  if (given.sponsoringSv !== sv)
    throw new AppRefusal(
      400,
      `Secret is for SV ${given.sponsoringSv} but this SV is ${sv}, validate your SV sponsor URL`,
    );
  const expected = ongoingOnboardings(svNode).find((each) => each.secret.secret === given.secret);
  if (expected === undefined) return requireUsedBy(svNode, given.secret, party);
  const { partyHint } = expected.secret;
  if (partyHint !== undefined && partyHint !== party.slice(0, party.indexOf('::')))
    throw new AppRefusal(
      400,
      `The onboarding secret entered does not match the secret issued for validatorPartyHint: ${partyHint}`,
    );
  const isThere = svNode.node
    .contracts('validatorLicense')
    .some(({ payload }) => payload.validator === party);
  if (isThere) return;
  onboardValidator(
    sponsor,
    { party, ...(version !== undefined && { version }), contactPoint: contactPoint ?? null },
    { contractId: expected.onboarding.contractId, secret: notedSecret(expected.secret) },
  );
}

/** A secret is valid once, but its user may present it again. */
function requireUsedBy({ node, sv }: SvNode, secret: string, validator: Party): void {
  const used = node
    .contracts('usedSecret', sv)
    .find(({ payload }) => readSecret(payload.secret as string, sv).secret === secret);
  if (used === undefined) throw new AppRefusal(401, 'Unknown secret.');
  if (used.payload.validator !== validator)
    throw new AppRefusal(401, 'Secret has already been used for a different validator.');
}
