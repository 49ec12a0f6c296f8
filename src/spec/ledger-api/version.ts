// Facts of JSON Ledger API HTTP endpoints 3.4.12-SNAPSHOT, 3.5.14, 3.6.0-SNAPSHOT, carried by scripts/carry-spec.mjs: do not edit by hand.
import type { Schemas, OperationFacts } from '../schema.js';

export const schemas: Schemas = {
  ExperimentalCommandInspectionService: {
    type: 'object',
    required: ['supported'],
    properties: { supported: { type: 'boolean' } },
  },
  ExperimentalFeatures: {
    type: 'object',
    properties: {
      staticTime: { $ref: '#/components/schemas/ExperimentalStaticTime' },
      commandInspectionService: {
        $ref: '#/components/schemas/ExperimentalCommandInspectionService',
      },
    },
  },
  ExperimentalStaticTime: {
    type: 'object',
    required: ['supported'],
    properties: { supported: { type: 'boolean' } },
  },
  FeaturesDescriptor: {
    type: 'object',
    required: [
      'experimental',
      'userManagement',
      'partyManagement',
      'offsetCheckpoint',
      'packageFeature',
    ],
    properties: {
      experimental: { $ref: '#/components/schemas/ExperimentalFeatures' },
      userManagement: { $ref: '#/components/schemas/UserManagementFeature' },
      partyManagement: { $ref: '#/components/schemas/PartyManagementFeature' },
      offsetCheckpoint: { $ref: '#/components/schemas/OffsetCheckpointFeature' },
      packageFeature: { $ref: '#/components/schemas/PackageFeature' },
    },
  },
  GetLedgerApiVersionResponse: {
    type: 'object',
    required: ['version', 'features'],
    properties: {
      version: { type: 'string' },
      features: { $ref: '#/components/schemas/FeaturesDescriptor' },
    },
  },
  OffsetCheckpointFeature: {
    type: 'object',
    required: ['maxOffsetCheckpointEmissionDelay'],
    properties: { maxOffsetCheckpointEmissionDelay: { $ref: '#/components/schemas/Duration' } },
  },
  PackageFeature: {
    type: 'object',
    required: ['maxVettedPackagesPageSize'],
    properties: { maxVettedPackagesPageSize: { type: 'integer', format: 'int32' } },
  },
  PartyManagementFeature: {
    type: 'object',
    required: ['maxPartiesPageSize'],
    properties: { maxPartiesPageSize: { type: 'integer', format: 'int32' } },
  },
  UserManagementFeature: {
    type: 'object',
    required: ['supported', 'maxRightsPerUser', 'maxUsersPageSize'],
    properties: {
      supported: { type: 'boolean' },
      maxRightsPerUser: { type: 'integer', format: 'int32' },
      maxUsersPageSize: { type: 'integer', format: 'int32' },
    },
  },
};

export const operations: readonly OperationFacts[] = [
  {
    operationId: 'getV2Version',
    method: 'get',
    path: '/v2/version',
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetLedgerApiVersionResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
];
