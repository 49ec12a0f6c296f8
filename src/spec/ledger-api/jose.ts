// Facts of JSON Ledger API HTTP endpoints 3.4.12-SNAPSHOT, 3.5.14, 3.6.0-SNAPSHOT, carried by scripts/carry-spec.mjs: do not edit by hand.
import type { OperationFacts } from '../schema.js';

export const operations: readonly OperationFacts[] = [
  {
    operationId: 'getV2JoseJwks',
    method: 'get',
    path: '/v2/jose/jwks/synchronizer/{synchronizer}/party/{party}',
    parameters: [
      { name: 'synchronizer', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'party', in: 'path', required: true, schema: { type: 'string' } },
    ],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: {
          type: 'object',
          required: ['keys'],
          properties: { keys: { type: 'array', items: { type: 'object' } } },
        },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
    since: '3.6',
  },
];
