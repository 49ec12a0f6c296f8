/** The validator's users: they register, or its operator onboards, lists and offboards them (V-REG-002 to V-REG-009, V-USR-*). */
import { offboardUser, onboardUser } from '../../splice/validators/onboarding.js';
import { installedWallets } from '../../splice/validators/wallets.js';
import type { SomeHandlers } from '../handler.js';
import { MAX_ITEMS } from '../scan/formats/requests.js';

export const userHandlers = {
  register: ({ splice, validator, userId: userName }) => ({
    party_id: onboardUser(splice.dsoParty, validator, { userName }),
  }),
  onboardUser: ({ splice, validator }, { body }) => ({
    party_id: onboardUser(splice.dsoParty, validator, {
      userName: body.name,
      party: body.party_id,
      createPartyIfMissing: body.createPartyIfMissing,
    }),
  }),
  /** The first users up to the maximum; there is no paging (V-GEN-021). */
  listUsers: ({ validator }) => ({
    usernames: installedWallets(validator)
      .slice(0, MAX_ITEMS)
      .map(({ userName }) => userName),
  }),
  offboardUser: ({ validator }, { query }) => {
    offboardUser(validator, query.username);
    return undefined;
  },
} satisfies SomeHandlers<'validator'>;
