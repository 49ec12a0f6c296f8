/** The wallet's API, which a validator serves to its users: for the wallet's own web app, and for other apps. */
import { apiOf, carried, type ApiFacts } from '../api.js';

export const wallet: ApiFacts = apiOf(
  {
    api: 'wallet',
    openapi: '3.0.0',
    title: 'Wallet API',
    version: '0.0.1',
    basePath: '/api/validator',
  },
  () => Object.values(carried(require('../facts/wallet.json') as object)),
);
