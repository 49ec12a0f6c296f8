// Facts of Scan API 0.0.1, carried by scripts/carry-spec.mjs: do not edit by hand.
import type { Schemas, OperationFacts } from '../schema.js';

export const schemas: Schemas = {
  DomainScans: {
    type: 'object',
    required: ['domainId', 'scans'],
    properties: {
      domainId: { type: 'string' },
      scans: { type: 'array', items: { $ref: '#/components/schemas/ScanInfo' } },
    },
  },
  DomainSequencers: {
    type: 'object',
    required: ['domainId', 'sequencers'],
    properties: {
      domainId: { type: 'string' },
      sequencers: { type: 'array', items: { $ref: '#/components/schemas/DsoSequencer' } },
    },
  },
  DsoSequencer: {
    type: 'object',
    required: ['migrationId', 'id', 'url', 'svName', 'availableAfter'],
    properties: {
      migrationId: { type: 'integer', format: 'int64' },
      synchronizerSerial: { type: 'integer', format: 'int64' },
      id: { type: 'string' },
      url: { type: 'string' },
      svName: { type: 'string' },
      availableAfter: { type: 'string', format: 'date-time' },
    },
  },
  GetActivePhysicalSynchronizerSerialResponse: {
    type: 'object',
    required: ['serial'],
    properties: { serial: { type: 'integer', format: 'int64' } },
  },
  GetLsuResponse: { type: 'object', properties: { lsu: { $ref: '#/components/schemas/Lsu' } } },
  GetMigrationIdResponse: {
    type: 'object',
    required: ['migration_id'],
    properties: { migration_id: { type: 'integer', format: 'int64' } },
  },
  GetRollForwardLsuResponse: {
    type: 'object',
    properties: { rollForwardLsu: { $ref: '#/components/schemas/RollForwardLsu' } },
  },
  ListDsoScansResponse: {
    type: 'object',
    required: ['scans'],
    properties: { scans: { type: 'array', items: { $ref: '#/components/schemas/DomainScans' } } },
  },
  ListDsoSequencersResponse: {
    type: 'object',
    required: ['domainSequencers'],
    properties: {
      domainSequencers: { type: 'array', items: { $ref: '#/components/schemas/DomainSequencers' } },
    },
  },
  ListSvBftSequencersResponse: {
    type: 'object',
    required: ['bftSequencers'],
    properties: {
      bftSequencers: {
        type: 'array',
        items: { $ref: '#/components/schemas/SynchronizerBftSequencer' },
      },
    },
  },
  Lsu: {
    type: 'object',
    required: ['topologyFreezeTime', 'upgradeTime', 'successorPhysicalSynchronizerId'],
    properties: {
      topologyFreezeTime: { type: 'string', format: 'date-time' },
      upgradeTime: { type: 'string', format: 'date-time' },
      successorPhysicalSynchronizerId: { type: 'string' },
    },
  },
  MigrationSchedule: {
    type: 'object',
    required: ['time', 'migration_id'],
    properties: {
      time: { type: 'string', format: 'date-time' },
      migration_id: { type: 'integer', format: 'int64' },
    },
  },
  RollForwardLsu: {
    type: 'object',
    required: ['upgradeTime', 'currentPhysicalSynchronizerId', 'successorPhysicalSynchronizerId'],
    properties: {
      upgradeTime: { type: 'string', format: 'date-time' },
      currentPhysicalSynchronizerId: { type: 'string' },
      successorPhysicalSynchronizerId: { type: 'string' },
    },
  },
  ScanInfo: {
    type: 'object',
    required: ['publicUrl', 'svName'],
    properties: { publicUrl: { type: 'string' }, svName: { type: 'string' } },
  },
  SynchronizerBftSequencer: {
    type: 'object',
    required: ['serialId', 'id', 'p2pUrl'],
    properties: {
      serialId: { type: 'integer', format: 'int64' },
      id: { type: 'string' },
      p2pUrl: { type: 'string' },
    },
  },
  SynchronizerBootstrappingTransactions: {
    type: 'object',
    required: ['domain_parameters', 'sequencer_domain_state', 'mediator_domain_state'],
    properties: {
      domain_parameters: { type: 'string' },
      sequencer_domain_state: { type: 'string' },
      mediator_domain_state: { type: 'string' },
    },
  },
  SynchronizerIdentities: {
    type: 'object',
    required: [
      'sequencer_id',
      'sequencer_identity_transactions',
      'mediator_id',
      'mediator_identity_transactions',
    ],
    properties: {
      sequencer_id: { type: 'string' },
      sequencer_identity_transactions: { type: 'array', items: { type: 'string' } },
      mediator_id: { type: 'string' },
      mediator_identity_transactions: { type: 'array', items: { type: 'string' } },
    },
  },
};

export const operations: readonly OperationFacts[] = [
  {
    operationId: 'listDsoScans',
    method: 'get',
    path: '/v0/scans',
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ListDsoScansResponse' },
      },
    },
  },
  {
    operationId: 'listDsoSequencers',
    method: 'get',
    path: '/v0/dso-sequencers',
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ListDsoSequencersResponse' },
      },
    },
  },
  {
    operationId: 'listSvBftSequencers',
    method: 'get',
    path: '/v0/sv-bft-sequencers',
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ListSvBftSequencersResponse' },
      },
    },
  },
  {
    operationId: 'getRollForwardLsu',
    method: 'get',
    path: '/v0/roll-forward-lsu',
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetRollForwardLsuResponse' },
      },
    },
  },
  {
    operationId: 'getLsu',
    method: 'get',
    path: '/v0/lsu',
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetLsuResponse' },
      },
    },
  },
  {
    operationId: 'getActivePhysicalSynchronizerSerial',
    method: 'get',
    path: '/v0/active-synchronizer-serial',
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetActivePhysicalSynchronizerSerialResponse' },
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
    operationId: 'getMigrationSchedule',
    method: 'get',
    path: '/v0/migrations/schedule',
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/MigrationSchedule' },
      },
      '404': {},
    },
  },
  {
    operationId: 'getMigrationId',
    method: 'get',
    path: '/v0/migrations/last',
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetMigrationIdResponse' },
      },
    },
  },
  {
    operationId: 'getSynchronizerIdentities',
    method: 'get',
    path: '/v0/synchronizer-identities/{domain_id_prefix}',
    parameters: [
      { name: 'domain_id_prefix', in: 'path', required: true, schema: { type: 'string' } },
    ],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/SynchronizerIdentities' },
      },
      '404': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
    },
  },
  {
    operationId: 'getSynchronizerBootstrappingTransactions',
    method: 'get',
    path: '/v0/synchronizer-bootstrapping-transactions/{domain_id_prefix}',
    parameters: [
      { name: 'domain_id_prefix', in: 'path', required: true, schema: { type: 'string' } },
    ],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/SynchronizerBootstrappingTransactions' },
      },
      '404': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
    },
  },
];
