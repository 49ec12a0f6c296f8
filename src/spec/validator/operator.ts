/** What a wallet asks the validator about itself. Its administration is not simulated. */
import type { OperationFacts, Schemas } from '../schema.js';

export const schemas: Schemas = {
  GetValidatorUserInfoResponse: {
    type: 'object',
    required: ['party_id', 'user_name', 'featured'],
    properties: {
      party_id: { type: 'string' },
      user_name: { type: 'string' },
      featured: { type: 'boolean' },
    },
  },
};

export const operations: readonly OperationFacts[] = [
  { operationId: 'isReady', method: 'get', path: '/readyz', responses: { '200': {}, '503': {} } },
  { operationId: 'isLive', method: 'get', path: '/livez', responses: { '200': {}, '503': {} } },
  {
    operationId: 'getValidatorUserInfo',
    method: 'get',
    path: '/v0/validator-user',
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetValidatorUserInfoResponse' },
      },
    },
  },
];
