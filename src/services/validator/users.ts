/** The validator's users: taken in by themselves or by its operator, listed, and let go (V-REG-002 to V-REG-009, V-USR-*). */
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
  /** No page of it: of more users than a page has, the first are told (V-GEN-021). */
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
