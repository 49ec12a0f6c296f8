// Facts of JSON Ledger API HTTP endpoints 3.4.12-SNAPSHOT, 3.5.14, 3.6.0-SNAPSHOT, carried by scripts/carry-spec.mjs: do not edit by hand.
import type { Schemas, SchemaVariant, OperationFacts } from '../schema.js';

export const schemas: Schemas = {
  Empty5: { type: 'object' },
  Empty6: { type: 'object' },
  ListVettedPackagesRequest: {
    type: 'object',
    properties: {
      packageMetadataFilter: { $ref: '#/components/schemas/PackageMetadataFilter' },
      topologyStateFilter: { $ref: '#/components/schemas/TopologyStateFilter' },
      pageToken: { type: 'string' },
      pageSize: { type: 'integer', format: 'int32' },
    },
  },
  ListVettedPackagesResponse: {
    type: 'object',
    properties: {
      vettedPackages: { type: 'array', items: { $ref: '#/components/schemas/VettedPackages' } },
      nextPageToken: { type: 'string' },
    },
  },
  NoPrior: { type: 'object' },
  Operation: {
    oneOf: [
      {
        type: 'object',
        required: ['Empty'],
        properties: { Empty: { $ref: '#/components/schemas/Empty5' } },
      },
      {
        type: 'object',
        required: ['Unvet'],
        properties: { Unvet: { $ref: '#/components/schemas/Unvet' } },
      },
      {
        type: 'object',
        required: ['Vet'],
        properties: { Vet: { $ref: '#/components/schemas/Vet' } },
      },
    ],
  },
  PackageMetadataFilter: {
    type: 'object',
    properties: {
      packageIds: { type: 'array', items: { type: 'string' } },
      packageNamePrefixes: { type: 'array', items: { type: 'string' } },
    },
  },
  Prior: {
    type: 'object',
    required: ['value'],
    properties: { value: { type: 'integer', format: 'int32' } },
  },
  PriorTopologySerial: {
    type: 'object',
    properties: { serial: { $ref: '#/components/schemas/Serial' } },
  },
  Serial: {
    oneOf: [
      {
        type: 'object',
        required: ['Empty'],
        properties: { Empty: { $ref: '#/components/schemas/Empty6' } },
      },
      {
        type: 'object',
        required: ['NoPrior'],
        properties: { NoPrior: { $ref: '#/components/schemas/NoPrior' } },
      },
      {
        type: 'object',
        required: ['Prior'],
        properties: { Prior: { $ref: '#/components/schemas/Prior' } },
      },
    ],
  },
  TopologyStateFilter: {
    type: 'object',
    properties: {
      participantIds: { type: 'array', items: { type: 'string' } },
      synchronizerIds: { type: 'array', items: { type: 'string' } },
    },
  },
  Unvet: {
    type: 'object',
    required: ['value'],
    properties: { value: { $ref: '#/components/schemas/Unvet1' } },
  },
  Unvet1: {
    type: 'object',
    required: ['packages'],
    properties: {
      packages: { type: 'array', items: { $ref: '#/components/schemas/VettedPackagesRef' } },
    },
  },
  UpdateVettedPackagesRequest: {
    type: 'object',
    required: ['changes'],
    properties: {
      changes: { type: 'array', items: { $ref: '#/components/schemas/VettedPackagesChange' } },
      dryRun: { type: 'boolean' },
      synchronizerId: { type: 'string' },
      expectedTopologySerial: { $ref: '#/components/schemas/PriorTopologySerial' },
      updateVettedPackagesForceFlags: {
        type: 'array',
        items: {
          type: 'string',
          enum: [
            'UPDATE_VETTED_PACKAGES_FORCE_FLAG_UNSPECIFIED',
            'UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_VET_INCOMPATIBLE_UPGRADES',
            'UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_UNVETTED_DEPENDENCIES',
          ],
        },
      },
    },
  },
  UpdateVettedPackagesResponse: {
    type: 'object',
    required: ['newVettedPackages'],
    properties: {
      pastVettedPackages: { $ref: '#/components/schemas/VettedPackages' },
      newVettedPackages: { $ref: '#/components/schemas/VettedPackages' },
    },
  },
  Vet: {
    type: 'object',
    required: ['value'],
    properties: { value: { $ref: '#/components/schemas/Vet1' } },
  },
  Vet1: {
    type: 'object',
    required: ['packages'],
    properties: {
      packages: { type: 'array', items: { $ref: '#/components/schemas/VettedPackagesRef' } },
      newValidFromInclusive: { type: 'string' },
      newValidUntilExclusive: { type: 'string' },
    },
  },
  VettedPackage: {
    type: 'object',
    required: ['packageId'],
    properties: {
      packageId: { type: 'string' },
      validFromInclusive: { type: 'string' },
      validUntilExclusive: { type: 'string' },
      packageName: { type: 'string' },
      packageVersion: { type: 'string' },
    },
  },
  VettedPackages: {
    type: 'object',
    required: ['participantId', 'synchronizerId', 'topologySerial', 'packages'],
    properties: {
      packages: { type: 'array', items: { $ref: '#/components/schemas/VettedPackage' } },
      participantId: { type: 'string' },
      synchronizerId: { type: 'string' },
      topologySerial: { type: 'integer', format: 'int32' },
    },
  },
  VettedPackagesChange: {
    type: 'object',
    properties: { operation: { $ref: '#/components/schemas/Operation' } },
  },
  VettedPackagesRef: {
    type: 'object',
    properties: {
      packageId: { type: 'string' },
      packageName: { type: 'string' },
      packageVersion: { type: 'string' },
    },
  },
};

/** What other releases state of the same names, and messages that only they have. */
export const variants: readonly SchemaVariant[] = [
  {
    name: 'Unvet1',
    until: '3.5',
    schema: {
      type: 'object',
      properties: {
        packages: { type: 'array', items: { $ref: '#/components/schemas/VettedPackagesRef' } },
      },
    },
  },
  {
    name: 'Vet1',
    until: '3.5',
    schema: {
      type: 'object',
      properties: {
        packages: { type: 'array', items: { $ref: '#/components/schemas/VettedPackagesRef' } },
        newValidFromInclusive: { type: 'string' },
        newValidUntilExclusive: { type: 'string' },
      },
    },
  },
];

export const operations: readonly OperationFacts[] = [
  {
    operationId: 'getV2Package-vetting',
    method: 'get',
    path: '/v2/package-vetting',
    deprecated: true,
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/ListVettedPackagesRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ListVettedPackagesResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
    until: '3.6',
  },
  {
    operationId: 'postV2Package-vetting',
    method: 'post',
    path: '/v2/package-vetting',
    deprecated: true,
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/UpdateVettedPackagesRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/UpdateVettedPackagesResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
    until: '3.6',
  },
  {
    operationId: 'postV2Package-vettingList',
    method: 'post',
    path: '/v2/package-vetting/list',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/ListVettedPackagesRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ListVettedPackagesResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'postV2Package-vettingUpdate',
    method: 'post',
    path: '/v2/package-vetting/update',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/UpdateVettedPackagesRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/UpdateVettedPackagesResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
];
