/** The Scan API of Splice: what its documents state. */
import { apiOf } from '../api.js';
import { perRelease, servicesIn } from '../splice/facts.js';

export const scan = perRelease((version) =>
  apiOf(
    {
      api: 'scan',
      openapi: '3.0.0',
      title: 'Scan API',
      version: '0.0.1',
      basePath: '/api/scan',
    },
    () => servicesIn('scan', version, () => require('../facts/scan.json')),
  ),
);
