// Facts of V2 allocation instruction off-ledger API 1.0.0, carried by scripts/carry-spec.mjs: do not edit by hand.
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
  FactoryWithChoiceContext: {
    type: 'object',
    properties: {
      factoryId: { type: 'string' },
      choiceContext: { $ref: '#/components/schemas/ChoiceContext' },
    },
    required: ['factoryId', 'choiceContext'],
  },
  GetChoiceContextRequest: {
    type: 'object',
    properties: {
      meta: { type: 'object', additionalProperties: { type: 'string' } },
      excludeDebugFields: { default: false, type: 'boolean' },
    },
  },
  GetFactoryRequest: {
    type: 'object',
    properties: {
      choiceArguments: { type: 'object' },
      excludeDebugFields: { default: false, type: 'boolean' },
    },
    required: ['choiceArguments'],
  },
};

export const operations: readonly OperationFacts[] = [
  {
    operationId: 'getAllocationFactoryV2',
    method: 'post',
    path: '/registry/allocation-instruction/v2/allocation-factory',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/GetFactoryRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/FactoryWithChoiceContext' },
      },
      '400': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
      '404': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
      '409': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
    },
  },
  {
    operationId: 'getAllocationInstructionAcceptContextV2',
    method: 'post',
    path: '/registry/allocation-instruction/v2/{allocationInstructionId}/choice-contexts/accept',
    parameters: [
      { name: 'allocationInstructionId', in: 'path', required: true, schema: { type: 'string' } },
    ],
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
      '409': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
    },
  },
  {
    operationId: 'getAllocationInstructionWithdrawContextV2',
    method: 'post',
    path: '/registry/allocation-instruction/v2/{allocationInstructionId}/choice-contexts/withdraw',
    parameters: [
      { name: 'allocationInstructionId', in: 'path', required: true, schema: { type: 'string' } },
    ],
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
      '409': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
    },
  },
];
