/** The Scan API of Splice: what its document states. */
import { apiOf, carried, type ApiFacts } from '../api.js';

export const scan: ApiFacts = apiOf(
  {
    api: 'scan',
    openapi: '3.0.0',
    title: 'Scan API',
    version: '0.0.1',
    basePath: '/api/scan',
  },
  () => Object.values(carried(require('../facts/scan.json') as object)),
);
