// Facts of Scan API 0.0.1, carried by scripts/carry-spec.mjs: do not edit by hand.
import type { Schemas, OperationFacts } from '../schema.js';

export const schemas: Schemas = {
  AppActivityRecord: {
    type: 'object',
    required: ['party', 'weight'],
    properties: { party: { type: 'string' }, weight: { type: 'integer', format: 'int64' } },
  },
  BaseUpdateHistoryTransaction: {
    type: 'object',
    required: [
      'update_id',
      'migration_id',
      'workflow_id',
      'record_time',
      'synchronizer_id',
      'effective_at',
      'root_event_ids',
      'events_by_id',
    ],
    properties: {
      update_id: { type: 'string' },
      migration_id: { type: 'integer', format: 'int64' },
      workflow_id: { type: 'string' },
      record_time: { type: 'string' },
      synchronizer_id: { type: 'string' },
      effective_at: { type: 'string' },
      root_event_ids: { type: 'array', items: { type: 'string' } },
      events_by_id: {
        type: 'object',
        additionalProperties: { $ref: '#/components/schemas/TreeEvent' },
      },
    },
  },
  CreatedEvent: {
    type: 'object',
    required: [
      'event_type',
      'event_id',
      'contract_id',
      'template_id',
      'package_name',
      'create_arguments',
      'created_at',
      'signatories',
      'observers',
    ],
    properties: {
      event_type: { type: 'string' },
      event_id: { type: 'string' },
      contract_id: { type: 'string' },
      template_id: { type: 'string' },
      package_name: { type: 'string' },
      create_arguments: { type: 'object' },
      created_at: { type: 'string', format: 'date-time' },
      signatories: { type: 'array', items: { type: 'string' } },
      observers: { type: 'array', items: { type: 'string' } },
    },
  },
  DamlValueEncoding: { type: 'string', enum: ['compact_json', 'protobuf_json'] },
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
  ExercisedEvent: {
    type: 'object',
    required: [
      'event_type',
      'event_id',
      'contract_id',
      'template_id',
      'package_name',
      'choice',
      'choice_argument',
      'child_event_ids',
      'exercise_result',
      'consuming',
      'acting_parties',
    ],
    properties: {
      event_type: { type: 'string' },
      event_id: { type: 'string' },
      contract_id: { type: 'string' },
      template_id: { type: 'string' },
      package_name: { type: 'string' },
      choice: { type: 'string' },
      choice_argument: { type: 'object', 'x-daml-value': true },
      child_event_ids: { type: 'array', items: { type: 'string' } },
      exercise_result: { type: 'object', 'x-daml-value': true },
      consuming: { type: 'boolean' },
      acting_parties: { type: 'array', items: { type: 'string' } },
      interface_id: { type: 'string' },
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
  TreeEvent: {
    type: 'object',
    oneOf: [
      { $ref: '#/components/schemas/CreatedEvent' },
      { $ref: '#/components/schemas/ExercisedEvent' },
    ],
    discriminator: {
      propertyName: 'event_type',
      mapping: {
        created_event: '#/components/schemas/CreatedEvent',
        exercised_event: '#/components/schemas/ExercisedEvent',
      },
    },
  },
  UpdateHistoryAssignment: {
    type: 'object',
    required: [
      'submitter',
      'source_synchronizer',
      'target_synchronizer',
      'migration_id',
      'unassign_id',
      'created_event',
      'reassignment_counter',
    ],
    properties: {
      submitter: { type: 'string' },
      source_synchronizer: { type: 'string' },
      target_synchronizer: { type: 'string' },
      migration_id: { type: 'integer', format: 'int64' },
      unassign_id: { type: 'string' },
      created_event: { $ref: '#/components/schemas/CreatedEvent' },
      reassignment_counter: { type: 'integer', format: 'int64' },
    },
  },
  UpdateHistoryItem: {
    type: 'object',
    oneOf: [
      { $ref: '#/components/schemas/UpdateHistoryTransaction' },
      { $ref: '#/components/schemas/UpdateHistoryReassignment' },
    ],
  },
  UpdateHistoryItemV2: {
    type: 'object',
    oneOf: [
      { $ref: '#/components/schemas/UpdateHistoryTransactionV2' },
      { $ref: '#/components/schemas/UpdateHistoryReassignment' },
    ],
  },
  UpdateHistoryItemV2WithHash: {
    type: 'object',
    oneOf: [
      { $ref: '#/components/schemas/UpdateHistoryTransactionV2WithHash' },
      { $ref: '#/components/schemas/UpdateHistoryReassignment' },
    ],
  },
  UpdateHistoryReassignment: {
    type: 'object',
    required: ['update_id', 'offset', 'record_time', 'event'],
    properties: {
      update_id: { type: 'string' },
      offset: { type: 'string' },
      record_time: { type: 'string' },
      event: {
        type: 'object',
        oneOf: [
          { $ref: '#/components/schemas/UpdateHistoryAssignment' },
          { $ref: '#/components/schemas/UpdateHistoryUnassignment' },
        ],
      },
    },
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
  UpdateHistoryRequestAfter: {
    type: 'object',
    required: ['after_migration_id', 'after_record_time'],
    properties: {
      after_migration_id: { type: 'integer', format: 'int64' },
      after_record_time: { type: 'string' },
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
  UpdateHistoryTransaction: {
    type: 'object',
    required: [
      'update_id',
      'migration_id',
      'workflow_id',
      'record_time',
      'synchronizer_id',
      'effective_at',
      'offset',
      'root_event_ids',
      'events_by_id',
    ],
    properties: {
      update_id: { type: 'string' },
      migration_id: { type: 'integer', format: 'int64' },
      workflow_id: { type: 'string' },
      record_time: { type: 'string' },
      synchronizer_id: { type: 'string' },
      effective_at: { type: 'string' },
      offset: { type: 'string' },
      root_event_ids: { type: 'array', items: { type: 'string' } },
      events_by_id: {
        type: 'object',
        additionalProperties: { $ref: '#/components/schemas/TreeEvent' },
      },
      external_transaction_hash: { type: 'string', 'x-omit-null': true },
    },
  },
  UpdateHistoryTransactionV2: {
    allOf: [
      { $ref: '#/components/schemas/BaseUpdateHistoryTransaction' },
      {
        type: 'object',
        properties: { external_transaction_hash: { type: 'string', 'x-omit-null': true } },
      },
    ],
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
  UpdateHistoryUnassignment: {
    type: 'object',
    required: [
      'submitter',
      'source_synchronizer',
      'migration_id',
      'target_synchronizer',
      'unassign_id',
      'reassignment_counter',
      'contract_id',
    ],
    properties: {
      submitter: { type: 'string' },
      source_synchronizer: { type: 'string' },
      migration_id: { type: 'integer', format: 'int64' },
      target_synchronizer: { type: 'string' },
      unassign_id: { type: 'string' },
      reassignment_counter: { type: 'integer', format: 'int64' },
      contract_id: { type: 'string' },
    },
  },
  VerdictResult: {
    type: 'string',
    enum: ['VERDICT_RESULT_UNSPECIFIED', 'VERDICT_RESULT_ACCEPTED', 'VERDICT_RESULT_REJECTED'],
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
