/**
 * Onboards the validators of a new network: the SV's validator gets its licence directly, each other one with a secret, as on a LocalNet.
 */
import { expectValidator, hasSecrets, onboardValidator, type Sponsor } from '../dso/onboarding.js';
import type { Splice } from '../splice.js';
import type { Validator } from '../validators/validator.js';

export function onboardValidators(splice: Splice, sponsor: Sponsor): void {
  const { validators } = splice;
  const own = validators.find(({ party }) => party === sponsor.sv);
  const others = validators.filter((each) => each !== own);
  const licenceOf = ({ party, participant }: Validator) => ({
    party,
    version: splice.releaseAt(participant.name).version,
    contactPoint: '',
  });
  if (own !== undefined) onboardValidator(sponsor, licenceOf(own));
  const secrets = hasSecrets(sponsor)
    ? others.map(({ participant: { name } }) => {
        const secret = `${name}-validator-onboarding-secret`;
        return { secret, contractId: expectValidator(sponsor, secret) };
      })
    : [];
  others.forEach((each, index) => onboardValidator(sponsor, licenceOf(each), secrets[index]));
}
