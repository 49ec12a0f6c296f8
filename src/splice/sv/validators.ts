/** How an SV takes in validators that are not there yet: it gives out secrets, and whoever shows one gets a licence (B-019 to B-022). */
import { uniqueIdentifierFault } from '../../daml/model/identifiers.js';
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

/** Whom the SV expects, in the order in which it gave the secrets out. */
export function ongoingOnboardings({ node, sv }: SvNode): readonly Ongoing[] {
  return node.contracts('validatorOnboarding', sv).map((onboarding) => ({
    onboarding,
    secret: readSecret(onboarding.payload.candidateSecret as string, sv),
  }));
}

/**
 * A new secret, noted on the ledger.
 * @param lifetime in microseconds
 * @throws LedgerError for what the ledger refuses
 */
export function newSecret(
  { node, sv, sponsor }: SvNode,
  lifetime: bigint,
  partyHint?: string,
): OnboardingSecret {
  const { journal, random } = node.dso.network;
  // Where it is refused, nothing was drawn.
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
 * Gives a validator its licence, and uses its secret up. Who has been taken in already stays so.
 * @throws AppRefusal 400 or 401, LedgerError for what the ledger refuses, as a secret that is over
 */
export function takeIn(svNode: SvNode, { party, secret, version, contactPoint }: Applicant): void {
  const { sv, sponsor } = svNode;
  const fault = uniqueIdentifierFault(party);
  if (fault !== undefined) throw new AppRefusal(400, fault);
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

/** A secret is used once, and whoever used it may show it again. */
function requireUsedBy({ node, sv }: SvNode, secret: string, validator: Party): void {
  const used = node
    .contracts('usedSecret', sv)
    .find(({ payload }) => readSecret(payload.secret as string, sv).secret === secret);
  if (used === undefined) throw new AppRefusal(401, 'Unknown secret.');
  if (used.payload.validator !== validator)
    throw new AppRefusal(401, 'Secret has already been used for a different validator.');
}
