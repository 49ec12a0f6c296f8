// Facts of Scan API 0.0.1, carried by scripts/carry-spec.mjs: do not edit by hand.
import type { Schemas, OperationFacts } from '../schema.js';

export const schemas: Schemas = {
  AppActivityRecord: {
    type: 'object',
    required: ['party', 'weight'],
    properties: { party: { type: 'string' }, weight: { type: 'integer', format: 'int64' } },
  },
  EnvelopeTrafficSummary: {
    type: 'object',
    required: ['traffic_cost', 'view_ids'],
    properties: {
      traffic_cost: { type: 'integer', format: 'int64' },
      view_ids: { type: 'array', items: { type: 'integer', format: 'int32' } },
    },
  },
  EventHistoryAppActivityRecords: {
    type: 'object',
    required: ['round_number', 'records'],
    properties: {
      round_number: { type: 'integer', format: 'int64' },
      records: { type: 'array', items: { $ref: '#/components/schemas/AppActivityRecord' } },
    },
  },
  EventHistoryItem: {
    type: 'object',
    properties: {
      update: { $ref: '#/components/schemas/UpdateHistoryItemV2', nullable: true },
      verdict: { $ref: '#/components/schemas/EventHistoryVerdict', nullable: true },
      traffic_summary: { $ref: '#/components/schemas/EventHistoryTrafficSummary', nullable: true },
      app_activity_records: {
        $ref: '#/components/schemas/EventHistoryAppActivityRecords',
        nullable: true,
      },
    },
  },
  EventHistoryRequest: {
    type: 'object',
    required: ['page_size'],
    properties: {
      after: { $ref: '#/components/schemas/UpdateHistoryRequestAfter' },
      page_size: { type: 'integer', format: 'int32', minimum: 1, maximum: 1000 },
      daml_value_encoding: { $ref: '#/components/schemas/DamlValueEncoding' },
    },
  },
  EventHistoryResponse: {
    type: 'object',
    required: ['events'],
    properties: {
      events: { type: 'array', items: { $ref: '#/components/schemas/EventHistoryItem' } },
    },
  },
  EventHistoryTrafficSummary: {
    type: 'object',
    required: ['total_traffic_cost', 'envelope_traffic_summaries'],
    properties: {
      total_traffic_cost: { type: 'integer', format: 'int64' },
      envelope_traffic_summaries: {
        type: 'array',
        items: { $ref: '#/components/schemas/EnvelopeTrafficSummary' },
      },
    },
  },
  EventHistoryVerdict: {
    type: 'object',
    required: [
      'update_id',
      'migration_id',
      'domain_id',
      'record_time',
      'finalization_time',
      'submitting_parties',
      'submitting_participant_uid',
      'verdict_result',
      'mediator_group',
      'transaction_views',
    ],
    properties: {
      update_id: { type: 'string' },
      migration_id: { type: 'integer', format: 'int64' },
      domain_id: { type: 'string' },
      record_time: { type: 'string' },
      finalization_time: { type: 'string' },
      submitting_parties: { type: 'array', items: { type: 'string' } },
      submitting_participant_uid: { type: 'string' },
      verdict_result: { $ref: '#/components/schemas/VerdictResult' },
      mediator_group: { type: 'integer', format: 'int32' },
      transaction_views: { $ref: '#/components/schemas/TransactionViews' },
    },
  },
  Quorum: {
    type: 'object',
    required: ['parties', 'threshold'],
    properties: {
      parties: { type: 'array', items: { type: 'string' } },
      threshold: { type: 'integer', format: 'int32' },
    },
  },
  TransactionView: {
    type: 'object',
    required: ['view_id', 'informees', 'confirming_parties', 'sub_views', 'view_hash'],
    properties: {
      view_id: { type: 'integer', format: 'int32' },
      informees: { type: 'array', items: { type: 'string' } },
      confirming_parties: { type: 'array', items: { $ref: '#/components/schemas/Quorum' } },
      sub_views: { type: 'array', items: { type: 'integer', format: 'int32' } },
      view_hash: { type: 'string' },
    },
  },
  TransactionViews: {
    type: 'object',
    required: ['views', 'root_views'],
    properties: {
      views: { type: 'array', items: { $ref: '#/components/schemas/TransactionView' } },
      root_views: { type: 'array', items: { type: 'integer', format: 'int32' } },
    },
  },
  VerdictResult: {
    type: 'string',
    enum: ['VERDICT_RESULT_UNSPECIFIED', 'VERDICT_RESULT_ACCEPTED', 'VERDICT_RESULT_REJECTED'],
  },
};

export const operations: readonly OperationFacts[] = [
  {
    operationId: 'getEventHistory',
    method: 'post',
    path: '/v0/events',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/EventHistoryRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/EventHistoryResponse' },
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
    operationId: 'getEventById',
    method: 'get',
    path: '/v0/events/{update_id}',
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
        schema: { $ref: '#/components/schemas/EventHistoryItem' },
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
