// Facts of Scan API 0.0.1, carried by scripts/carry-spec.mjs: do not edit by hand.
import type { Schemas, OperationFacts } from '../schema.js';

export const schemas: Schemas = {
  BulkStorageObjectRef: {
    type: 'object',
    required: ['url', 'digest'],
    properties: { url: { type: 'string' }, digest: { type: 'string' } },
  },
  GetBackfillingStatusResponse: {
    type: 'object',
    required: ['complete'],
    properties: { complete: { type: 'boolean' } },
  },
  GetBulkObjectChecksumsRequest: {
    type: 'object',
    required: ['object_keys'],
    properties: { object_keys: { type: 'array', items: { type: 'string' } } },
  },
  GetBulkObjectChecksumsResponse: {
    type: 'object',
    required: ['checksums'],
    properties: {
      checksums: {
        type: 'array',
        items: { type: 'object', properties: { value: { type: 'string' } } },
      },
    },
  },
  GetImportUpdatesRequest: {
    type: 'object',
    required: ['migration_id', 'after_update_id', 'limit'],
    properties: {
      migration_id: { type: 'integer', format: 'int64' },
      after_update_id: { type: 'string' },
      limit: { type: 'integer', format: 'int32' },
    },
  },
  GetImportUpdatesResponse: {
    type: 'object',
    required: ['transactions'],
    properties: {
      transactions: { type: 'array', items: { $ref: '#/components/schemas/UpdateHistoryItem' } },
    },
  },
  GetMigrationInfoRequest: {
    type: 'object',
    required: ['migration_id'],
    properties: { migration_id: { type: 'integer', format: 'int64' } },
  },
  GetMigrationInfoResponse: {
    type: 'object',
    required: ['record_time_range', 'complete'],
    properties: {
      previous_migration_id: { type: 'integer', format: 'int64' },
      record_time_range: { type: 'array', items: { $ref: '#/components/schemas/RecordTimeRange' } },
      last_import_update_id: { type: 'string' },
      complete: { type: 'boolean' },
      import_updates_complete: { type: 'boolean' },
    },
  },
  GetUpdatesBeforeRequest: {
    type: 'object',
    required: ['migration_id', 'synchronizer_id', 'before', 'count'],
    properties: {
      migration_id: { type: 'integer', format: 'int64' },
      synchronizer_id: { type: 'string' },
      before: { type: 'string', format: 'date-time' },
      at_or_after: { type: 'string', format: 'date-time' },
      count: { type: 'integer', format: 'int32' },
    },
  },
  GetUpdatesBeforeResponse: {
    type: 'object',
    required: ['transactions'],
    properties: {
      transactions: { type: 'array', items: { $ref: '#/components/schemas/UpdateHistoryItem' } },
    },
  },
  ListBulkAcsSnapshotObjectsResponse: {
    type: 'object',
    required: ['record_time', 'object_refs'],
    properties: {
      record_time: { type: 'string', format: 'date-time' },
      object_refs: { type: 'array', items: { $ref: '#/components/schemas/BulkStorageObjectRef' } },
    },
  },
  ListBulkUpdateHistoryObjectsRequest: {
    type: 'object',
    required: ['start_record_time', 'end_record_time', 'page_size'],
    properties: {
      start_record_time: { type: 'string', format: 'date-time' },
      end_record_time: { type: 'string', format: 'date-time' },
      next_page_token: { type: 'string' },
      page_size: { type: 'integer', format: 'int32', minimum: 1, maximum: 1000 },
    },
  },
  ListBulkUpdateHistoryObjectsResponse: {
    type: 'object',
    required: ['object_refs'],
    properties: {
      object_refs: { type: 'array', items: { $ref: '#/components/schemas/BulkStorageObjectRef' } },
      next_page_token: { type: 'string' },
    },
  },
  RecordTimeRange: {
    type: 'object',
    required: ['synchronizer_id', 'min', 'max'],
    properties: {
      synchronizer_id: { type: 'string' },
      min: { type: 'string', format: 'date-time' },
      max: { type: 'string', format: 'date-time' },
    },
  },
};

export const operations: readonly OperationFacts[] = [
  {
    operationId: 'getMigrationInfo',
    method: 'post',
    path: '/v0/backfilling/migration-info',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/GetMigrationInfoRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetMigrationInfoResponse' },
      },
      '404': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
    },
  },
  {
    operationId: 'getUpdatesBefore',
    method: 'post',
    path: '/v0/backfilling/updates-before',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/GetUpdatesBeforeRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetUpdatesBeforeResponse' },
      },
      '404': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
    },
  },
  {
    operationId: 'getBackfillingStatus',
    method: 'get',
    path: '/v0/backfilling/status',
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetBackfillingStatusResponse' },
      },
    },
  },
  {
    operationId: 'getImportUpdates',
    method: 'post',
    path: '/v0/backfilling/import-updates',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/GetImportUpdatesRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetImportUpdatesResponse' },
      },
      '404': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
    },
  },
  {
    operationId: 'listBulkAcsSnapshotObjects',
    method: 'get',
    path: '/v0/history/bulk/acs',
    parameters: [
      {
        name: 'at_or_before_record_time',
        in: 'query',
        required: true,
        schema: { type: 'string', format: 'date-time' },
      },
    ],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ListBulkAcsSnapshotObjectsResponse' },
      },
      '404': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
      '501': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
    },
  },
  {
    operationId: 'listBulkUpdateHistoryObjects',
    method: 'post',
    path: '/v0/history/bulk/updates',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/ListBulkUpdateHistoryObjectsRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ListBulkUpdateHistoryObjectsResponse' },
      },
      '400': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
      '404': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
      '501': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
    },
  },
  {
    operationId: 'getBulkObjectChecksums',
    method: 'post',
    path: '/v0/history/bulk/checksums',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/GetBulkObjectChecksumsRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetBulkObjectChecksumsResponse' },
      },
      '501': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
    },
  },
];
