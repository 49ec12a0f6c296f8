// Facts of Scan API 0.0.1, carried by scripts/carry-spec.mjs: do not edit by hand.
import type { Schemas } from '../schema.js';

export const schemas: Schemas = {
  ErrorResponse: { type: 'object', required: ['error'], properties: { error: { type: 'string' } } },
};
