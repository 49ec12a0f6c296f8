// Facts of JSON Ledger API HTTP endpoints 3.4.12-SNAPSHOT, 3.5.14, 3.6.0-SNAPSHOT, carried by scripts/carry-spec.mjs: do not edit by hand.
import type { Schemas, OperationFacts } from '../schema.js';

export const schemas: Schemas = {
  GetPackageStatusResponse: {
    type: 'object',
    required: ['packageStatus'],
    properties: {
      packageStatus: {
        type: 'string',
        enum: ['PACKAGE_STATUS_UNSPECIFIED', 'PACKAGE_STATUS_REGISTERED'],
      },
    },
  },
  ListPackagesResponse: {
    type: 'object',
    required: ['packageIds'],
    properties: { packageIds: { type: 'array', items: { type: 'string' } } },
  },
  UploadDarFileResponse: { type: 'object' },
};

export const operations: readonly OperationFacts[] = [
  {
    operationId: 'postV2DarsValidate',
    method: 'post',
    path: '/v2/dars/validate',
    parameters: [{ name: 'synchronizerId', in: 'query', schema: { type: 'string' } }],
    request: {
      contentType: 'application/octet-stream',
      schema: { type: 'string', format: 'binary' },
    },
    responses: {
      '200': {},
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'postV2Dars',
    method: 'post',
    path: '/v2/dars',
    parameters: [
      { name: 'vetAllPackages', in: 'query', schema: { type: 'boolean' } },
      { name: 'synchronizerId', in: 'query', schema: { type: 'string' } },
    ],
    request: {
      contentType: 'application/octet-stream',
      schema: { type: 'string', format: 'binary' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/UploadDarFileResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'getV2Packages',
    method: 'get',
    path: '/v2/packages',
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ListPackagesResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'postV2Packages',
    method: 'post',
    path: '/v2/packages',
    parameters: [
      { name: 'vetAllPackages', in: 'query', schema: { type: 'boolean' } },
      { name: 'synchronizerId', in: 'query', schema: { type: 'string' } },
    ],
    request: {
      contentType: 'application/octet-stream',
      schema: { type: 'string', format: 'binary' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/UploadDarFileResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'getV2PackagesPackage-id',
    method: 'get',
    path: '/v2/packages/{package-id}',
    parameters: [{ name: 'package-id', in: 'path', required: true, schema: { type: 'string' } }],
    responses: {
      '200': {
        contentType: 'application/octet-stream',
        schema: { type: 'string', format: 'binary' },
        headers: { 'Canton-Package-Hash': { type: 'string' } },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'getV2PackagesPackage-idStatus',
    method: 'get',
    path: '/v2/packages/{package-id}/status',
    parameters: [{ name: 'package-id', in: 'path', required: true, schema: { type: 'string' } }],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetPackageStatusResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
];
