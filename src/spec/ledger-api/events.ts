// Facts of JSON Ledger API HTTP endpoints 3.4.12-SNAPSHOT, 3.5.14, 3.6.0-SNAPSHOT, carried by scripts/carry-spec.mjs: do not edit by hand.
import type { Schemas, OperationFacts } from '../schema.js';

export const schemas: Schemas = {
  GetEventsByContractIdRequest: {
    type: 'object',
    required: ['contractId', 'eventFormat'],
    properties: {
      contractId: { type: 'string' },
      eventFormat: { $ref: '#/components/schemas/EventFormat' },
    },
  },
  JsArchived: {
    type: 'object',
    required: ['archivedEvent', 'synchronizerId'],
    properties: {
      archivedEvent: { $ref: '#/components/schemas/ArchivedEvent' },
      synchronizerId: { type: 'string' },
    },
  },
  JsCreated: {
    type: 'object',
    required: ['createdEvent', 'synchronizerId'],
    properties: {
      createdEvent: { $ref: '#/components/schemas/CreatedEvent' },
      synchronizerId: { type: 'string' },
    },
  },
  JsGetEventsByContractIdResponse: {
    type: 'object',
    properties: {
      created: { $ref: '#/components/schemas/JsCreated' },
      archived: { $ref: '#/components/schemas/JsArchived' },
    },
  },
};

export const operations: readonly OperationFacts[] = [
  {
    operationId: 'postV2EventsEvents-by-contract-id',
    method: 'post',
    path: '/v2/events/events-by-contract-id',
    request: {
      contentType: 'application/json',
      schema: { $ref: '#/components/schemas/GetEventsByContractIdRequest' },
    },
    responses: {
      '200': {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsGetEventsByContractIdResponse' },
      },
      '400': { contentType: 'text/plain', schema: { type: 'string' } },
      default: {
        contentType: 'application/json',
        schema: { $ref: '#/components/schemas/JsCantonError' },
      },
    },
  },
];
