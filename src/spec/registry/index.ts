/** The token standard's registry API: a service for each official document; both versions share their messages. */
import { apiOf, carried, type ApiFacts } from '../api.js';

export const registry: ApiFacts = apiOf(
  {
    api: 'registry',
    openapi: '3.0.0',
    title: 'Token standard registry API',
    version: '2.0.0',
    basePath: '',
  },
  () => Object.values(carried(require('../facts/registry.json') as object)),
);
