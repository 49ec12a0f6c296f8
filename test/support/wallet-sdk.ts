/** How tests set up the official wallet SDK: a user with a token of its own making, and no log. */
import { CustomLogAdapter } from '@canton-network/wallet-sdk';

const USER = 'ledger-api-user';
export const auth = {
  method: 'self_signed' as const,
  issuer: 'unsafe-auth',
  credentials: {
    clientId: USER,
    clientSecret: 'unsafe',
    audience: 'https://canton.network.global',
    scope: '',
  },
};
export const logAdapter = new CustomLogAdapter(() => {});
