// Facts of Scan API 0.0.1, carried by scripts/carry-spec.mjs: do not edit by hand.
import type { Schemas, OperationFacts } from '../schema.js';

export const schemas: Schemas = {
  GetAmuletConfigForRoundResponse: {
    type: 'object',
    required: ['amulet_create_fee', 'holding_fee', 'lock_holder_fee', 'transfer_fee'],
    properties: {
      amulet_create_fee: { type: 'string' },
      holding_fee: { type: 'string' },
      lock_holder_fee: { type: 'string' },
      transfer_fee: { $ref: '#/components/schemas/SteppedRate' },
    },
  },
  GetAmuletRulesRequest: {
    type: 'object',
    properties: {
      cached_amulet_rules_contract_id: { $ref: '#/components/schemas/ContractId' },
      cached_amulet_rules_domain_id: { type: 'string' },
    },
  },
  GetAmuletRulesResponse: {
    type: 'object',
    properties: {
      amulet_rules_update: { $ref: '#/components/schemas/MaybeCachedContractWithState' },
    },
    required: ['amulet_rules_update'],
  },
  GetClosedRoundsResponse: {
    type: 'object',
    required: ['rounds'],
    properties: { rounds: { type: 'array', items: { $ref: '#/components/schemas/Contract' } } },
  },
  GetDsoInfoResponse: {
    type: 'object',
    required: [
      'sv_user',
      'sv_party_id',
      'dso_party_id',
      'voting_threshold',
      'latest_mining_round',
      'amulet_rules',
      'dso_rules',
      'sv_node_states',
    ],
    properties: {
      sv_user: { type: 'string' },
      sv_party_id: { type: 'string' },
      dso_party_id: { type: 'string' },
      voting_threshold: { type: 'integer' },
      latest_mining_round: { $ref: '#/components/schemas/ContractWithState' },
      amulet_rules: { $ref: '#/components/schemas/ContractWithState' },
      dso_rules: { $ref: '#/components/schemas/ContractWithState' },
      sv_node_states: { type: 'array', items: { $ref: '#/components/schemas/ContractWithState' } },
      initial_round: { type: 'string' },
    },
  },
  GetDsoPartyIdResponse: {
    type: 'object',
    required: ['dso_party_id'],
    properties: { dso_party_id: { type: 'string' } },
  },
  GetExternalPartyAmuletRulesRequest: {
    type: 'object',
    properties: {
      cached_external_party_amulet_rules_contract_id: { $ref: '#/components/schemas/ContractId' },
      cached_external_party_amulet_rules_domain_id: { type: 'string' },
    },
  },
  GetExternalPartyAmuletRulesResponse: {
    type: 'object',
    properties: {
      external_party_amulet_rules_update: {
        $ref: '#/components/schemas/MaybeCachedContractWithState',
      },
    },
    required: ['external_party_amulet_rules_update'],
  },
  GetOpenAndIssuingMiningRoundsRequest: {
    type: 'object',
    required: ['cached_open_mining_round_contract_ids', 'cached_issuing_round_contract_ids'],
    properties: {
      cached_open_mining_round_contract_ids: {
        type: 'array',
        items: { $ref: '#/components/schemas/ContractId' },
      },
      cached_issuing_round_contract_ids: {
        type: 'array',
        items: { $ref: '#/components/schemas/ContractId' },
      },
    },
  },
  GetOpenAndIssuingMiningRoundsResponse: {
    type: 'object',
    required: ['open_mining_rounds', 'issuing_mining_rounds', 'time_to_live_in_microseconds'],
    properties: {
      time_to_live_in_microseconds: { type: 'integer' },
      open_mining_rounds: { $ref: '#/components/schemas/MaybeCachedContractWithStateMap' },
      issuing_mining_rounds: { $ref: '#/components/schemas/MaybeCachedContractWithStateMap' },
    },
  },
  GetSpliceInstanceNamesResponse: {
    type: 'object',
    required: [
      'network_name',
      'network_favicon_url',
      'amulet_name',
      'amulet_name_acronym',
      'name_service_name',
      'name_service_name_acronym',
    ],
    properties: {
      network_name: { type: 'string' },
      network_favicon_url: { type: 'string' },
      amulet_name: { type: 'string' },
      amulet_name_acronym: { type: 'string' },
      name_service_name: { type: 'string' },
      name_service_name_acronym: { type: 'string' },
    },
  },
  MaybeCachedContractWithStateMap: {
    type: 'object',
    additionalProperties: { $ref: '#/components/schemas/MaybeCachedContractWithState' },
  },
  RateStep: {
    type: 'object',
    required: ['amount', 'rate'],
    properties: { amount: { type: 'string' }, rate: { type: 'string' } },
  },
  SteppedRate: {
    type: 'object',
    required: ['initial', 'steps'],
    properties: {
      initial: { type: 'string' },
      steps: { type: 'array', items: { $ref: '#/components/schemas/RateStep' } },
    },
  },
};

export const operations: readonly OperationFacts[] = [
  {
    operationId: 'getDsoInfo',
    method: 'get',
    path: '/v0/dso',
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetDsoInfoResponse' },
      },
    },
  },
  {
    operationId: 'getClosedRounds',
    method: 'get',
    path: '/v0/closed-rounds',
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetClosedRoundsResponse' },
      },
    },
  },
  {
    operationId: 'getOpenAndIssuingMiningRounds',
    method: 'post',
    path: '/v0/open-and-issuing-mining-rounds',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/GetOpenAndIssuingMiningRoundsRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetOpenAndIssuingMiningRoundsResponse' },
      },
    },
  },
  {
    operationId: 'getDsoPartyId',
    method: 'get',
    path: '/v0/dso-party-id',
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetDsoPartyIdResponse' },
      },
    },
  },
  {
    operationId: 'getAmuletRules',
    method: 'post',
    path: '/v0/amulet-rules',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/GetAmuletRulesRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetAmuletRulesResponse' },
      },
    },
  },
  {
    operationId: 'getExternalPartyAmuletRules',
    method: 'post',
    path: '/v0/external-party-amulet-rules',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/GetExternalPartyAmuletRulesRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetExternalPartyAmuletRulesResponse' },
      },
    },
  },
  {
    operationId: 'getSpliceInstanceNames',
    method: 'get',
    path: '/v0/splice-instance-names',
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetSpliceInstanceNamesResponse' },
      },
      '404': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
    },
  },
  {
    operationId: 'getAmuletConfigForRound',
    method: 'get',
    path: '/v0/amulet-config-for-round',
    deprecated: true,
    parameters: [
      { name: 'round', in: 'query', required: true, schema: { type: 'integer', format: 'int64' } },
    ],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetAmuletConfigForRoundResponse' },
      },
      '404': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
    },
  },
];
