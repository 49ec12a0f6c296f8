/** The JSON Ledger API: the facts of its documents, and further facts. */
import { apiOf, type ApiFacts } from '../api.js';
import { releaseName, releaseOf, type ApiVersion } from '../versions.js';
import { cantonFactsOf } from './facts.js';
import { unlistedOperations } from './unlisted.js';

/** The API in a release. Its facts are read when they are first used. */
export function ledgerApi(version: ApiVersion): ApiFacts {
  return apiOf(
    {
      api: 'ledger',
      openapi: '3.0.3',
      title: 'JSON Ledger API HTTP endpoints',
      get version() {
        const isOwn = releaseName(version) !== version;
        return isOwn ? cantonFactsOf(version).document : releaseOf(version).version;
      },
      basePath: '',
      securitySchemes: {
        apiKeyAuth: { type: 'apiKey', name: 'Sec-WebSocket-Protocol', in: 'header' },
        httpAuth: { type: 'http', scheme: 'bearer' },
      },
    },
    () => {
      const { schemas, operations } = cantonFactsOf(version);
      return [{ schemas, operations: [...operations, ...unlistedOperations(operations)] }];
    },
  );
}
