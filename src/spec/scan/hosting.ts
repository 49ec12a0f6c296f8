// Facts of Scan API 0.0.1, carried by scripts/carry-spec.mjs: do not edit by hand.
import type { Schemas, OperationFacts } from '../schema.js';

export const schemas: Schemas = {
  ActualMemberTrafficState: {
    type: 'object',
    required: ['total_consumed', 'total_limit'],
    properties: {
      total_consumed: { type: 'integer', format: 'int64' },
      total_limit: { type: 'integer', format: 'int64' },
    },
  },
  GetMemberTrafficStatusResponse: {
    type: 'object',
    required: ['traffic_status'],
    properties: { traffic_status: { $ref: '#/components/schemas/MemberTrafficStatus' } },
  },
  GetPartyToParticipantResponse: {
    type: 'object',
    required: ['participant_id'],
    properties: { participant_id: { type: 'string' } },
  },
  GetPartyToParticipantResponseV1: {
    type: 'object',
    required: ['participant_ids'],
    properties: { participant_ids: { type: 'array', items: { type: 'string' } } },
  },
  MemberTrafficStatus: {
    type: 'object',
    required: ['actual', 'target'],
    properties: {
      actual: { $ref: '#/components/schemas/ActualMemberTrafficState' },
      target: { $ref: '#/components/schemas/TargetMemberTrafficState' },
    },
  },
  TargetMemberTrafficState: {
    type: 'object',
    required: ['total_purchased'],
    properties: { total_purchased: { type: 'integer', format: 'int64' } },
  },
};

export const operations: readonly OperationFacts[] = [
  {
    operationId: 'getPartyToParticipant',
    method: 'get',
    path: '/v0/domains/{domain_id}/parties/{party_id}/participant-id',
    parameters: [
      { name: 'domain_id', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'party_id', in: 'path', required: true, schema: { type: 'string' } },
    ],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetPartyToParticipantResponse' },
      },
      '404': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
      '500': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
    },
  },
  {
    operationId: 'getPartyToParticipantV1',
    method: 'get',
    path: '/v1/domains/{domain_id}/parties/{party_id}/participant-id',
    parameters: [
      { name: 'domain_id', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'party_id', in: 'path', required: true, schema: { type: 'string' } },
    ],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetPartyToParticipantResponseV1' },
      },
      '404': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
      '500': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
    },
  },
  {
    operationId: 'getMemberTrafficStatus',
    method: 'get',
    path: '/v0/domains/{domain_id}/members/{member_id}/traffic-status',
    parameters: [
      { name: 'domain_id', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'member_id', in: 'path', required: true, schema: { type: 'string' } },
    ],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetMemberTrafficStatusResponse' },
      },
      '400': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
      '404': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
      '500': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ErrorResponse' },
      },
    },
  },
];
