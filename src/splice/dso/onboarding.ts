/**
 * How an SV takes in validators: it notes a secret that it gives away, and whoever shows it has a licence (ValidatorOnboarding,
 * UsedSecret and ValidatorLicense).
 */
import { formatTimestampMicros } from '../../daml/model/time.js';
import type { ContractId, Party } from '../../daml/model/values.js';
import type { Submitter } from '../submitter.js';
import { latestOf } from './amulet-contracts.js';
import type { Dso } from './dso.js';

const LIFECYCLE = 'splice-validator-lifecycle';
const ONBOARDING = `#${LIFECYCLE}:Splice.ValidatorOnboarding:ValidatorOnboarding`;
const DSO_RULES = '#splice-dso-governance:Splice.DsoRules:DsoRules';

/** How long a secret may be shown, in microseconds: an hour. */
const ONBOARDING_LIFETIME = 3_600_000_000n;

export interface NewValidator {
  readonly party: Party;
  /** As its licence says; without a version it says nothing of it. */
  readonly version?: string;
  /** Empty where absent, as a LocalNet's are; null for none. */
  readonly contactPoint?: string | null;
}

/** A sponsor at its participant. */
export interface Sponsor {
  readonly dso: Dso;
  readonly sv: Party;
  readonly submitter: Submitter;
}

/** Whether the package for secrets is there; without, licences are given alone. */
export function hasSecrets({ submitter }: Sponsor): boolean {
  return submitter.participant.packages.packageIdForName(LIFECYCLE) !== undefined;
}

/** @param lifetime microseconds @returns the ValidatorOnboarding */
export function expectValidator(
  { dso, sv, submitter }: Sponsor,
  candidateSecret: string,
  lifetime = ONBOARDING_LIFETIME,
): ContractId {
  const expiresAt = formatTimestampMicros(dso.network.clock.now() + lifetime);
  return submitter.create(ONBOARDING, { sv, candidateSecret, expiresAt }, { actAs: [sv] });
}

/**
 * One transaction: the licence, and the secret used up.
 * @param onboarding the ValidatorOnboarding, and the secret that it holds
 * @throws LedgerError for what the ledger refuses, as a secret that is over
 */
export function onboardValidator(
  { dso, sv, submitter }: Sponsor,
  { party, version, contactPoint = '' }: NewValidator,
  onboarding?: { readonly contractId: ContractId; readonly secret: string },
): void {
  const licence = submitter.command(
    DSO_RULES,
    latestOf(dso, 'dsoRules')!.contractId,
    'DsoRules_OnboardValidator',
    { sponsor: sv, validator: party, version: version ?? null, contactPoint },
  );
  const match = onboarding && [
    submitter.command(ONBOARDING, onboarding.contractId, 'ValidatorOnboarding_Match', {
      providedSecret: onboarding.secret,
      validator: party,
    }),
  ];
  submitter.submit([licence, ...(match ?? [])], { actAs: [sv], readAs: [dso.dsoParty] });
}
