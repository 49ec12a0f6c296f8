// Facts of allocation off-ledger API 1.1.0, carried by scripts/carry-spec.mjs: do not edit by hand.
import type { Schemas, OperationFacts } from '../schema.js';

export const schemas: Schemas = {
  ChoiceContext: {
    type: 'object',
    properties: {
      choiceContextData: { type: 'object' },
      disclosedContracts: {
        type: 'array',
        items: { $ref: '#/components/schemas/DisclosedContract' },
      },
    },
    required: ['choiceContextData', 'disclosedContracts'],
  },
  DisclosedContract: {
    type: 'object',
    properties: {
      templateId: { type: 'string' },
      contractId: { type: 'string' },
      createdEventBlob: { type: 'string' },
      synchronizerId: { type: 'string' },
      debugPackageName: { type: 'string', 'x-omit-null': true },
      debugPayload: { type: 'object', 'x-omit-null': true },
      debugCreatedAt: { type: 'string', format: 'date-time', 'x-omit-null': true },
    },
    required: ['templateId', 'contractId', 'createdEventBlob', 'synchronizerId'],
  },
  ErrorResponse: { type: 'object', required: ['error'], properties: { error: { type: 'string' } } },
  GetChoiceContextRequest: {
    type: 'object',
    properties: {
      meta: { type: 'object', additionalProperties: { type: 'string' } },
      excludeDebugFields: { default: false, type: 'boolean' },
    },
  },
};

export const operations: readonly OperationFacts[] = [
  {
    operationId: 'getAllocationTransferContext',
    method: 'post',
    path: '/registry/allocations/v1/{allocationId}/choice-contexts/execute-transfer',
    parameters: [{ name: 'allocationId', in: 'path', required: true, schema: { type: 'string' } }],
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/GetChoiceContextRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ChoiceContext' },
      },
      '400': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
      '404': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
    },
  },
  {
    operationId: 'getAllocationWithdrawContext',
    method: 'post',
    path: '/registry/allocations/v1/{allocationId}/choice-contexts/withdraw',
    parameters: [{ name: 'allocationId', in: 'path', required: true, schema: { type: 'string' } }],
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/GetChoiceContextRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ChoiceContext' },
      },
      '400': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
      '404': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
    },
  },
  {
    operationId: 'getAllocationCancelContext',
    method: 'post',
    path: '/registry/allocations/v1/{allocationId}/choice-contexts/cancel',
    parameters: [{ name: 'allocationId', in: 'path', required: true, schema: { type: 'string' } }],
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/GetChoiceContextRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ChoiceContext' },
      },
      '400': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
      '404': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
    },
  },
];
