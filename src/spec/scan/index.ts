/** The Scan API of Splice: what its document states, and the paths that it had before. */
import { apiOf, carried, type ApiFacts } from '../api.js';
import { earlierPaths } from './earlier-paths.js';

export const scan: ApiFacts = apiOf(
  {
    api: 'scan',
    openapi: '3.0.0',
    title: 'Scan API',
    version: '0.0.1',
    basePath: '/api/scan',
  },
  () => {
    const services = carried(require('../facts/scan.json') as object);
    return [...Object.values(services), { operations: earlierPaths(services) }];
  },
);
