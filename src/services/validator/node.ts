/** The validator's data about itself: its operator, and its health (V-REG-001, L-HLT-*). */
import { featuredAppRight } from '../../splice/dso/amulet-contracts.js';
import type { SomeHandlers } from '../handler.js';
import { appStatus, nodeVersion, VALIDATOR_PORT } from '../scan/formats/node-status.js';

export const nodeHandlers = {
  isReady: () => undefined,
  isLive: () => undefined,
  getHealthStatus: ({ splice, validator: { participant, adminPort = VALIDATOR_PORT } }) =>
    appStatus(splice, `${participant.name}-validator_backend`, adminPort),
  getVersion: ({ splice, validatorVersion }) => nodeVersion(splice, validatorVersion),
  getValidatorUserInfo: ({ splice, validator: { party, user } }) => ({
    party_id: party,
    user_name: user,
    featured: featuredAppRight(splice, party) !== undefined,
  }),
} satisfies SomeHandlers<'validator'>;
