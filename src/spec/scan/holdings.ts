// Facts of Scan API 0.0.1, carried by scripts/carry-spec.mjs: do not edit by hand.
import type { Schemas, OperationFacts } from '../schema.js';

export const schemas: Schemas = {
  HoldingsStateRequest: {
    type: 'object',
    required: ['migration_id', 'record_time', 'page_size', 'owner_party_ids'],
    properties: {
      migration_id: { type: 'integer', format: 'int64' },
      record_time: { type: 'string', format: 'date-time' },
      record_time_match: { type: 'string', enum: ['exact', 'at_or_before'], default: 'exact' },
      after: { type: 'integer', format: 'int64' },
      page_size: { type: 'integer', format: 'int32' },
      owner_party_ids: { type: 'array', items: { type: 'string' }, minItems: 1 },
    },
  },
  HoldingsSummary: {
    type: 'object',
    required: [
      'party_id',
      'total_unlocked_coin',
      'total_locked_coin',
      'total_coin_holdings',
      'accumulated_holding_fees_unlocked',
      'accumulated_holding_fees_locked',
      'accumulated_holding_fees_total',
      'total_available_coin',
    ],
    properties: {
      party_id: { type: 'string' },
      total_unlocked_coin: { type: 'string' },
      total_locked_coin: { type: 'string' },
      total_coin_holdings: { type: 'string' },
      accumulated_holding_fees_unlocked: { type: 'string' },
      accumulated_holding_fees_locked: { type: 'string' },
      accumulated_holding_fees_total: { type: 'string' },
      total_available_coin: { type: 'string' },
    },
  },
  HoldingsSummaryRequest: {
    type: 'object',
    required: ['migration_id', 'record_time', 'owner_party_ids'],
    properties: {
      migration_id: { type: 'integer', format: 'int64' },
      record_time: { type: 'string', format: 'date-time' },
      record_time_match: { type: 'string', enum: ['exact', 'at_or_before'], default: 'exact' },
      owner_party_ids: { type: 'array', items: { type: 'string' }, minItems: 1 },
      as_of_round: { type: 'integer', format: 'int64' },
    },
  },
  HoldingsSummaryRequestV1: {
    type: 'object',
    required: ['migration_id', 'record_time', 'owner_party_ids'],
    properties: {
      migration_id: { type: 'integer', format: 'int64' },
      record_time: { type: 'string', format: 'date-time' },
      record_time_match: { type: 'string', enum: ['exact', 'at_or_before'], default: 'exact' },
      owner_party_ids: { type: 'array', items: { type: 'string' }, minItems: 1 },
    },
  },
  HoldingsSummaryResponse: {
    type: 'object',
    required: ['record_time', 'migration_id', 'computed_as_of_round', 'summaries'],
    properties: {
      record_time: { type: 'string', format: 'date-time' },
      migration_id: { type: 'integer', format: 'int64' },
      computed_as_of_round: { type: 'integer', format: 'int64' },
      summaries: { type: 'array', items: { $ref: '#/components/schemas/HoldingsSummary' } },
    },
  },
  HoldingsSummaryResponseV1: {
    type: 'object',
    required: ['record_time', 'migration_id', 'summaries'],
    properties: {
      record_time: { type: 'string', format: 'date-time' },
      migration_id: { type: 'integer', format: 'int64' },
      summaries: { type: 'array', items: { $ref: '#/components/schemas/HoldingsSummaryV1' } },
    },
  },
  HoldingsSummaryV1: {
    type: 'object',
    required: ['party_id', 'total_unlocked_coin', 'total_locked_coin', 'total_coin_holdings'],
    properties: {
      party_id: { type: 'string' },
      total_unlocked_coin: { type: 'string' },
      total_locked_coin: { type: 'string' },
      total_coin_holdings: { type: 'string' },
    },
  },
};

export const operations: readonly OperationFacts[] = [
  {
    operationId: 'getHoldingsStateAt',
    method: 'post',
    path: '/v0/holdings/state',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/HoldingsStateRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/AcsResponse' },
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
    operationId: 'getHoldingsStateAtV1',
    method: 'post',
    path: '/v1/holdings/state',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/HoldingsStateRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/AcsResponseV1' },
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
    operationId: 'getHoldingsSummaryAt',
    method: 'post',
    path: '/v0/holdings/summary',
    deprecated: true,
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/HoldingsSummaryRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/HoldingsSummaryResponse' },
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
    operationId: 'getHoldingsSummaryAtV1',
    method: 'post',
    path: '/v1/holdings/summary',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/HoldingsSummaryRequestV1' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/HoldingsSummaryResponseV1' },
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
