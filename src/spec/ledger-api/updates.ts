// Facts of JSON Ledger API HTTP endpoints 3.4.12-SNAPSHOT, 3.5.14, 3.6.0-SNAPSHOT, carried by scripts/carry-spec.mjs: do not edit by hand.
import type { Schemas, SchemaVariant, OperationFacts } from '../schema.js';

export const schemas: Schemas = {
  Empty7: { type: 'object' },
  GetTransactionByIdRequest: {
    type: 'object',
    required: ['updateId'],
    properties: {
      updateId: { type: 'string' },
      requestingParties: { type: 'array', items: { type: 'string' } },
      transactionFormat: { $ref: '#/components/schemas/TransactionFormat' },
    },
  },
  GetTransactionByOffsetRequest: {
    type: 'object',
    required: ['offset'],
    properties: {
      offset: { type: 'integer', format: 'int64' },
      requestingParties: { type: 'array', items: { type: 'string' } },
      transactionFormat: { $ref: '#/components/schemas/TransactionFormat' },
    },
  },
  GetUpdateByIdRequest: {
    type: 'object',
    required: ['updateId', 'updateFormat'],
    properties: {
      updateId: { type: 'string' },
      updateFormat: { $ref: '#/components/schemas/UpdateFormat' },
    },
  },
  GetUpdateByOffsetRequest: {
    type: 'object',
    required: ['offset', 'updateFormat'],
    properties: {
      offset: { type: 'integer', format: 'int64' },
      updateFormat: { $ref: '#/components/schemas/UpdateFormat' },
    },
  },
  GetUpdatesPageRequest: {
    type: 'object',
    required: ['updateFormat'],
    properties: {
      beginOffsetExclusive: { type: 'integer', format: 'int64' },
      endOffsetInclusive: { type: 'integer', format: 'int64' },
      maxPageSize: { type: 'integer', format: 'int32' },
      updateFormat: { $ref: '#/components/schemas/UpdateFormat' },
      descendingOrder: { type: 'boolean' },
      pageToken: { type: 'string' },
    },
  },
  GetUpdatesRequest: {
    type: 'object',
    required: ['beginExclusive'],
    properties: {
      beginExclusive: { type: 'integer', format: 'int64' },
      endInclusive: { type: 'integer', format: 'int64' },
      filter: { $ref: '#/components/schemas/TransactionFilter' },
      verbose: { type: 'boolean' },
      updateFormat: { $ref: '#/components/schemas/UpdateFormat' },
      descendingOrder: { type: 'boolean' },
    },
  },
  JsGetTransactionResponse: {
    type: 'object',
    required: ['transaction'],
    properties: { transaction: { $ref: '#/components/schemas/JsTransaction' } },
  },
  JsGetTransactionTreeResponse: {
    type: 'object',
    required: ['transaction'],
    properties: { transaction: { $ref: '#/components/schemas/JsTransactionTree' } },
  },
  JsGetUpdateResponse: {
    type: 'object',
    properties: { update: { $ref: '#/components/schemas/Update' } },
  },
  JsGetUpdateTreesResponse: {
    type: 'object',
    properties: { update: { $ref: '#/components/schemas/Update1' } },
  },
  JsGetUpdatesPageResponse: {
    type: 'object',
    required: ['lowestPageOffsetExclusive', 'highestPageOffsetInclusive'],
    properties: {
      updates: { type: 'array', items: { $ref: '#/components/schemas/JsGetUpdateResponse' } },
      lowestPageOffsetExclusive: { type: 'integer', format: 'int64' },
      highestPageOffsetInclusive: { type: 'integer', format: 'int64' },
      nextPageToken: { type: 'string' },
    },
  },
  JsGetUpdatesResponse: {
    type: 'object',
    properties: { update: { $ref: '#/components/schemas/Update' } },
  },
  JsTopologyTransaction: {
    type: 'object',
    required: ['updateId', 'offset', 'synchronizerId', 'recordTime', 'events'],
    properties: {
      updateId: { type: 'string' },
      offset: { type: 'integer', format: 'int64' },
      synchronizerId: { type: 'string' },
      recordTime: { type: 'string' },
      events: { type: 'array', items: { $ref: '#/components/schemas/TopologyEvent' } },
      traceContext: { $ref: '#/components/schemas/TraceContext' },
    },
  },
  OffsetCheckpoint2: {
    type: 'object',
    required: ['value'],
    properties: { value: { $ref: '#/components/schemas/OffsetCheckpoint1' } },
  },
  OffsetCheckpoint3: {
    type: 'object',
    required: ['value'],
    properties: { value: { $ref: '#/components/schemas/OffsetCheckpoint1' } },
  },
  ParticipantAuthorizationAdded: {
    type: 'object',
    required: ['value'],
    properties: { value: { $ref: '#/components/schemas/ParticipantAuthorizationAdded1' } },
  },
  ParticipantAuthorizationAdded1: {
    type: 'object',
    required: ['partyId', 'participantId', 'participantPermission'],
    properties: {
      partyId: { type: 'string' },
      participantId: { type: 'string' },
      participantPermission: {
        type: 'string',
        enum: [
          'PARTICIPANT_PERMISSION_UNSPECIFIED',
          'PARTICIPANT_PERMISSION_SUBMISSION',
          'PARTICIPANT_PERMISSION_CONFIRMATION',
          'PARTICIPANT_PERMISSION_OBSERVATION',
        ],
      },
    },
  },
  ParticipantAuthorizationChanged: {
    type: 'object',
    required: ['value'],
    properties: { value: { $ref: '#/components/schemas/ParticipantAuthorizationChanged1' } },
  },
  ParticipantAuthorizationChanged1: {
    type: 'object',
    required: ['partyId', 'participantId', 'participantPermission'],
    properties: {
      partyId: { type: 'string' },
      participantId: { type: 'string' },
      participantPermission: {
        type: 'string',
        enum: [
          'PARTICIPANT_PERMISSION_UNSPECIFIED',
          'PARTICIPANT_PERMISSION_SUBMISSION',
          'PARTICIPANT_PERMISSION_CONFIRMATION',
          'PARTICIPANT_PERMISSION_OBSERVATION',
        ],
      },
    },
  },
  ParticipantAuthorizationOnboarding: {
    type: 'object',
    required: ['value'],
    properties: { value: { $ref: '#/components/schemas/ParticipantAuthorizationOnboarding1' } },
  },
  ParticipantAuthorizationOnboarding1: {
    type: 'object',
    required: ['partyId', 'participantId', 'participantPermission'],
    properties: {
      partyId: { type: 'string' },
      participantId: { type: 'string' },
      participantPermission: {
        type: 'string',
        enum: [
          'PARTICIPANT_PERMISSION_UNSPECIFIED',
          'PARTICIPANT_PERMISSION_SUBMISSION',
          'PARTICIPANT_PERMISSION_CONFIRMATION',
          'PARTICIPANT_PERMISSION_OBSERVATION',
        ],
      },
    },
  },
  ParticipantAuthorizationRevoked: {
    type: 'object',
    required: ['value'],
    properties: { value: { $ref: '#/components/schemas/ParticipantAuthorizationRevoked1' } },
  },
  ParticipantAuthorizationRevoked1: {
    type: 'object',
    required: ['partyId', 'participantId'],
    properties: { partyId: { type: 'string' }, participantId: { type: 'string' } },
  },
  ParticipantAuthorizationTopologyFormat: {
    type: 'object',
    properties: { parties: { type: 'array', items: { type: 'string' } } },
  },
  Reassignment: {
    type: 'object',
    required: ['value'],
    properties: { value: { $ref: '#/components/schemas/JsReassignment' } },
  },
  Reassignment1: {
    type: 'object',
    required: ['value'],
    properties: { value: { $ref: '#/components/schemas/JsReassignment' } },
  },
  TopologyEvent: {
    type: 'object',
    properties: { event: { $ref: '#/components/schemas/TopologyEventEvent' } },
  },
  TopologyEventEvent: {
    oneOf: [
      {
        type: 'object',
        required: ['Empty'],
        properties: { Empty: { $ref: '#/components/schemas/Empty7' } },
      },
      {
        type: 'object',
        required: ['ParticipantAuthorizationAdded'],
        properties: {
          ParticipantAuthorizationAdded: {
            $ref: '#/components/schemas/ParticipantAuthorizationAdded',
          },
        },
      },
      {
        type: 'object',
        required: ['ParticipantAuthorizationChanged'],
        properties: {
          ParticipantAuthorizationChanged: {
            $ref: '#/components/schemas/ParticipantAuthorizationChanged',
          },
        },
      },
      {
        type: 'object',
        required: ['ParticipantAuthorizationOnboarding'],
        properties: {
          ParticipantAuthorizationOnboarding: {
            $ref: '#/components/schemas/ParticipantAuthorizationOnboarding',
          },
        },
      },
      {
        type: 'object',
        required: ['ParticipantAuthorizationRevoked'],
        properties: {
          ParticipantAuthorizationRevoked: {
            $ref: '#/components/schemas/ParticipantAuthorizationRevoked',
          },
        },
      },
    ],
  },
  TopologyFormat: {
    type: 'object',
    properties: {
      includeParticipantAuthorizationEvents: {
        $ref: '#/components/schemas/ParticipantAuthorizationTopologyFormat',
      },
    },
  },
  TopologyTransaction: {
    type: 'object',
    required: ['value'],
    properties: { value: { $ref: '#/components/schemas/JsTopologyTransaction' } },
  },
  Transaction: {
    type: 'object',
    required: ['value'],
    properties: { value: { $ref: '#/components/schemas/JsTransaction' } },
  },
  TransactionTree: {
    type: 'object',
    required: ['value'],
    properties: { value: { $ref: '#/components/schemas/JsTransactionTree' } },
  },
  Update: {
    oneOf: [
      {
        type: 'object',
        required: ['OffsetCheckpoint'],
        properties: { OffsetCheckpoint: { $ref: '#/components/schemas/OffsetCheckpoint2' } },
      },
      {
        type: 'object',
        required: ['Reassignment'],
        properties: { Reassignment: { $ref: '#/components/schemas/Reassignment' } },
      },
      {
        type: 'object',
        required: ['TopologyTransaction'],
        properties: { TopologyTransaction: { $ref: '#/components/schemas/TopologyTransaction' } },
      },
      {
        type: 'object',
        required: ['Transaction'],
        properties: { Transaction: { $ref: '#/components/schemas/Transaction' } },
      },
    ],
  },
  Update1: {
    oneOf: [
      {
        type: 'object',
        required: ['OffsetCheckpoint'],
        properties: { OffsetCheckpoint: { $ref: '#/components/schemas/OffsetCheckpoint3' } },
      },
      {
        type: 'object',
        required: ['Reassignment'],
        properties: { Reassignment: { $ref: '#/components/schemas/Reassignment1' } },
      },
      {
        type: 'object',
        required: ['TransactionTree'],
        properties: { TransactionTree: { $ref: '#/components/schemas/TransactionTree' } },
      },
    ],
  },
  UpdateFormat: {
    type: 'object',
    properties: {
      includeTransactions: { $ref: '#/components/schemas/TransactionFormat' },
      includeReassignments: { $ref: '#/components/schemas/EventFormat' },
      includeTopologyEvents: { $ref: '#/components/schemas/TopologyFormat' },
    },
  },
};

/** What other releases state of the same names, and messages that only they have. */
export const variants: readonly SchemaVariant[] = [
  {
    name: 'GetUpdateByHashRequest',
    since: '3.6',
    schema: {
      type: 'object',
      required: ['transactionHash', 'updateFormat'],
      properties: {
        transactionHash: { type: 'string' },
        updateFormat: { $ref: '#/components/schemas/UpdateFormat' },
      },
    },
  },
  {
    name: 'GetUpdatesRequest',
    until: '3.5',
    schema: {
      type: 'object',
      required: ['updateFormat'],
      properties: {
        beginExclusive: { type: 'integer', format: 'int64' },
        endInclusive: { type: 'integer', format: 'int64' },
        filter: { $ref: '#/components/schemas/TransactionFilter' },
        verbose: { type: 'boolean' },
        updateFormat: { $ref: '#/components/schemas/UpdateFormat' },
      },
    },
  },
  {
    name: 'TopologyEventEvent',
    until: '3.5',
    schema: {
      oneOf: [
        {
          type: 'object',
          required: ['Empty'],
          properties: { Empty: { $ref: '#/components/schemas/Empty7' } },
        },
        {
          type: 'object',
          required: ['ParticipantAuthorizationAdded'],
          properties: {
            ParticipantAuthorizationAdded: {
              $ref: '#/components/schemas/ParticipantAuthorizationAdded',
            },
          },
        },
        {
          type: 'object',
          required: ['ParticipantAuthorizationChanged'],
          properties: {
            ParticipantAuthorizationChanged: {
              $ref: '#/components/schemas/ParticipantAuthorizationChanged',
            },
          },
        },
        {
          type: 'object',
          required: ['ParticipantAuthorizationRevoked'],
          properties: {
            ParticipantAuthorizationRevoked: {
              $ref: '#/components/schemas/ParticipantAuthorizationRevoked',
            },
          },
        },
      ],
    },
  },
];

export const operations: readonly OperationFacts[] = [
  {
    operationId: 'postV2Updates',
    method: 'post',
    path: '/v2/updates',
    parameters: [
      { name: 'limit', in: 'query', schema: { type: 'integer', format: 'int64' } },
      { name: 'stream_idle_timeout_ms', in: 'query', schema: { type: 'integer', format: 'int64' } },
    ],
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/GetUpdatesRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { type: 'array', items: { $ref: '#/components/schemas/JsGetUpdatesResponse' } },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'postV2UpdatesFlats',
    method: 'post',
    path: '/v2/updates/flats',
    deprecated: true,
    parameters: [
      { name: 'limit', in: 'query', schema: { type: 'integer', format: 'int64' } },
      { name: 'stream_idle_timeout_ms', in: 'query', schema: { type: 'integer', format: 'int64' } },
    ],
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/GetUpdatesRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { type: 'array', items: { $ref: '#/components/schemas/JsGetUpdatesResponse' } },
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
    operationId: 'postV2UpdatesTrees',
    method: 'post',
    path: '/v2/updates/trees',
    deprecated: true,
    parameters: [
      { name: 'limit', in: 'query', schema: { type: 'integer', format: 'int64' } },
      { name: 'stream_idle_timeout_ms', in: 'query', schema: { type: 'integer', format: 'int64' } },
    ],
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/GetUpdatesRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { type: 'array', items: { $ref: '#/components/schemas/JsGetUpdateTreesResponse' } },
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
    operationId: 'getV2UpdatesTransaction-tree-by-offsetOffset',
    method: 'get',
    path: '/v2/updates/transaction-tree-by-offset/{offset}',
    deprecated: true,
    parameters: [
      { name: 'offset', in: 'path', required: true, schema: { type: 'integer', format: 'int64' } },
      { name: 'parties', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
    ],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsGetTransactionTreeResponse' },
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
    operationId: 'postV2UpdatesTransaction-by-offset',
    method: 'post',
    path: '/v2/updates/transaction-by-offset',
    deprecated: true,
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/GetTransactionByOffsetRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsGetTransactionResponse' },
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
    operationId: 'postV2UpdatesUpdate-by-offset',
    method: 'post',
    path: '/v2/updates/update-by-offset',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/GetUpdateByOffsetRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsGetUpdateResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'postV2UpdatesTransaction-by-id',
    method: 'post',
    path: '/v2/updates/transaction-by-id',
    deprecated: true,
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/GetTransactionByIdRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsGetTransactionResponse' },
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
    operationId: 'postV2UpdatesUpdate-by-id',
    method: 'post',
    path: '/v2/updates/update-by-id',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/GetUpdateByIdRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsGetUpdateResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'getV2UpdatesTransaction-tree-by-idUpdate-id',
    method: 'get',
    path: '/v2/updates/transaction-tree-by-id/{update-id}',
    deprecated: true,
    parameters: [
      { name: 'update-id', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'parties', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
    ],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsGetTransactionTreeResponse' },
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
    operationId: 'postV2UpdatesGet-updates-page',
    method: 'post',
    path: '/v2/updates/get-updates-page',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/GetUpdatesPageRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsGetUpdatesPageResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
    since: '3.5',
  },
  {
    operationId: 'postV2UpdatesUpdate-by-hash',
    method: 'post',
    path: '/v2/updates/update-by-hash',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/GetUpdateByHashRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsGetUpdateResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
    since: '3.6',
  },
];
