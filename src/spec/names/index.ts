/** The API of the name service, which a validator serves to its users, with Scan's messages of contracts and errors. */
import { apiOf } from '../api.js';
import { perRelease, servicesIn } from '../splice/facts.js';
import { scan } from '../scan/index.js';

export const names = perRelease((version) =>
  apiOf(
    {
      api: 'names',
      openapi: '3.0.0',
      title: 'ANS API',
      version: '0.0.1',
      basePath: '/api/validator',
    },
    () => [
      { schemas: scan(version).schemas },
      ...servicesIn('names', version, () => require('../facts/names.json')),
    ],
  ),
);
