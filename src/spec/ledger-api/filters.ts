// Facts of JSON Ledger API HTTP endpoints 3.4.12-SNAPSHOT, 3.5.14, 3.6.0-SNAPSHOT, carried by scripts/carry-spec.mjs: do not edit by hand.
import type { Schemas } from '../schema.js';

export const schemas: Schemas = {
  CumulativeFilter: {
    type: 'object',
    properties: { identifierFilter: { $ref: '#/components/schemas/IdentifierFilter' } },
  },
  Empty1: { type: 'object' },
  EventFormat: {
    type: 'object',
    properties: {
      filtersByParty: { $ref: '#/components/schemas/Map_Filters' },
      filtersForAnyParty: { $ref: '#/components/schemas/Filters' },
      verbose: { type: 'boolean' },
    },
  },
  Filters: {
    type: 'object',
    properties: {
      cumulative: { type: 'array', items: { $ref: '#/components/schemas/CumulativeFilter' } },
    },
  },
  IdentifierFilter: {
    oneOf: [
      {
        type: 'object',
        required: ['Empty'],
        properties: { Empty: { $ref: '#/components/schemas/Empty1' } },
      },
      {
        type: 'object',
        required: ['InterfaceFilter'],
        properties: { InterfaceFilter: { $ref: '#/components/schemas/InterfaceFilter' } },
      },
      {
        type: 'object',
        required: ['TemplateFilter'],
        properties: { TemplateFilter: { $ref: '#/components/schemas/TemplateFilter' } },
      },
      {
        type: 'object',
        required: ['WildcardFilter'],
        properties: { WildcardFilter: { $ref: '#/components/schemas/WildcardFilter' } },
      },
    ],
  },
  InterfaceFilter: {
    type: 'object',
    required: ['value'],
    properties: { value: { $ref: '#/components/schemas/InterfaceFilter1' } },
  },
  InterfaceFilter1: {
    type: 'object',
    required: ['interfaceId'],
    properties: {
      interfaceId: { type: 'string' },
      includeInterfaceView: { type: 'boolean' },
      includeCreatedEventBlob: { type: 'boolean' },
    },
  },
  Map_Filters: { type: 'object', additionalProperties: { $ref: '#/components/schemas/Filters' } },
  TemplateFilter: {
    type: 'object',
    required: ['value'],
    properties: { value: { $ref: '#/components/schemas/TemplateFilter1' } },
  },
  TemplateFilter1: {
    type: 'object',
    required: ['templateId'],
    properties: { templateId: { type: 'string' }, includeCreatedEventBlob: { type: 'boolean' } },
  },
  TransactionFilter: {
    type: 'object',
    properties: {
      filtersByParty: { $ref: '#/components/schemas/Map_Filters' },
      filtersForAnyParty: { $ref: '#/components/schemas/Filters' },
    },
  },
  TransactionFormat: {
    type: 'object',
    required: ['transactionShape', 'eventFormat'],
    properties: {
      eventFormat: { $ref: '#/components/schemas/EventFormat' },
      transactionShape: {
        type: 'string',
        enum: [
          'TRANSACTION_SHAPE_UNSPECIFIED',
          'TRANSACTION_SHAPE_ACS_DELTA',
          'TRANSACTION_SHAPE_LEDGER_EFFECTS',
        ],
      },
    },
  },
  WildcardFilter: {
    type: 'object',
    required: ['value'],
    properties: { value: { $ref: '#/components/schemas/WildcardFilter1' } },
  },
  WildcardFilter1: { type: 'object', properties: { includeCreatedEventBlob: { type: 'boolean' } } },
};
