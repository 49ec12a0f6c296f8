/**
 * How an SV onboards validators: it records a secret, and the validator that presents the secret gets a licence (ValidatorOnboarding,
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

/** The lifetime of a secret in microseconds: one hour. */
const ONBOARDING_LIFETIME = 3_600_000_000n;

export interface NewValidator {
  readonly party: Party;
  /** The version in the licence; absent if undefined. */
  readonly version?: string;
  /** The contact point in the licence: empty by default, as on a LocalNet; absent if null. */
  readonly contactPoint?: string | null;
}

/** An SV that onboards validators, with its participant. */
export interface Sponsor {
  readonly dso: Dso;
  readonly sv: Party;
  readonly submitter: Submitter;
}

/** Whether the package for secrets is available. Without it, the SV creates licences only. */
export function hasSecrets({ submitter }: Sponsor): boolean {
  return submitter.participant.packages.packageIdForName(LIFECYCLE) !== undefined;
}

/**
 * @param lifetime microseconds
 * @returns the ValidatorOnboarding
 */
export function expectValidator(
  { dso, sv, submitter }: Sponsor,
  candidateSecret: string,
  lifetime = ONBOARDING_LIFETIME,
): ContractId {
  const expiresAt = formatTimestampMicros(dso.network.clock.now() + lifetime);
  return submitter.create(ONBOARDING, { sv, candidateSecret, expiresAt }, { actAs: [sv] });
}

/**
 * Grants the licence and uses up the secret, in one transaction.
 * @param onboarding the ValidatorOnboarding, and the secret in it
 * @throws LedgerError if the ledger refuses it, for example because the secret has expired
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
