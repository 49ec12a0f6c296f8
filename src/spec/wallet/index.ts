/** The wallet's API, which a validator serves to its users: for the wallet's own web app, and for other apps. */
import { apiOf } from '../api.js';
import { perRelease, servicesIn } from '../splice/facts.js';

export const wallet = perRelease((version) =>
  apiOf(
    {
      api: 'wallet',
      openapi: '3.0.0',
      title: 'Wallet API',
      version: '0.0.1',
      basePath: '/api/validator',
    },
    () => servicesIn('wallet', version, () => require('../facts/wallet.json')),
  ),
);
