// Facts of Scan API 0.0.1, carried by scripts/carry-spec.mjs: do not edit by hand.
import type { Schemas, OperationFacts } from '../schema.js';

export const schemas: Schemas = {
  UpdateHistoryItemV2WithHash: {
    type: 'object',
    oneOf: [
      { $ref: '#/components/schemas/UpdateHistoryTransactionV2WithHash' },
      { $ref: '#/components/schemas/UpdateHistoryReassignment' },
    ],
  },
  UpdateHistoryRequest: {
    type: 'object',
    required: ['page_size'],
    properties: {
      after: { $ref: '#/components/schemas/UpdateHistoryRequestAfter' },
      page_size: { type: 'integer', format: 'int32' },
      lossless: { type: 'boolean' },
    },
  },
  UpdateHistoryRequestV1: {
    type: 'object',
    required: ['page_size'],
    properties: {
      after: { $ref: '#/components/schemas/UpdateHistoryRequestAfter' },
      page_size: { type: 'integer', format: 'int32' },
      daml_value_encoding: { $ref: '#/components/schemas/DamlValueEncoding' },
    },
  },
  UpdateHistoryRequestV2: {
    type: 'object',
    required: ['page_size'],
    properties: {
      after: { $ref: '#/components/schemas/UpdateHistoryRequestAfter' },
      page_size: { type: 'integer', format: 'int32' },
      daml_value_encoding: { $ref: '#/components/schemas/DamlValueEncoding' },
    },
  },
  UpdateHistoryResponse: {
    type: 'object',
    required: ['transactions'],
    properties: {
      transactions: { type: 'array', items: { $ref: '#/components/schemas/UpdateHistoryItem' } },
    },
  },
  UpdateHistoryResponseV2: {
    type: 'object',
    required: ['transactions'],
    properties: {
      transactions: { type: 'array', items: { $ref: '#/components/schemas/UpdateHistoryItemV2' } },
    },
  },
  UpdateHistoryTransactionV2WithHash: {
    allOf: [
      { $ref: '#/components/schemas/BaseUpdateHistoryTransaction' },
      {
        type: 'object',
        required: ['external_transaction_hash'],
        properties: { external_transaction_hash: { type: 'string', 'x-omit-null': true } },
      },
    ],
  },
};

export const operations: readonly OperationFacts[] = [
  {
    operationId: 'getUpdateHistoryV2',
    method: 'post',
    path: '/v2/updates',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/UpdateHistoryRequestV2' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/UpdateHistoryResponseV2' },
      },
      '400': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
      '500': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
    },
  },
  {
    operationId: 'getUpdateByIdV2',
    method: 'get',
    path: '/v2/updates/{update_id}',
    parameters: [
      { name: 'update_id', in: 'path', required: true, schema: { type: 'string' } },
      {
        name: 'daml_value_encoding',
        in: 'query',
        schema: { $ref: '#/components/schemas/DamlValueEncoding' },
      },
    ],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/UpdateHistoryItemV2' },
      },
      '400': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
      '404': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
      '500': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
    },
  },
  {
    operationId: 'getUpdateHistoryV1',
    method: 'post',
    path: '/v1/updates',
    deprecated: true,
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/UpdateHistoryRequestV1' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/UpdateHistoryResponse' },
      },
      '400': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
      '500': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
    },
  },
  {
    operationId: 'getUpdateByIdV1',
    method: 'get',
    path: '/v1/updates/{update_id}',
    deprecated: true,
    parameters: [
      { name: 'update_id', in: 'path', required: true, schema: { type: 'string' } },
      {
        name: 'daml_value_encoding',
        in: 'query',
        schema: { $ref: '#/components/schemas/DamlValueEncoding' },
      },
    ],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/UpdateHistoryItem' },
      },
      '400': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
      '404': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
      '500': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
    },
  },
  {
    operationId: 'getUpdateByHash',
    method: 'get',
    path: '/v2/updates/hash/{hash}',
    parameters: [
      { name: 'hash', in: 'path', required: true, schema: { type: 'string' } },
      {
        name: 'daml_value_encoding',
        in: 'query',
        schema: { $ref: '#/components/schemas/DamlValueEncoding' },
      },
    ],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/UpdateHistoryItemV2WithHash' },
      },
      '400': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
      '404': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
      '500': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
    },
  },
  {
    operationId: 'getUpdateHistory',
    method: 'post',
    path: '/v0/updates',
    deprecated: true,
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/UpdateHistoryRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/UpdateHistoryResponse' },
      },
      '400': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
      '500': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
    },
  },
  {
    operationId: 'getUpdateById',
    method: 'get',
    path: '/v0/updates/{update_id}',
    deprecated: true,
    parameters: [
      { name: 'update_id', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'lossless', in: 'query', schema: { type: 'boolean' } },
    ],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/UpdateHistoryItem' },
      },
      '400': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
      '404': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
      '500': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
    },
  },
];
