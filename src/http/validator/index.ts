/** The handlers of the validator and its Scan proxy. What it proxies of the registry is the registry itself. */
import { PARTICIPANT_ADMIN_USER } from '../../network/users.js';
import { featuredAppRight } from '../../splice/amulet-contracts.js';
import type { Handlers } from '../handler.js';
import { lookupFeaturedAppRight, lookupTransferPreapproval } from '../scan/contracts.js';

export const handlers: Handlers<'validator'> = {
  isReady: () => undefined,
  isLive: () => undefined,
  getValidatorUserInfo: ({ splice }) => ({
    party_id: splice.validatorParty,
    user_name: PARTICIPANT_ADMIN_USER,
    featured: featuredAppRight(splice, splice.validatorParty) !== undefined,
  }),
  getDsoPartyId: ({ splice }) => ({ dso_party_id: splice.dsoParty }),
  lookupFeaturedAppRight: ({ splice }, { path }) =>
    lookupFeaturedAppRight(splice, path.provider_party_id),
  lookupTransferPreapprovalByParty: ({ splice }, { path }) =>
    lookupTransferPreapproval(splice, path.party),
};
