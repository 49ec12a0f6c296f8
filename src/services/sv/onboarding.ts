/** The onboarding of validators and SVs by an SV's app (B-019 to B-022). */
import { latestOf } from '../../splice/dso/amulet-contracts.js';
import { confirmedCandidate, refuseCandidate, standingOf } from '../../splice/sv/candidates.js';
import { shownSecret } from '../../splice/sv/onboarding-secrets.js';
import { sequencerOnboardingState } from '../../splice/sv/sequencer-onboarding.js';
import { newSecret, ongoingOnboardings, takeIn } from '../../splice/sv/validators.js';
import { HttpRefusal, Reply, type SomeHandlers } from '../handler.js';
import { contractJson } from '../scan/formats/contracts.js';
import { amuletLookupHandlers } from '../scan/rounds-and-rules/amulet-lookups.js';
import { svNode } from './sv-context.js';

const SECOND = 1_000_000n;
const HOUR = 3600n * SECOND;

export const onboardingHandlers = {
  listValidatorLicenses: (context, input) =>
    amuletLookupHandlers.listValidatorLicenses(context, { ...input }),
  listOngoingValidatorOnboardings: (context) => ({
    ongoing_validator_onboardings: ongoingOnboardings(svNode(context)).map(
      ({ onboarding, secret }) => ({
        encoded_secret: shownSecret(secret),
        contract: contractJson(context.splice, onboarding),
        party_hint: secret.partyHint,
      }),
    ),
  }),
  prepareValidatorOnboarding: (context, { body: { expires_in: seconds, party_hint: hint } }) => ({
    secret: shownSecret(newSecret(svNode(context), BigInt(seconds) * SECOND, hint)),
  }),
  devNetOnboardValidatorPrepare: (context) => {
    if (latestOf(context.splice, 'rules')?.payload.isDevNet !== true)
      throw new HttpRefusal(
        501,
        'Validator onboarding preparation self-service is only available in DevNet.',
      );
    return new Reply(shownSecret(newSecret(svNode(context), HOUR)), { contentType: 'text/plain' });
  },
  onboardValidator: (context, { body }) => {
    takeIn(svNode(context), {
      party: body.party_id,
      secret: body.secret,
      version: body.version,
      contactPoint: body.contact_point,
    });
  },
  startSvOnboarding: (context, { body: { token } }) => refuseCandidate(svNode(context), token),
  getSvOnboardingStatus: (context, { path: { candidate_party_id_or_name: candidate } }) => {
    const standing = standingOf(svNode(context), candidate);
    if (standing.state === 'unknown') return { state: 'unknown' };
    const { state, name, contractId } = standing;
    return { state, name, contract_id: contractId };
  },
  /** The other participant must propose to host the DSO first, which is not possible here. */
  onboardSvPartyMigrationAuthorize: (context, { body: { candidate_party_id: party } }) => {
    confirmedCandidate(svNode(context), party);
    const proposal = { party_to_participant_base_serial: 1 };
    return new Reply({ proposal_not_found: proposal }, { status: 400 });
  },
  /** If the sequencer is not in the state of the synchronizer, the SV waits until the request times out with 503. */
  onboardSvSequencer: ({ splice }, { body: { sequencer_id: sequencer } }) => {
    const state = sequencerOnboardingState(splice.network, sequencer);
    if (state === undefined) return new Promise<never>(() => undefined);
    return { onboarding_state: Buffer.from(state).toString('base64') };
  },
} satisfies SomeHandlers<'sv'>;
