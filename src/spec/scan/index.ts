/** The Scan API of Splice: what its document states, and the paths that it had before. */
import { apiOf, carried, type ApiFacts } from '../api.js';
import facts from '../facts/scan.json' with { type: 'json' };
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
    const services = carried(facts);
    return [...Object.values(services), { operations: earlierPaths(services) }];
  },
);
