// Facts of Scan API 0.0.1, carried by scripts/carry-spec.mjs: do not edit by hand.
import type { Schemas } from '../schema.js';

export const schemas: Schemas = {
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
