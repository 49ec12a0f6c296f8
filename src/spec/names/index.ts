/** The API of the name service, which a validator serves to its users, with Scan's messages of contracts and errors. */
import { apiOf, carried, type ApiFacts } from '../api.js';
import { scan } from '../scan/index.js';

export const names: ApiFacts = apiOf(
  {
    api: 'names',
    openapi: '3.0.0',
    title: 'ANS API',
    version: '0.0.1',
    basePath: '/api/validator',
  },
  () => [
    { schemas: scan.schemas },
    ...Object.values(carried(require('../facts/names.json') as object)),
  ],
);
