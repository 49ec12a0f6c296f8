/** The API of an SV's app: how validators and SVs are taken in, and what an SV's operator asks for and votes on. */
import { apiOf, carried, type ApiFacts } from '../api.js';
import { scan } from '../scan/index.js';

export const sv: ApiFacts = apiOf(
  {
    api: 'sv',
    openapi: '3.0.0',
    title: 'SV API',
    version: '0.0.1',
    basePath: '/api/sv',
  },
  () => [
    { schemas: scan.schemas },
    ...Object.values(carried(require('../facts/sv.json') as object)),
  ],
);
