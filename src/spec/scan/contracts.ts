// Facts of Scan API 0.0.1, carried by scripts/carry-spec.mjs: do not edit by hand.
import type { Schemas } from '../schema.js';

export const schemas: Schemas = {
  AcsResponse: {
    type: 'object',
    required: ['record_time', 'migration_id', 'created_events'],
    properties: {
      record_time: { type: 'string', format: 'date-time' },
      migration_id: { type: 'integer', format: 'int64' },
      created_events: { type: 'array', items: { $ref: '#/components/schemas/CreatedEvent' } },
      next_page_token: { type: 'integer', format: 'int64' },
    },
  },
  AcsResponseV1: {
    type: 'object',
    required: ['record_time', 'migration_id', 'created_events'],
    properties: {
      record_time: { type: 'string', format: 'date-time' },
      migration_id: { type: 'integer', format: 'int64' },
      created_events: { type: 'array', items: { $ref: '#/components/schemas/ActiveContract' } },
      next_page_token: { type: 'integer', format: 'int64' },
    },
  },
  ActiveContract: {
    type: 'object',
    required: [
      'contract_id',
      'template_id',
      'package_name',
      'create_arguments',
      'created_at',
      'signatories',
      'observers',
    ],
    properties: {
      created_in_update_id: { type: 'string' },
      contract_id: { type: 'string' },
      template_id: { type: 'string' },
      package_name: { type: 'string' },
      create_arguments: { type: 'object' },
      created_at: { type: 'string', format: 'date-time' },
      signatories: { type: 'array', items: { type: 'string' } },
      observers: { type: 'array', items: { type: 'string' } },
    },
  },
  Contract: {
    type: 'object',
    properties: {
      template_id: { type: 'string' },
      contract_id: { type: 'string' },
      payload: { type: 'object' },
      created_event_blob: { type: 'string' },
      created_at: { type: 'string' },
    },
    required: ['template_id', 'contract_id', 'payload', 'created_event_blob', 'created_at'],
  },
  ContractId: { type: 'string' },
  ContractWithState: {
    type: 'object',
    properties: {
      contract: { $ref: '#/components/schemas/Contract' },
      domain_id: { type: 'string' },
    },
    required: ['contract'],
  },
  MaybeCachedContractWithState: {
    type: 'object',
    properties: {
      contract: { $ref: '#/components/schemas/Contract' },
      domain_id: { type: 'string' },
    },
  },
};
