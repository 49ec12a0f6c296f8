// Facts of JSON Ledger API HTTP endpoints 3.4.12-SNAPSHOT, 3.5.14, 3.6.0-SNAPSHOT, carried by scripts/carry-spec.mjs: do not edit by hand.
import type { Schemas, SchemaVariant, OperationFacts } from '../schema.js';

export const schemas: Schemas = {
  AllocateExternalPartyRequest: {
    type: 'object',
    required: ['synchronizer', 'onboardingTransactions'],
    properties: {
      synchronizer: { type: 'string' },
      onboardingTransactions: {
        type: 'array',
        items: { $ref: '#/components/schemas/SignedTransaction' },
      },
      multiHashSignatures: { type: 'array', items: { $ref: '#/components/schemas/Signature' } },
      identityProviderId: { type: 'string' },
      waitForAllocation: { type: 'boolean' },
      userId: { type: 'string' },
    },
  },
  AllocateExternalPartyResponse: {
    type: 'object',
    required: ['partyId'],
    properties: { partyId: { type: 'string' } },
  },
  AllocatePartyRequest: {
    type: 'object',
    properties: {
      partyIdHint: { type: 'string' },
      localMetadata: { $ref: '#/components/schemas/ObjectMeta' },
      identityProviderId: { type: 'string' },
      synchronizerId: { type: 'string' },
      userId: { type: 'string' },
    },
  },
  AllocatePartyResponse: {
    type: 'object',
    required: ['partyDetails'],
    properties: { partyDetails: { $ref: '#/components/schemas/PartyDetails' } },
  },
  GenerateExternalPartyTopologyRequest: {
    type: 'object',
    required: ['synchronizer', 'partyHint', 'publicKey'],
    properties: {
      synchronizer: { type: 'string' },
      partyHint: { type: 'string' },
      publicKey: { $ref: '#/components/schemas/SigningPublicKey' },
      localParticipantObservationOnly: { type: 'boolean' },
      otherConfirmingParticipantUids: { type: 'array', items: { type: 'string' } },
      confirmationThreshold: { type: 'integer', format: 'int32' },
      observingParticipantUids: { type: 'array', items: { type: 'string' } },
    },
  },
  GenerateExternalPartyTopologyResponse: {
    type: 'object',
    required: ['partyId', 'publicKeyFingerprint', 'multiHash', 'topologyTransactions'],
    properties: {
      partyId: { type: 'string' },
      publicKeyFingerprint: { type: 'string' },
      topologyTransactions: { type: 'array', items: { type: 'string' } },
      multiHash: { type: 'string' },
    },
  },
  GetParticipantIdResponse: {
    type: 'object',
    required: ['participantId'],
    properties: { participantId: { type: 'string' } },
  },
  GetPartiesResponse: {
    type: 'object',
    required: ['partyDetails'],
    properties: {
      partyDetails: { type: 'array', items: { $ref: '#/components/schemas/PartyDetails' } },
    },
  },
  ListKnownPartiesResponse: {
    type: 'object',
    required: ['partyDetails'],
    properties: {
      partyDetails: { type: 'array', items: { $ref: '#/components/schemas/PartyDetails' } },
      nextPageToken: { type: 'string' },
    },
  },
  PartyDetails: {
    type: 'object',
    required: ['party'],
    properties: {
      party: { type: 'string' },
      isLocal: { type: 'boolean' },
      localMetadata: { $ref: '#/components/schemas/ObjectMeta' },
      identityProviderId: { type: 'string' },
    },
  },
  SignedTransaction: {
    type: 'object',
    required: ['transaction'],
    properties: {
      transaction: { type: 'string' },
      signatures: { type: 'array', items: { $ref: '#/components/schemas/Signature' } },
    },
  },
  SigningPublicKey: {
    type: 'object',
    required: ['format', 'keyData', 'keySpec'],
    properties: {
      format: { type: 'string' },
      keyData: { type: 'string' },
      keySpec: { type: 'string' },
    },
  },
  UpdatePartyDetailsRequest: {
    type: 'object',
    required: ['partyDetails', 'updateMask'],
    properties: {
      partyDetails: { $ref: '#/components/schemas/PartyDetails' },
      updateMask: { $ref: '#/components/schemas/FieldMask' },
    },
  },
  UpdatePartyDetailsResponse: {
    type: 'object',
    required: ['partyDetails'],
    properties: { partyDetails: { $ref: '#/components/schemas/PartyDetails' } },
  },
};

/** What other releases state of the same names, and messages that only they have. */
export const variants: readonly SchemaVariant[] = [
  {
    name: 'AllocateExternalPartyRequest',
    until: '3.5',
    schema: {
      type: 'object',
      required: ['synchronizer', 'onboardingTransactions'],
      properties: {
        synchronizer: { type: 'string' },
        onboardingTransactions: {
          type: 'array',
          items: { $ref: '#/components/schemas/SignedTransaction' },
        },
        multiHashSignatures: { type: 'array', items: { $ref: '#/components/schemas/Signature' } },
        identityProviderId: { type: 'string' },
      },
    },
  },
];

export const operations: readonly OperationFacts[] = [
  {
    operationId: 'getV2Parties',
    method: 'get',
    path: '/v2/parties',
    parameters: [
      { name: 'identity-provider-id', in: 'query', schema: { type: 'string' } },
      { name: 'filter-party', in: 'query', schema: { type: 'string' } },
      { name: 'pageSize', in: 'query', schema: { type: 'integer', format: 'int32' } },
      { name: 'pageToken', in: 'query', schema: { type: 'string' } },
    ],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ListKnownPartiesResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'postV2Parties',
    method: 'post',
    path: '/v2/parties',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/AllocatePartyRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/AllocatePartyResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'postV2PartiesExternalAllocate',
    method: 'post',
    path: '/v2/parties/external/allocate',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/AllocateExternalPartyRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/AllocateExternalPartyResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'getV2PartiesParticipant-id',
    method: 'get',
    path: '/v2/parties/participant-id',
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetParticipantIdResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'getV2PartiesParty',
    method: 'get',
    path: '/v2/parties/{party}',
    parameters: [
      { name: 'party', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'identity-provider-id', in: 'query', schema: { type: 'string' } },
      { name: 'parties', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
    ],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetPartiesResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'patchV2PartiesParty',
    method: 'patch',
    path: '/v2/parties/{party}',
    parameters: [{ name: 'party', in: 'path', required: true, schema: { type: 'string' } }],
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/UpdatePartyDetailsRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/UpdatePartyDetailsResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
  {
    operationId: 'postV2PartiesExternalGenerate-topology',
    method: 'post',
    path: '/v2/parties/external/generate-topology',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/GenerateExternalPartyTopologyRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GenerateExternalPartyTopologyResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
];
