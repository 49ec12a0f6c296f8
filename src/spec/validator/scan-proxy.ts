// Facts of Validator API 0.0.1, carried by scripts/carry-spec.mjs: do not edit by hand.
import type { Schemas, OperationFacts } from '../schema.js';

export const schemas: Schemas = {
  GetAmuletRulesProxyResponse: {
    type: 'object',
    required: ['amulet_rules'],
    properties: { amulet_rules: { $ref: '#/components/schemas/ContractWithState' } },
  },
  GetOpenAndIssuingMiningRoundsProxyResponse: {
    type: 'object',
    required: ['open_mining_rounds', 'issuing_mining_rounds'],
    properties: {
      open_mining_rounds: {
        type: 'array',
        items: { $ref: '#/components/schemas/ContractWithState' },
      },
      issuing_mining_rounds: {
        type: 'array',
        items: { $ref: '#/components/schemas/ContractWithState' },
      },
    },
  },
};

export const operations: readonly OperationFacts[] = [
  {
    operationId: 'getDsoPartyId',
    method: 'get',
    path: '/v0/scan-proxy/dso-party-id',
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetDsoPartyIdResponse' },
      },
    },
  },
  {
    operationId: 'getDsoInfo',
    method: 'get',
    path: '/v0/scan-proxy/dso',
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetDsoInfoResponse' },
      },
    },
  },
  {
    operationId: 'lookupFeaturedAppRight',
    method: 'get',
    path: '/v0/scan-proxy/featured-apps/{provider_party_id}',
    parameters: [
      { name: 'provider_party_id', in: 'path', required: true, schema: { type: 'string' } },
    ],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/LookupFeaturedAppRightResponse' },
      },
    },
  },
  {
    operationId: 'getOpenAndIssuingMiningRounds',
    method: 'get',
    path: '/v0/scan-proxy/open-and-issuing-mining-rounds',
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetOpenAndIssuingMiningRoundsProxyResponse' },
      },
    },
  },
  {
    operationId: 'getAmuletRules',
    method: 'get',
    path: '/v0/scan-proxy/amulet-rules',
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetAmuletRulesProxyResponse' },
      },
    },
  },
  {
    operationId: 'lookupAnsEntryByParty',
    method: 'get',
    path: '/v0/scan-proxy/ans-entries/by-party/{party}',
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
    operationId: 'listAnsEntries',
    method: 'get',
    path: '/v0/scan-proxy/ans-entries',
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
    operationId: 'lookupAnsEntryByName',
    method: 'get',
    path: '/v0/scan-proxy/ans-entries/by-name/{name}',
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
    path: '/v0/scan-proxy/ans-rules',
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
  {
    operationId: 'lookupTransferPreapprovalByParty',
    method: 'get',
    path: '/v0/scan-proxy/transfer-preapprovals/by-party/{party}',
    parameters: [{ name: 'party', in: 'path', required: true, schema: { type: 'string' } }],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/LookupTransferPreapprovalByPartyResponse' },
      },
      '404': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
    },
  },
  {
    operationId: 'lookupTransferCommandCounterByParty',
    method: 'get',
    path: '/v0/scan-proxy/transfer-command-counter/{party}',
    parameters: [{ name: 'party', in: 'path', required: true, schema: { type: 'string' } }],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/LookupTransferCommandCounterByPartyResponse' },
      },
      '404': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
    },
  },
  {
    operationId: 'lookupTransferCommandStatus',
    method: 'get',
    path: '/v0/scan-proxy/transfer-command/status',
    parameters: [
      { name: 'sender', in: 'query', required: true, schema: { type: 'string' } },
      { name: 'nonce', in: 'query', required: true, schema: { type: 'integer', format: 'int64' } },
    ],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/LookupTransferCommandStatusResponse' },
      },
      '404': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
    },
  },
  {
    operationId: 'getHoldingsSummaryAt',
    method: 'post',
    path: '/v0/scan-proxy/holdings/summary',
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
    path: '/v1/scan-proxy/holdings/summary',
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
  {
    operationId: 'listUnclaimedDevelopmentFundCoupons',
    method: 'get',
    path: '/v0/scan-proxy/unclaimed-development-fund-coupons',
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ListUnclaimedDevelopmentFundCouponsResponse' },
      },
    },
  },
];
