/** The token standard's registry API: a service for each official document; both versions share their messages. */
import { apiOf } from '../api.js';
import { perRelease, servicesIn } from '../splice/facts.js';

export const registry = perRelease((version) =>
  apiOf(
    {
      api: 'registry',
      openapi: '3.0.0',
      title: 'Token standard registry API',
      version: '2.0.0',
      basePath: '',
    },
    () => servicesIn('registry', version, () => require('../facts/registry.json')),
  ),
);
