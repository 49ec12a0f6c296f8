// Facts of Scan API 0.0.1, carried by scripts/carry-spec.mjs: do not edit by hand.
import type { Schemas, OperationFacts } from '../schema.js';

export const schemas: Schemas = {
  AnsEntry: {
    type: 'object',
    required: ['user', 'name', 'url', 'description'],
    properties: {
      contract_id: { type: 'string' },
      user: { type: 'string' },
      name: { type: 'string' },
      url: { type: 'string' },
      description: { type: 'string' },
      expires_at: { type: 'string', format: 'date-time' },
    },
  },
  GetAnsRulesRequest: {
    type: 'object',
    properties: {
      cached_ans_rules_contract_id: { $ref: '#/components/schemas/ContractId' },
      cached_ans_rules_domain_id: { type: 'string' },
    },
  },
  GetAnsRulesResponse: {
    type: 'object',
    properties: { ans_rules_update: { $ref: '#/components/schemas/MaybeCachedContractWithState' } },
    required: ['ans_rules_update'],
  },
  ListEntriesResponse: {
    type: 'object',
    required: ['entries'],
    properties: { entries: { type: 'array', items: { $ref: '#/components/schemas/AnsEntry' } } },
  },
  LookupEntryByNameResponse: {
    type: 'object',
    required: ['entry'],
    properties: { entry: { $ref: '#/components/schemas/AnsEntry' } },
  },
  LookupEntryByPartyResponse: {
    type: 'object',
    required: ['entry'],
    properties: { entry: { $ref: '#/components/schemas/AnsEntry' } },
  },
};

export const operations: readonly OperationFacts[] = [
  {
    operationId: 'listAnsEntries',
    method: 'get',
    path: '/v0/ans-entries',
    parameters: [
      { name: 'name_prefix', in: 'query', schema: { type: 'string' } },
      {
        name: 'page_size',
        in: 'query',
        required: true,
        schema: { type: 'integer', format: 'int32' },
      },
    ],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ListEntriesResponse' },
      },
    },
  },
  {
    operationId: 'lookupAnsEntryByParty',
    method: 'get',
    path: '/v0/ans-entries/by-party/{party}',
    parameters: [{ name: 'party', in: 'path', required: true, schema: { type: 'string' } }],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/LookupEntryByPartyResponse' },
      },
      '404': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
    },
  },
  {
    operationId: 'lookupAnsEntryByName',
    method: 'get',
    path: '/v0/ans-entries/by-name/{name}',
    parameters: [{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/LookupEntryByNameResponse' },
      },
      '404': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
    },
  },
  {
    operationId: 'getAnsRules',
    method: 'post',
    path: '/v0/ans-rules',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/GetAnsRulesRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetAnsRulesResponse' },
      },
    },
  },
];
