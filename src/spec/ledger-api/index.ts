/** The JSON Ledger API: the facts of its documents, and further facts. */
import { releaseOf } from '../versions.js';
import { apiOf, carried, type ApiFacts } from '../api.js';
import facts from '../facts/ledger-api.json' with { type: 'json' };
import { unlistedHealth } from './unlisted.js';

export const ledgerApi: ApiFacts = apiOf(
  {
    api: 'ledger',
    openapi: '3.0.3',
    title: 'JSON Ledger API HTTP endpoints',
    version: releaseOf().version,
    basePath: '',
    securitySchemes: {
      apiKeyAuth: { type: 'apiKey', name: 'Sec-WebSocket-Protocol', in: 'header' },
      httpAuth: { type: 'http', scheme: 'bearer' },
    },
  },
  () => {
    const services = carried(facts);
    return [...Object.values(services), { operations: unlistedHealth(services) }];
  },
);
