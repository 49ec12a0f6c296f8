// Facts of JSON Ledger API HTTP endpoints 3.4.12-SNAPSHOT, 3.5.14, 3.6.0-SNAPSHOT, carried by scripts/carry-spec.mjs: do not edit by hand.
import type { Schemas } from '../schema.js';

export const schemas: Schemas = {
  JsCantonError: {
    type: 'object',
    required: ['code', 'cause', 'context', 'errorCategory'],
    properties: {
      code: { type: 'string' },
      cause: { type: 'string' },
      correlationId: { type: 'string' },
      traceId: { type: 'string' },
      context: { $ref: '#/components/schemas/Map_String' },
      resources: { type: 'array', items: { $ref: '#/components/schemas/Tuple2_String_String' } },
      errorCategory: { type: 'integer', format: 'int32' },
      grpcCodeValue: { type: 'integer', format: 'int32' },
      retryInfo: { type: 'string' },
      definiteAnswer: { type: 'boolean' },
    },
  },
  Map_String: { type: 'object', additionalProperties: { type: 'string' } },
  Tuple2_String_String: { type: 'array', maxItems: 2, minItems: 2, items: { type: 'string' } },
};
