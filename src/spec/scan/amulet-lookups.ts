// Facts of Scan API 0.0.1, carried by scripts/carry-spec.mjs: do not edit by hand.
import type { Schemas, OperationFacts } from '../schema.js';

export const schemas: Schemas = {
  BaseLookupTransferCommandStatusResponse: {
    type: 'object',
    required: ['status'],
    properties: { status: { type: 'string' } },
  },
  GetValidatorFaucetsByValidatorResponse: {
    type: 'object',
    required: ['validatorsReceivedFaucets'],
    properties: {
      validatorsReceivedFaucets: {
        type: 'array',
        items: { $ref: '#/components/schemas/ValidatorReceivedFaucets' },
      },
    },
  },
  ListFeaturedAppRightsResponse: {
    type: 'object',
    required: ['featured_apps'],
    properties: {
      featured_apps: { type: 'array', items: { $ref: '#/components/schemas/Contract' } },
    },
  },
  ListUnclaimedDevelopmentFundCouponsResponse: {
    type: 'object',
    required: ['unclaimed-development-fund-coupons'],
    properties: {
      'unclaimed-development-fund-coupons': {
        type: 'array',
        items: { $ref: '#/components/schemas/ContractWithState' },
      },
    },
  },
  ListValidatorLicensesResponse: {
    type: 'object',
    required: ['validator_licenses'],
    properties: {
      validator_licenses: { type: 'array', items: { $ref: '#/components/schemas/Contract' } },
      next_page_token: { type: 'integer', format: 'int64' },
    },
  },
  LookupFeaturedAppRightResponse: {
    type: 'object',
    properties: { featured_app_right: { $ref: '#/components/schemas/Contract' } },
  },
  LookupTransferCommandCounterByPartyResponse: {
    type: 'object',
    required: ['transfer_command_counter'],
    properties: { transfer_command_counter: { $ref: '#/components/schemas/ContractWithState' } },
  },
  LookupTransferCommandStatusResponse: {
    type: 'object',
    required: ['transfer_commands_by_contract_id'],
    properties: {
      transfer_commands_by_contract_id: { $ref: '#/components/schemas/TransferCommandMap' },
    },
  },
  LookupTransferPreapprovalByPartyResponse: {
    type: 'object',
    required: ['transfer_preapproval'],
    properties: { transfer_preapproval: { $ref: '#/components/schemas/ContractWithState' } },
  },
  TransferCommandContractStatus: {
    type: 'object',
    oneOf: [
      { $ref: '#/components/schemas/TransferCommandCreatedResponse' },
      { $ref: '#/components/schemas/TransferCommandSentResponse' },
      { $ref: '#/components/schemas/TransferCommandFailedResponse' },
    ],
    discriminator: {
      propertyName: 'status',
      mapping: {
        created: '#/components/schemas/TransferCommandCreatedResponse',
        sent: '#/components/schemas/TransferCommandSentResponse',
        failed: '#/components/schemas/TransferCommandFailedResponse',
      },
    },
  },
  TransferCommandContractWithStatus: {
    type: 'object',
    required: ['contract', 'status'],
    properties: {
      contract: { $ref: '#/components/schemas/Contract' },
      status: { $ref: '#/components/schemas/TransferCommandContractStatus' },
    },
  },
  TransferCommandCreatedResponse: {
    type: 'object',
    allOf: [{ $ref: '#/components/schemas/BaseLookupTransferCommandStatusResponse' }],
  },
  TransferCommandFailedResponse: {
    type: 'object',
    allOf: [
      { $ref: '#/components/schemas/BaseLookupTransferCommandStatusResponse' },
      {
        type: 'object',
        required: ['failure_kind', 'reason'],
        properties: {
          failure_kind: { type: 'string', enum: ['failed', 'expired', 'withdrawn'] },
          reason: { type: 'string' },
        },
      },
    ],
  },
  TransferCommandMap: {
    type: 'object',
    additionalProperties: { $ref: '#/components/schemas/TransferCommandContractWithStatus' },
  },
  TransferCommandSentResponse: {
    type: 'object',
    allOf: [{ $ref: '#/components/schemas/BaseLookupTransferCommandStatusResponse' }],
  },
  ValidatorReceivedFaucets: {
    type: 'object',
    required: [
      'validator',
      'numRoundsCollected',
      'numRoundsMissed',
      'firstCollectedInRound',
      'lastCollectedInRound',
    ],
    properties: {
      validator: { type: 'string' },
      numRoundsCollected: { type: 'integer', format: 'int64' },
      numRoundsMissed: { type: 'integer', format: 'int64' },
      firstCollectedInRound: { type: 'integer', format: 'int64' },
      lastCollectedInRound: { type: 'integer', format: 'int64' },
    },
  },
};

export const operations: readonly OperationFacts[] = [
  {
    operationId: 'getValidatorFaucetsByValidator',
    method: 'get',
    path: '/v0/validators/validator-faucets',
    parameters: [
      {
        name: 'validator_ids',
        in: 'query',
        required: true,
        schema: { type: 'array', items: { type: 'string' } },
      },
    ],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetValidatorFaucetsByValidatorResponse' },
      },
      '400': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
      '404': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
    },
  },
  {
    operationId: 'listValidatorLicenses',
    method: 'get',
    path: '/v0/admin/validator/licenses',
    parameters: [
      { name: 'after', in: 'query', schema: { type: 'integer', format: 'int64' } },
      { name: 'limit', in: 'query', schema: { type: 'integer', format: 'int32' } },
    ],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ListValidatorLicensesResponse' },
      },
    },
  },
  {
    operationId: 'listFeaturedAppRights',
    method: 'get',
    path: '/v0/featured-apps',
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ListFeaturedAppRightsResponse' },
      },
    },
  },
  {
    operationId: 'lookupFeaturedAppRight',
    method: 'get',
    path: '/v0/featured-apps/{provider_party_id}',
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
    operationId: 'listFeaturedAppRightsByProvider',
    method: 'get',
    path: '/v0/featured-apps/by-provider/{provider_party_id}',
    parameters: [
      { name: 'provider_party_id', in: 'path', required: true, schema: { type: 'string' } },
    ],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ListFeaturedAppRightsResponse' },
      },
    },
  },
  {
    operationId: 'lookupFeaturedAppRightByContractId',
    method: 'get',
    path: '/v0/featured-apps/by-contract-id/{contract_id}',
    parameters: [{ name: 'contract_id', in: 'path', required: true, schema: { type: 'string' } }],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/LookupFeaturedAppRightResponse' },
      },
    },
  },
  {
    operationId: 'lookupTransferPreapprovalByParty',
    method: 'get',
    path: '/v0/transfer-preapprovals/by-party/{party}',
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
    path: '/v0/transfer-command-counter/{party}',
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
    path: '/v0/transfer-command/status',
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
    operationId: 'listUnclaimedDevelopmentFundCoupons',
    method: 'get',
    path: '/v0/unclaimed-development-fund-coupons',
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ListUnclaimedDevelopmentFundCouponsResponse' },
      },
      '500': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
    },
  },
];
