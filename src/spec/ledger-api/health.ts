// Facts of JSON Ledger API HTTP endpoints 3.4.12-SNAPSHOT, 3.5.14, 3.6.0-SNAPSHOT, carried by scripts/carry-spec.mjs: do not edit by hand.
import type { OperationFacts } from '../schema.js';

export const operations: readonly OperationFacts[] = [
  {
    operationId: 'getLivez',
    method: 'get',
    path: '/livez',
    responses: {
      '200': {},
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
    since: '3.5',
  },
  {
    operationId: 'getReadyz',
    method: 'get',
    path: '/readyz',
    responses: {
      '200': { contentType: 'text/plain', schema: { type: 'string' } },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
    since: '3.5',
  },
];
