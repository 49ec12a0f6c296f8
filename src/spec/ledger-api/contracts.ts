// Facts of JSON Ledger API HTTP endpoints 3.4.12-SNAPSHOT, 3.5.14, 3.6.0-SNAPSHOT, carried by scripts/carry-spec.mjs: do not edit by hand.
import type { Schemas, OperationFacts } from '../schema.js';

export const schemas: Schemas = {
  GetContractRequest: {
    type: 'object',
    required: ['contractId'],
    properties: {
      contractId: { type: 'string' },
      queryingParties: { type: 'array', items: { type: 'string' } },
    },
  },
  GetContractResponse: {
    type: 'object',
    required: ['createdEvent'],
    properties: { createdEvent: { $ref: '#/components/schemas/CreatedEvent' } },
  },
};

export const operations: readonly OperationFacts[] = [
  {
    operationId: 'postV2ContractsContract-by-id',
    method: 'post',
    path: '/v2/contracts/contract-by-id',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/GetContractRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetContractResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
];
