/** The API of an SV app: the onboarding of validators and SVs, and the requests and votes of an SV's operator. */
import { apiOf } from '../api.js';
import { perRelease, servicesIn } from '../splice/facts.js';
import { scan } from '../scan/index.js';

export const sv = perRelease((version) =>
  apiOf(
    {
      api: 'sv',
      openapi: '3.0.0',
      title: 'SV API',
      version: '0.0.1',
      basePath: '/api/sv',
    },
    () => [
      { schemas: scan(version).schemas },
      ...servicesIn('sv', version, () => require('../facts/sv.json')),
    ],
  ),
);
