/** The API of an SV app: the onboarding of validators and SVs, and the requests and votes of an SV's operator. */
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
