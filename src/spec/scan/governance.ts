// Facts of Scan API 0.0.1, carried by scripts/carry-spec.mjs: do not edit by hand.
import type { Schemas, OperationFacts } from '../schema.js';

export const schemas: Schemas = {
  BatchListVotesByVoteRequestsRequest: {
    type: 'object',
    required: ['vote_request_contract_ids'],
    properties: { vote_request_contract_ids: { type: 'array', items: { type: 'string' } } },
  },
  CountVoteResultsRequest: {
    type: 'object',
    properties: {
      actionName: { type: 'string' },
      accepted: { type: 'boolean' },
      requester: { type: 'string' },
      effectiveFrom: { type: 'string' },
      effectiveTo: { type: 'string' },
    },
  },
  CountVoteResultsResponse: {
    type: 'object',
    required: ['count'],
    properties: { count: { type: 'integer', format: 'int64' } },
  },
  ListAmuletPriceVotesResponse: {
    type: 'object',
    required: ['amulet_price_votes'],
    properties: {
      amulet_price_votes: { type: 'array', items: { $ref: '#/components/schemas/Contract' } },
    },
  },
  ListDsoRulesVoteRequestsResponse: {
    type: 'object',
    required: ['dso_rules_vote_requests'],
    properties: {
      dso_rules_vote_requests: { type: 'array', items: { $ref: '#/components/schemas/Contract' } },
    },
  },
  ListDsoRulesVoteResultsResponse: {
    type: 'object',
    required: ['dso_rules_vote_results'],
    properties: {
      dso_rules_vote_results: { type: 'array', items: { type: 'object' } },
      next_page_token: { type: 'integer' },
    },
  },
  ListVoteRequestByTrackingCidResponse: {
    type: 'object',
    required: ['vote_requests'],
    properties: {
      vote_requests: { type: 'array', items: { $ref: '#/components/schemas/Contract' } },
    },
  },
  ListVoteResultsRequest: {
    type: 'object',
    required: ['limit'],
    properties: {
      actionName: { type: 'string' },
      accepted: { type: 'boolean' },
      requester: { type: 'string' },
      effectiveFrom: { type: 'string' },
      effectiveTo: { type: 'string' },
      limit: { type: 'integer' },
      pageToken: { type: 'integer' },
    },
  },
  LookupDsoRulesVoteRequestResponse: {
    type: 'object',
    required: ['dso_rules_vote_request'],
    properties: { dso_rules_vote_request: { $ref: '#/components/schemas/Contract' } },
  },
  PreviousSvRewardWeightRequest: {
    type: 'object',
    required: ['svParty'],
    properties: { svParty: { type: 'string' }, effectiveBefore: { type: 'string' } },
  },
  PreviousSvRewardWeightResponse: {
    type: 'object',
    properties: { rewardWeight: { type: 'string' } },
  },
};

export const operations: readonly OperationFacts[] = [
  {
    operationId: 'listAmuletPriceVotes',
    method: 'get',
    path: '/v0/amulet-price/votes',
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ListAmuletPriceVotesResponse' },
      },
    },
  },
  {
    operationId: 'listVoteRequestsByTrackingCid',
    method: 'post',
    path: '/v0/voterequest',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/BatchListVotesByVoteRequestsRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ListVoteRequestByTrackingCidResponse' },
      },
    },
  },
  {
    operationId: 'lookupDsoRulesVoteRequest',
    method: 'get',
    path: '/v0/voterequests/{vote_request_contract_id}',
    parameters: [
      { name: 'vote_request_contract_id', in: 'path', required: true, schema: { type: 'string' } },
    ],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/LookupDsoRulesVoteRequestResponse' },
      },
      '404': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
    },
  },
  {
    operationId: 'listDsoRulesVoteRequests',
    method: 'get',
    path: '/v0/admin/sv/voterequests',
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ListDsoRulesVoteRequestsResponse' },
      },
    },
  },
  {
    operationId: 'listVoteRequestResults',
    method: 'post',
    path: '/v0/admin/sv/voteresults',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/ListVoteResultsRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ListDsoRulesVoteResultsResponse' },
      },
    },
  },
  {
    operationId: 'countVoteRequestResults',
    method: 'post',
    path: '/v0/admin/sv/voteresults/count',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/CountVoteResultsRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/CountVoteResultsResponse' },
      },
    },
  },
  {
    operationId: 'getPreviousSvRewardWeight',
    method: 'post',
    path: '/v0/admin/sv/previous-sv-reward-weight',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/PreviousSvRewardWeightRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/PreviousSvRewardWeightResponse' },
      },
    },
  },
];
