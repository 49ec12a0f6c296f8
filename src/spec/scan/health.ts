// Facts of Scan API 0.0.1, carried by scripts/carry-spec.mjs: do not edit by hand.
import type { Schemas, OperationFacts } from '../schema.js';

export const schemas: Schemas = {
  FailureStatusResponse: {
    type: 'object',
    required: ['failed'],
    properties: { failed: { $ref: '#/components/schemas/ErrorResponse' } },
  },
  FeatureSupportResponse: { type: 'object', properties: { dummy: { type: 'boolean' } } },
  NodeStatus: {
    oneOf: [
      { $ref: '#/components/schemas/SuccessStatusResponse' },
      { $ref: '#/components/schemas/NotInitializedStatusResponse' },
      { $ref: '#/components/schemas/FailureStatusResponse' },
    ],
  },
  NotInitialized: {
    type: 'object',
    required: ['active'],
    properties: { active: { type: 'boolean' } },
  },
  NotInitializedStatusResponse: {
    type: 'object',
    required: ['not_initialized'],
    properties: { not_initialized: { $ref: '#/components/schemas/NotInitialized' } },
  },
  Status: {
    type: 'object',
    required: ['id', 'uptime', 'ports', 'active'],
    properties: {
      id: { type: 'string' },
      uptime: { type: 'string' },
      ports: { type: 'object', additionalProperties: { type: 'integer', format: 'int32' } },
      extra: { type: 'string', format: 'binary' },
      active: { type: 'boolean' },
    },
  },
  SuccessStatusResponse: {
    type: 'object',
    required: ['success'],
    properties: { success: { $ref: '#/components/schemas/Status' } },
  },
  Version: {
    type: 'object',
    required: ['version', 'commit_ts'],
    properties: { version: { type: 'string' }, commit_ts: { type: 'string', format: 'date-time' } },
  },
};

export const operations: readonly OperationFacts[] = [
  { operationId: 'isReady', method: 'get', path: '/readyz', responses: { '200': {}, '503': {} } },
  { operationId: 'isLive', method: 'get', path: '/livez', responses: { '200': {}, '503': {} } },
  {
    operationId: 'getHealthStatus',
    method: 'get',
    path: '/status',
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/NodeStatus' },
      },
    },
  },
  {
    operationId: 'getVersion',
    method: 'get',
    path: '/version',
    responses: {
      '200': { contentType: 'application/json', schema: { $ref: '#/components/schemas/Version' } },
    },
  },
  {
    operationId: 'featureSupport',
    method: 'get',
    path: '/v0/feature-support',
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/FeatureSupportResponse' },
      },
      '500': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
    },
  },
];
