// Facts of Scan API 0.0.1, carried by scripts/carry-spec.mjs: do not edit by hand.
import type { Schemas, OperationFacts } from '../schema.js';

export const schemas: Schemas = {
  BaseRewardAccountingBatch: {
    type: 'object',
    required: ['batch_type'],
    properties: { batch_type: { type: 'string' } },
  },
  GetRewardAccountingActivityTotalsResponse: {
    type: 'object',
    oneOf: [
      { $ref: '#/components/schemas/RewardAccountingActivityTotalsOk' },
      { $ref: '#/components/schemas/RewardAccountingActivityTotalsUndetermined' },
      { $ref: '#/components/schemas/RewardAccountingActivityTotalsCannotProvide' },
    ],
    discriminator: {
      propertyName: 'status',
      mapping: {
        Ok: '#/components/schemas/RewardAccountingActivityTotalsOk',
        Undetermined: '#/components/schemas/RewardAccountingActivityTotalsUndetermined',
        CannotProvide: '#/components/schemas/RewardAccountingActivityTotalsCannotProvide',
      },
    },
  },
  GetRewardAccountingBatchResponse: {
    type: 'object',
    oneOf: [
      { $ref: '#/components/schemas/RewardAccountingBatchOfBatches' },
      { $ref: '#/components/schemas/RewardAccountingBatchOfMintingAllowances' },
    ],
    discriminator: {
      propertyName: 'batch_type',
      mapping: {
        BatchOfBatches: '#/components/schemas/RewardAccountingBatchOfBatches',
        BatchOfMintingAllowances: '#/components/schemas/RewardAccountingBatchOfMintingAllowances',
      },
    },
  },
  GetRewardAccountingEarliestAvailableRoundResponse: {
    type: 'object',
    required: ['earliest_round'],
    properties: { earliest_round: { type: 'integer', format: 'int64' } },
  },
  GetRewardAccountingRootHashResponse: {
    type: 'object',
    oneOf: [
      { $ref: '#/components/schemas/RewardAccountingRootHashOk' },
      { $ref: '#/components/schemas/RewardAccountingRootHashUndetermined' },
      { $ref: '#/components/schemas/RewardAccountingRootHashCannotProvide' },
    ],
    discriminator: {
      propertyName: 'status',
      mapping: {
        Ok: '#/components/schemas/RewardAccountingRootHashOk',
        Undetermined: '#/components/schemas/RewardAccountingRootHashUndetermined',
        CannotProvide: '#/components/schemas/RewardAccountingRootHashCannotProvide',
      },
    },
  },
  RewardAccountingActivityTotalsCannotProvide: {
    type: 'object',
    required: ['status'],
    properties: { status: { type: 'string' } },
  },
  RewardAccountingActivityTotalsOk: {
    type: 'object',
    required: [
      'status',
      'round_number',
      'total_app_activity_weight',
      'active_parties_count',
      'activity_records_count',
      'total_app_reward_minting_allowance',
      'total_app_reward_thresholded',
      'total_app_reward_unclaimed',
      'rewarded_app_provider_parties_count',
    ],
    properties: {
      status: { type: 'string' },
      round_number: { type: 'integer', format: 'int64' },
      total_app_activity_weight: { type: 'integer', format: 'int64' },
      active_parties_count: { type: 'integer', format: 'int64' },
      activity_records_count: { type: 'integer', format: 'int64' },
      total_app_reward_minting_allowance: { type: 'string' },
      total_app_reward_thresholded: { type: 'string' },
      total_app_reward_unclaimed: { type: 'string' },
      rewarded_app_provider_parties_count: { type: 'integer', format: 'int64' },
    },
  },
  RewardAccountingActivityTotalsUndetermined: {
    type: 'object',
    required: ['status'],
    properties: { status: { type: 'string' } },
  },
  RewardAccountingBatchOfBatches: {
    type: 'object',
    allOf: [
      { $ref: '#/components/schemas/BaseRewardAccountingBatch' },
      {
        type: 'object',
        required: ['child_hashes'],
        properties: { child_hashes: { type: 'array', items: { type: 'string' } } },
      },
    ],
  },
  RewardAccountingBatchOfMintingAllowances: {
    type: 'object',
    allOf: [
      { $ref: '#/components/schemas/BaseRewardAccountingBatch' },
      {
        type: 'object',
        required: ['minting_allowances'],
        properties: {
          minting_allowances: {
            type: 'array',
            items: { $ref: '#/components/schemas/RewardAccountingMintingAllowance' },
          },
        },
      },
    ],
  },
  RewardAccountingMintingAllowance: {
    type: 'object',
    required: ['provider', 'amount'],
    properties: { provider: { type: 'string' }, amount: { type: 'string' } },
  },
  RewardAccountingRootHashCannotProvide: {
    type: 'object',
    required: ['status'],
    properties: { status: { type: 'string' } },
  },
  RewardAccountingRootHashOk: {
    type: 'object',
    required: ['status', 'round_number', 'root_hash'],
    properties: {
      status: { type: 'string' },
      round_number: { type: 'integer', format: 'int64' },
      root_hash: { type: 'string' },
    },
  },
  RewardAccountingRootHashUndetermined: {
    type: 'object',
    required: ['status'],
    properties: { status: { type: 'string' } },
  },
};

export const operations: readonly OperationFacts[] = [
  {
    operationId: 'getRewardAccountingEarliestAvailableRound',
    method: 'get',
    path: '/v0/internal/reward-accounting-process/rounds/earliest-available',
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetRewardAccountingEarliestAvailableRoundResponse' },
      },
      '404': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
    },
  },
  {
    operationId: 'getRewardAccountingActivityTotals',
    method: 'get',
    path: '/v0/internal/reward-accounting-process/rounds/{round_number}/activity-totals',
    parameters: [
      {
        name: 'round_number',
        in: 'path',
        required: true,
        schema: { type: 'integer', format: 'int64' },
      },
    ],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetRewardAccountingActivityTotalsResponse' },
      },
    },
  },
  {
    operationId: 'getRewardAccountingRootHash',
    method: 'get',
    path: '/v0/internal/reward-accounting-process/rounds/{round_number}/root-hash',
    parameters: [
      {
        name: 'round_number',
        in: 'path',
        required: true,
        schema: { type: 'integer', format: 'int64' },
      },
    ],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetRewardAccountingRootHashResponse' },
      },
    },
  },
  {
    operationId: 'getRewardAccountingBatch',
    method: 'get',
    path: '/v0/internal/reward-accounting-process/rounds/{round_number}/batches/{batch_hash}',
    parameters: [
      {
        name: 'round_number',
        in: 'path',
        required: true,
        schema: { type: 'integer', format: 'int64' },
      },
      { name: 'batch_hash', in: 'path', required: true, schema: { type: 'string' } },
    ],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetRewardAccountingBatchResponse' },
      },
      '404': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
    },
  },
];
