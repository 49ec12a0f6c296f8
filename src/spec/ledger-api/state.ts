// Facts of JSON Ledger API HTTP endpoints 3.4.12-SNAPSHOT, 3.5.14, 3.6.0-SNAPSHOT, carried by scripts/carry-spec.mjs: do not edit by hand.
import type { Schemas, SchemaVariant, OperationFacts } from '../schema.js';

export const schemas: Schemas = {
  ConnectedSynchronizer: {
    type: 'object',
    required: ['synchronizerAlias', 'synchronizerId'],
    properties: {
      synchronizerAlias: { type: 'string' },
      synchronizerId: { type: 'string' },
      permission: {
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
  GetActiveContractsPageRequest: {
    type: 'object',
    required: ['eventFormat'],
    properties: {
      activeAtOffset: { type: 'integer', format: 'int64' },
      eventFormat: { $ref: '#/components/schemas/EventFormat' },
      maxPageSize: { type: 'integer', format: 'int32' },
      pageToken: { type: 'string' },
    },
  },
  GetActiveContractsRequest: {
    type: 'object',
    required: ['activeAtOffset'],
    properties: {
      filter: { $ref: '#/components/schemas/TransactionFilter' },
      verbose: { type: 'boolean' },
      activeAtOffset: { type: 'integer', format: 'int64' },
      eventFormat: { $ref: '#/components/schemas/EventFormat' },
      streamContinuationToken: { type: 'string' },
    },
  },
  GetConnectedSynchronizersResponse: {
    type: 'object',
    properties: {
      connectedSynchronizers: {
        type: 'array',
        items: { $ref: '#/components/schemas/ConnectedSynchronizer' },
      },
    },
  },
  GetLatestPrunedOffsetsResponse: {
    type: 'object',
    properties: {
      participantPrunedUpToInclusive: { type: 'integer', format: 'int64' },
      allDivulgedContractsPrunedUpToInclusive: { type: 'integer', format: 'int64' },
    },
  },
  GetLedgerEndResponse: {
    type: 'object',
    properties: { offset: { type: 'integer', format: 'int64' } },
  },
  JsActiveContract: {
    type: 'object',
    required: ['createdEvent', 'synchronizerId', 'reassignmentCounter'],
    properties: {
      createdEvent: { $ref: '#/components/schemas/CreatedEvent' },
      synchronizerId: { type: 'string' },
      reassignmentCounter: { type: 'integer', format: 'int64' },
    },
  },
  JsAssignedEvent: {
    type: 'object',
    required: ['source', 'target', 'reassignmentId', 'reassignmentCounter', 'createdEvent'],
    properties: {
      source: { type: 'string' },
      target: { type: 'string' },
      reassignmentId: { type: 'string' },
      submitter: { type: 'string' },
      reassignmentCounter: { type: 'integer', format: 'int64' },
      createdEvent: { $ref: '#/components/schemas/CreatedEvent' },
    },
  },
  JsContractEntry: {
    oneOf: [
      {
        type: 'object',
        required: ['JsActiveContract'],
        properties: { JsActiveContract: { $ref: '#/components/schemas/JsActiveContract' } },
      },
      {
        type: 'object',
        required: ['JsEmpty'],
        properties: { JsEmpty: { $ref: '#/components/schemas/JsEmpty' } },
      },
      {
        type: 'object',
        required: ['JsIncompleteAssigned'],
        properties: { JsIncompleteAssigned: { $ref: '#/components/schemas/JsIncompleteAssigned' } },
      },
      {
        type: 'object',
        required: ['JsIncompleteUnassigned'],
        properties: {
          JsIncompleteUnassigned: { $ref: '#/components/schemas/JsIncompleteUnassigned' },
        },
      },
    ],
  },
  JsEmpty: { type: 'object' },
  JsGetActiveContractsPageResponse: {
    type: 'object',
    required: ['activeAtOffset', 'activeContracts'],
    properties: {
      activeContracts: {
        type: 'array',
        items: { $ref: '#/components/schemas/JsGetActiveContractsResponse' },
      },
      activeAtOffset: { type: 'integer', format: 'int64' },
      nextPageToken: { type: 'string' },
    },
  },
  JsGetActiveContractsResponse: {
    type: 'object',
    properties: {
      workflowId: { type: 'string' },
      contractEntry: { $ref: '#/components/schemas/JsContractEntry' },
      streamContinuationToken: { type: 'string' },
    },
  },
  JsIncompleteAssigned: {
    type: 'object',
    required: ['assignedEvent'],
    properties: { assignedEvent: { $ref: '#/components/schemas/JsAssignedEvent' } },
  },
  JsIncompleteUnassigned: {
    type: 'object',
    required: ['createdEvent', 'unassignedEvent'],
    properties: {
      createdEvent: { $ref: '#/components/schemas/CreatedEvent' },
      unassignedEvent: { $ref: '#/components/schemas/UnassignedEvent' },
    },
  },
};

/** What other releases state of the same names, and messages that only they have. */
export const variants: readonly SchemaVariant[] = [
  {
    name: 'ConnectedSynchronizer',
    until: '3.5',
    schema: {
      type: 'object',
      required: ['synchronizerAlias', 'synchronizerId', 'permission'],
      properties: {
        synchronizerAlias: { type: 'string' },
        synchronizerId: { type: 'string' },
        permission: {
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
  },
  {
    name: 'GetActiveContractsRequest',
    until: '3.5',
    schema: {
      type: 'object',
      required: ['activeAtOffset', 'eventFormat'],
      properties: {
        filter: { $ref: '#/components/schemas/TransactionFilter' },
        verbose: { type: 'boolean' },
        activeAtOffset: { type: 'integer', format: 'int64' },
        eventFormat: { $ref: '#/components/schemas/EventFormat' },
      },
    },
  },
  {
    name: 'GetLedgerEndResponse',
    since: '3.6',
    schema: {
      type: 'object',
      properties: {
        offset: { type: 'integer', format: 'int64' },
        synchronizerTimes: {
          type: 'array',
          items: { $ref: '#/components/schemas/SynchronizerTime' },
        },
      },
    },
  },
  {
    name: 'JsGetActiveContractsResponse',
    until: '3.5',
    schema: {
      type: 'object',
      properties: {
        workflowId: { type: 'string' },
        contractEntry: { $ref: '#/components/schemas/JsContractEntry' },
      },
    },
  },
];

export const operations: readonly OperationFacts[] = [
  {
    operationId: 'postV2StateActive-contracts',
    method: 'post',
    path: '/v2/state/active-contracts',
    parameters: [
      { name: 'limit', in: 'query', schema: { type: 'integer', format: 'int64' } },
      { name: 'stream_idle_timeout_ms', in: 'query', schema: { type: 'integer', format: 'int64' } },
    ],
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/GetActiveContractsRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: {
          type: 'array',
          items: { $ref: '#/components/schemas/JsGetActiveContractsResponse' },
        },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'getV2StateActive-contracts-page',
    method: 'get',
    path: '/v2/state/active-contracts-page',
    deprecated: true,
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/GetActiveContractsPageRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsGetActiveContractsPageResponse' },
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
    operationId: 'postV2StateActive-contracts-page',
    method: 'post',
    path: '/v2/state/active-contracts-page',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/GetActiveContractsPageRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsGetActiveContractsPageResponse' },
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
    operationId: 'getV2StateConnected-synchronizers',
    method: 'get',
    path: '/v2/state/connected-synchronizers',
    parameters: [
      { name: 'party', in: 'query', schema: { type: 'string' } },
      { name: 'participantId', in: 'query', schema: { type: 'string' } },
      { name: 'identityProviderId', in: 'query', schema: { type: 'string' } },
    ],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetConnectedSynchronizersResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'getV2StateLedger-end',
    method: 'get',
    path: '/v2/state/ledger-end',
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetLedgerEndResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'getV2StateLatest-pruned-offsets',
    method: 'get',
    path: '/v2/state/latest-pruned-offsets',
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetLatestPrunedOffsetsResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
];
