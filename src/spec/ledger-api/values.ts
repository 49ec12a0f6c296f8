// Facts of JSON Ledger API HTTP endpoints 3.4.12-SNAPSHOT, 3.5.14, 3.6.0-SNAPSHOT, carried by scripts/carry-spec.mjs: do not edit by hand.
import type { Schemas } from '../schema.js';

export const schemas: Schemas = {
  Duration: {
    type: 'object',
    required: ['seconds', 'nanos'],
    properties: {
      seconds: { type: 'integer', format: 'int64' },
      nanos: { type: 'integer', format: 'int32' },
      unknownFields: { $ref: '#/components/schemas/UnknownFieldSet' },
    },
  },
  Field: {
    type: 'object',
    properties: {
      varint: { type: 'array', items: { type: 'integer', format: 'int64' } },
      fixed64: { type: 'array', items: { type: 'integer', format: 'int64' } },
      fixed32: { type: 'array', items: { type: 'integer', format: 'int32' } },
      lengthDelimited: { type: 'array', items: { type: 'string' } },
    },
  },
  FieldMask: {
    type: 'object',
    required: ['unknownFields'],
    properties: {
      paths: { type: 'array', items: { type: 'string' } },
      unknownFields: { $ref: '#/components/schemas/UnknownFieldSet' },
    },
  },
  Map_Int_Field: { type: 'object', additionalProperties: { $ref: '#/components/schemas/Field' } },
  ObjectMeta: {
    type: 'object',
    properties: {
      resourceVersion: { type: 'string' },
      annotations: { $ref: '#/components/schemas/Map_String' },
    },
  },
  Signature: {
    type: 'object',
    required: ['format', 'signature', 'signedBy', 'signingAlgorithmSpec'],
    properties: {
      format: { type: 'string' },
      signature: { type: 'string' },
      signedBy: { type: 'string' },
      signingAlgorithmSpec: { type: 'string' },
    },
  },
  TraceContext: {
    type: 'object',
    properties: { traceparent: { type: 'string' }, tracestate: { type: 'string' } },
  },
  UnknownFieldSet: {
    type: 'object',
    required: ['fields'],
    properties: { fields: { $ref: '#/components/schemas/Map_Int_Field' } },
  },
};
