// Facts of token metadata service 1.2.0, carried by scripts/carry-spec.mjs: do not edit by hand.
import type { Schemas, OperationFacts } from '../schema.js';

export const schemas: Schemas = {
  AccountInputFieldToShow: { type: 'string', enum: ['provider', 'accountId'] },
  AccountInputFieldsToShow: {
    type: 'array',
    items: { $ref: '#/components/schemas/AccountInputFieldToShow' },
    uniqueItems: true,
  },
  ErrorResponse: { type: 'object', required: ['error'], properties: { error: { type: 'string' } } },
  GetRegistryInfoResponse: {
    type: 'object',
    properties: {
      adminId: { type: 'string' },
      supportedApis: { $ref: '#/components/schemas/SupportedApis' },
    },
    required: ['adminId', 'supportedApis'],
  },
  Instrument: {
    type: 'object',
    properties: {
      id: { type: 'string' },
      name: { type: 'string' },
      symbol: { type: 'string' },
      totalSupply: { type: 'string' },
      totalSupplyAsOf: { type: 'string', format: 'date-time' },
      decimals: { type: 'integer', format: 'int8', default: 10 },
      paused: { type: 'boolean', default: false },
      pauseInfo: { $ref: '#/components/schemas/PauseInfo' },
      supportedApis: { $ref: '#/components/schemas/SupportedApis' },
      showAccountInputFields: { type: 'boolean', default: false, deprecated: true },
      accountInputFieldsToShow: { $ref: '#/components/schemas/AccountInputFieldsToShow' },
    },
    required: ['id', 'name', 'symbol', 'decimals', 'supportedApis'],
  },
  ListInstrumentsResponse: {
    type: 'object',
    properties: {
      instruments: { type: 'array', items: { $ref: '#/components/schemas/Instrument' } },
      nextPageToken: { type: 'string' },
    },
    required: ['instruments'],
  },
  PauseInfo: {
    type: 'object',
    properties: { reason: { type: 'string' }, until: { type: 'string', format: 'date-time' } },
  },
  SupportedApis: { type: 'object', additionalProperties: { type: 'integer', format: 'int32' } },
};

export const operations: readonly OperationFacts[] = [
  {
    operationId: 'getRegistryInfo',
    method: 'get',
    path: '/registry/metadata/v1/info',
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/GetRegistryInfoResponse' },
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
    operationId: 'listInstruments',
    method: 'get',
    path: '/registry/metadata/v1/instruments',
    parameters: [
      { name: 'pageSize', in: 'query', schema: { type: 'integer', format: 'int32', default: 25 } },
      { name: 'pageToken', in: 'query', schema: { type: 'string' } },
    ],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/ListInstrumentsResponse' },
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
    operationId: 'getInstrument',
    method: 'get',
    path: '/registry/metadata/v1/instruments/{instrumentId}',
    parameters: [{ name: 'instrumentId', in: 'path', required: true, schema: { type: 'string' } }],
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/Instrument' },
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
