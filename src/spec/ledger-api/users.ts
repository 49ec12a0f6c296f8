// Facts of JSON Ledger API HTTP endpoints 3.4.12-SNAPSHOT, 3.5.14, 3.6.0-SNAPSHOT, carried by scripts/carry-spec.mjs: do not edit by hand.
import type { Schemas, SchemaVariant, OperationFacts } from '../schema.js';

export const schemas: Schemas = {
  CanActAs: {
    type: 'object',
    required: ['value'],
    properties: { value: { $ref: '#/components/schemas/CanActAs1' } },
  },
  CanActAs1: { type: 'object', required: ['party'], properties: { party: { type: 'string' } } },
  CanExecuteAs: {
    type: 'object',
    required: ['value'],
    properties: { value: { $ref: '#/components/schemas/CanExecuteAs1' } },
  },
  CanExecuteAs1: { type: 'object', required: ['party'], properties: { party: { type: 'string' } } },
  CanExecuteAsAnyParty: {
    type: 'object',
    required: ['value'],
    properties: { value: { $ref: '#/components/schemas/CanExecuteAsAnyParty1' } },
  },
  CanExecuteAsAnyParty1: { type: 'object' },
  CanReadAs: {
    type: 'object',
    required: ['value'],
    properties: { value: { $ref: '#/components/schemas/CanReadAs1' } },
  },
  CanReadAs1: { type: 'object', required: ['party'], properties: { party: { type: 'string' } } },
  CanReadAsAnyParty: {
    type: 'object',
    required: ['value'],
    properties: { value: { $ref: '#/components/schemas/CanReadAsAnyParty1' } },
  },
  CanReadAsAnyParty1: { type: 'object' },
  CreateUserRequest: {
    type: 'object',
    required: ['user'],
    properties: {
      user: { $ref: '#/components/schemas/User' },
      rights: { type: 'array', items: { $ref: '#/components/schemas/Right' } },
    },
  },
  CreateUserResponse: {
    type: 'object',
    required: ['user'],
    properties: { user: { $ref: '#/components/schemas/User' } },
  },
  Empty8: { type: 'object' },
  GetUserResponse: {
    type: 'object',
    required: ['user'],
    properties: { user: { $ref: '#/components/schemas/User' } },
  },
  GrantUserRightsRequest: {
    type: 'object',
    required: ['userId'],
    properties: {
      userId: { type: 'string' },
      rights: { type: 'array', items: { $ref: '#/components/schemas/Right' } },
      identityProviderId: { type: 'string' },
    },
  },
  GrantUserRightsResponse: {
    type: 'object',
    properties: {
      newlyGrantedRights: { type: 'array', items: { $ref: '#/components/schemas/Right' } },
    },
  },
  IdentityProviderAdmin: {
    type: 'object',
    required: ['value'],
    properties: { value: { $ref: '#/components/schemas/IdentityProviderAdmin1' } },
  },
  IdentityProviderAdmin1: { type: 'object' },
  Kind: {
    oneOf: [
      {
        type: 'object',
        required: ['CanActAs'],
        properties: { CanActAs: { $ref: '#/components/schemas/CanActAs' } },
      },
      {
        type: 'object',
        required: ['CanExecuteAs'],
        properties: { CanExecuteAs: { $ref: '#/components/schemas/CanExecuteAs' } },
      },
      {
        type: 'object',
        required: ['CanExecuteAsAnyParty'],
        properties: { CanExecuteAsAnyParty: { $ref: '#/components/schemas/CanExecuteAsAnyParty' } },
      },
      {
        type: 'object',
        required: ['CanReadAs'],
        properties: { CanReadAs: { $ref: '#/components/schemas/CanReadAs' } },
      },
      {
        type: 'object',
        required: ['CanReadAsAnyParty'],
        properties: { CanReadAsAnyParty: { $ref: '#/components/schemas/CanReadAsAnyParty' } },
      },
      {
        type: 'object',
        required: ['Empty'],
        properties: { Empty: { $ref: '#/components/schemas/Empty8' } },
      },
      {
        type: 'object',
        required: ['IdentityProviderAdmin'],
        properties: {
          IdentityProviderAdmin: { $ref: '#/components/schemas/IdentityProviderAdmin' },
        },
      },
      {
        type: 'object',
        required: ['ParticipantAdmin'],
        properties: { ParticipantAdmin: { $ref: '#/components/schemas/ParticipantAdmin' } },
      },
    ],
  },
  ListUserRightsResponse: {
    type: 'object',
    properties: { rights: { type: 'array', items: { $ref: '#/components/schemas/Right' } } },
  },
  ListUsersResponse: {
    type: 'object',
    properties: {
      users: { type: 'array', items: { $ref: '#/components/schemas/User' } },
      nextPageToken: { type: 'string' },
    },
  },
  ParticipantAdmin: {
    type: 'object',
    required: ['value'],
    properties: { value: { $ref: '#/components/schemas/ParticipantAdmin1' } },
  },
  ParticipantAdmin1: { type: 'object' },
  RevokeUserRightsRequest: {
    type: 'object',
    required: ['userId'],
    properties: {
      userId: { type: 'string' },
      rights: { type: 'array', items: { $ref: '#/components/schemas/Right' } },
      identityProviderId: { type: 'string' },
    },
  },
  RevokeUserRightsResponse: {
    type: 'object',
    properties: {
      newlyRevokedRights: { type: 'array', items: { $ref: '#/components/schemas/Right' } },
    },
  },
  Right: { type: 'object', properties: { kind: { $ref: '#/components/schemas/Kind' } } },
  UpdateUserIdentityProviderIdRequest: {
    type: 'object',
    required: ['userId'],
    properties: {
      userId: { type: 'string' },
      sourceIdentityProviderId: { type: 'string' },
      targetIdentityProviderId: { type: 'string' },
    },
  },
  UpdateUserIdentityProviderIdResponse: { type: 'object' },
  UpdateUserRequest: {
    type: 'object',
    required: ['user', 'updateMask'],
    properties: {
      user: { $ref: '#/components/schemas/User' },
      updateMask: { $ref: '#/components/schemas/FieldMask' },
    },
  },
  UpdateUserResponse: {
    type: 'object',
    required: ['user'],
    properties: { user: { $ref: '#/components/schemas/User' } },
  },
  User: {
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'string' },
      primaryParty: { type: 'string' },
      isDeactivated: { type: 'boolean' },
      metadata: { $ref: '#/components/schemas/ObjectMeta' },
      identityProviderId: { type: 'string' },
      primaryPartyAuthentication: { type: 'boolean' },
    },
  },
};

/** What other releases state of the same names, and messages that only they have. */
export const variants: readonly SchemaVariant[] = [
  {
    name: 'CanActAsAnyParty',
    since: '3.6',
    schema: {
      type: 'object',
      required: ['value'],
      properties: { value: { $ref: '#/components/schemas/CanActAsAnyParty1' } },
    },
  },
  { name: 'CanActAsAnyParty1', since: '3.6', schema: { type: 'object' } },
  {
    name: 'Kind',
    since: '3.6',
    schema: {
      oneOf: [
        {
          type: 'object',
          required: ['CanActAs'],
          properties: { CanActAs: { $ref: '#/components/schemas/CanActAs' } },
        },
        {
          type: 'object',
          required: ['CanActAsAnyParty'],
          properties: { CanActAsAnyParty: { $ref: '#/components/schemas/CanActAsAnyParty' } },
        },
        {
          type: 'object',
          required: ['CanExecuteAs'],
          properties: { CanExecuteAs: { $ref: '#/components/schemas/CanExecuteAs' } },
        },
        {
          type: 'object',
          required: ['CanExecuteAsAnyParty'],
          properties: {
            CanExecuteAsAnyParty: { $ref: '#/components/schemas/CanExecuteAsAnyParty' },
          },
        },
        {
          type: 'object',
          required: ['CanReadAs'],
          properties: { CanReadAs: { $ref: '#/components/schemas/CanReadAs' } },
        },
        {
          type: 'object',
          required: ['CanReadAsAnyParty'],
          properties: { CanReadAsAnyParty: { $ref: '#/components/schemas/CanReadAsAnyParty' } },
        },
        {
          type: 'object',
          required: ['Empty'],
          properties: { Empty: { $ref: '#/components/schemas/Empty8' } },
        },
        {
          type: 'object',
          required: ['IdentityProviderAdmin'],
          properties: {
            IdentityProviderAdmin: { $ref: '#/components/schemas/IdentityProviderAdmin' },
          },
        },
        {
          type: 'object',
          required: ['ParticipantAdmin'],
          properties: { ParticipantAdmin: { $ref: '#/components/schemas/ParticipantAdmin' } },
        },
      ],
    },
  },
  {
    name: 'User',
    until: '3.5',
    schema: {
      type: 'object',
      required: ['id'],
      properties: {
        id: { type: 'string' },
        primaryParty: { type: 'string' },
        isDeactivated: { type: 'boolean' },
        metadata: { $ref: '#/components/schemas/ObjectMeta' },
        identityProviderId: { type: 'string' },
      },
    },
  },
];

export const operations: readonly OperationFacts[] = [
  {
    operationId: 'getV2Users',
    method: 'get',
    path: '/v2/users',
    parameters: [
      { name: 'pageSize', in: 'query', schema: { type: 'integer', format: 'int32' } },
      { name: 'pageToken', in: 'query', schema: { type: 'string' } },
    ],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ListUsersResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'postV2Users',
    method: 'post',
    path: '/v2/users',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/CreateUserRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/CreateUserResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'getV2UsersUser-id',
    method: 'get',
    path: '/v2/users/{user-id}',
    parameters: [
      { name: 'user-id', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'identity-provider-id', in: 'query', schema: { type: 'string' } },
    ],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetUserResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'patchV2UsersUser-id',
    method: 'patch',
    path: '/v2/users/{user-id}',
    parameters: [{ name: 'user-id', in: 'path', required: true, schema: { type: 'string' } }],
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/UpdateUserRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/UpdateUserResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'deleteV2UsersUser-id',
    method: 'delete',
    path: '/v2/users/{user-id}',
    parameters: [{ name: 'user-id', in: 'path', required: true, schema: { type: 'string' } }],
    responses: {
      '200': { contentType: 'application/json', schema: { type: 'object' } },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'getV2Authenticated-user',
    method: 'get',
    path: '/v2/authenticated-user',
    parameters: [{ name: 'identity-provider-id', in: 'query', schema: { type: 'string' } }],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetUserResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'getV2UsersUser-idRights',
    method: 'get',
    path: '/v2/users/{user-id}/rights',
    parameters: [{ name: 'user-id', in: 'path', required: true, schema: { type: 'string' } }],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ListUserRightsResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'postV2UsersUser-idRights',
    method: 'post',
    path: '/v2/users/{user-id}/rights',
    parameters: [{ name: 'user-id', in: 'path', required: true, schema: { type: 'string' } }],
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/GrantUserRightsRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GrantUserRightsResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'patchV2UsersUser-idRights',
    method: 'patch',
    path: '/v2/users/{user-id}/rights',
    parameters: [{ name: 'user-id', in: 'path', required: true, schema: { type: 'string' } }],
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/RevokeUserRightsRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/RevokeUserRightsResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'patchV2UsersUser-idIdentity-provider-id',
    method: 'patch',
    path: '/v2/users/{user-id}/identity-provider-id',
    parameters: [{ name: 'user-id', in: 'path', required: true, schema: { type: 'string' } }],
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/UpdateUserIdentityProviderIdRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/UpdateUserIdentityProviderIdResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
];
