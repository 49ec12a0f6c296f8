// Facts of JSON Ledger API HTTP endpoints 3.4.12-SNAPSHOT, 3.5.14, 3.6.0-SNAPSHOT, carried by scripts/carry-spec.mjs: do not edit by hand.
import type { Schemas, OperationFacts } from '../schema.js';

export const schemas: Schemas = {
  CreateIdentityProviderConfigRequest: {
    type: 'object',
    required: ['identityProviderConfig'],
    properties: { identityProviderConfig: { $ref: '#/components/schemas/IdentityProviderConfig' } },
  },
  CreateIdentityProviderConfigResponse: {
    type: 'object',
    required: ['identityProviderConfig'],
    properties: { identityProviderConfig: { $ref: '#/components/schemas/IdentityProviderConfig' } },
  },
  DeleteIdentityProviderConfigResponse: { type: 'object' },
  GetIdentityProviderConfigResponse: {
    type: 'object',
    required: ['identityProviderConfig'],
    properties: { identityProviderConfig: { $ref: '#/components/schemas/IdentityProviderConfig' } },
  },
  IdentityProviderConfig: {
    type: 'object',
    required: ['identityProviderId', 'issuer', 'jwksUrl'],
    properties: {
      identityProviderId: { type: 'string' },
      isDeactivated: { type: 'boolean' },
      issuer: { type: 'string' },
      jwksUrl: { type: 'string' },
      audience: { type: 'string' },
    },
  },
  ListIdentityProviderConfigsResponse: {
    type: 'object',
    required: ['identityProviderConfigs'],
    properties: {
      identityProviderConfigs: {
        type: 'array',
        items: { $ref: '#/components/schemas/IdentityProviderConfig' },
      },
    },
  },
  UpdateIdentityProviderConfigRequest: {
    type: 'object',
    required: ['identityProviderConfig', 'updateMask'],
    properties: {
      identityProviderConfig: { $ref: '#/components/schemas/IdentityProviderConfig' },
      updateMask: { $ref: '#/components/schemas/FieldMask' },
    },
  },
  UpdateIdentityProviderConfigResponse: {
    type: 'object',
    required: ['identityProviderConfig'],
    properties: { identityProviderConfig: { $ref: '#/components/schemas/IdentityProviderConfig' } },
  },
};

export const operations: readonly OperationFacts[] = [
  {
    operationId: 'getV2Idps',
    method: 'get',
    path: '/v2/idps',
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ListIdentityProviderConfigsResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'postV2Idps',
    method: 'post',
    path: '/v2/idps',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/CreateIdentityProviderConfigRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/CreateIdentityProviderConfigResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'getV2IdpsIdp-id',
    method: 'get',
    path: '/v2/idps/{idp-id}',
    parameters: [{ name: 'idp-id', in: 'path', required: true, schema: { type: 'string' } }],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetIdentityProviderConfigResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'patchV2IdpsIdp-id',
    method: 'patch',
    path: '/v2/idps/{idp-id}',
    parameters: [{ name: 'idp-id', in: 'path', required: true, schema: { type: 'string' } }],
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/UpdateIdentityProviderConfigRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/UpdateIdentityProviderConfigResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'deleteV2IdpsIdp-id',
    method: 'delete',
    path: '/v2/idps/{idp-id}',
    parameters: [{ name: 'idp-id', in: 'path', required: true, schema: { type: 'string' } }],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/DeleteIdentityProviderConfigResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
];
