// Facts of Scan API 0.0.1, carried by scripts/carry-spec.mjs: do not edit by hand.
import type { Schemas, OperationFacts } from '../schema.js';

export const schemas: Schemas = {
  AcsRequest: {
    type: 'object',
    required: ['migration_id', 'record_time', 'page_size'],
    properties: {
      migration_id: { type: 'integer', format: 'int64' },
      record_time: { type: 'string', format: 'date-time' },
      record_time_match: { type: 'string', enum: ['exact', 'at_or_before'], default: 'exact' },
      after: { type: 'integer', format: 'int64' },
      page_size: { type: 'integer', format: 'int32' },
      party_ids: { type: 'array', items: { type: 'string' } },
      templates: { type: 'array', items: { type: 'string' } },
    },
  },
  AcsSnapshotTimestampResponse: {
    type: 'object',
    required: ['record_time'],
    properties: { record_time: { type: 'string', format: 'date-time' } },
  },
  ForceAcsSnapshotResponse: {
    type: 'object',
    required: ['record_time', 'migration_id'],
    properties: {
      record_time: { type: 'string', format: 'date-time' },
      migration_id: { type: 'integer', format: 'int64' },
    },
  },
  GetAcsSnapshotResponse: {
    type: 'object',
    required: ['acs_snapshot'],
    properties: { acs_snapshot: { type: 'string' } },
  },
};

export const operations: readonly OperationFacts[] = [
  {
    operationId: 'getDateOfMostRecentSnapshotBefore',
    method: 'get',
    path: '/v0/state/acs/snapshot-timestamp',
    parameters: [
      {
        name: 'before',
        in: 'query',
        required: true,
        schema: { type: 'string', format: 'date-time' },
      },
      {
        name: 'migration_id',
        in: 'query',
        required: true,
        schema: { type: 'integer', format: 'int64' },
      },
    ],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/AcsSnapshotTimestampResponse' },
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
    operationId: 'getDateOfFirstSnapshotAfter',
    method: 'get',
    path: '/v0/state/acs/snapshot-timestamp-after',
    parameters: [
      {
        name: 'after',
        in: 'query',
        required: true,
        schema: { type: 'string', format: 'date-time' },
      },
      {
        name: 'migration_id',
        in: 'query',
        required: true,
        schema: { type: 'integer', format: 'int64' },
      },
    ],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/AcsSnapshotTimestampResponse' },
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
    operationId: 'getAcsSnapshotAt',
    method: 'post',
    path: '/v0/state/acs',
    deprecated: true,
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/AcsRequest' },
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
    operationId: 'getAcsSnapshotAtV1',
    method: 'post',
    path: '/v1/state/acs',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/AcsRequest' },
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
    operationId: 'forceAcsSnapshotNow',
    method: 'post',
    path: '/v0/state/acs/force',
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ForceAcsSnapshotResponse' },
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
    operationId: 'getAcsSnapshot',
    method: 'get',
    path: '/v0/acs/{party}',
    deprecated: true,
    parameters: [
      { name: 'party', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'record_time', in: 'query', schema: { type: 'string' } },
    ],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetAcsSnapshotResponse' },
      },
    },
  },
];
