/** Parts that the schemas of traces and of inspection share. */
import type { JsonSchema } from '../schema.js';

export const text: JsonSchema = { type: 'string' };
export const integer: JsonSchema = { type: 'integer', format: 'int64' };
export const flag: JsonSchema = { type: 'boolean' };
export const time: JsonSchema = { type: 'string', format: 'date-time' };
export const oneOf = (...words: readonly string[]): JsonSchema => ({
  type: 'string',
  enum: [...words],
});
export const message = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
export const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
export const byName = (items: JsonSchema): JsonSchema => ({
  type: 'object',
  additionalProperties: items,
});
/** Absent members are omitted, because most nodes have few of the possible ones. */
const omitted = (optional: Record<string, JsonSchema>) =>
  Object.fromEntries(
    Object.entries(optional).map(([name, schema]) => [name, { ...schema, 'x-omit-null': true }]),
  );
export const object = (
  required: Record<string, JsonSchema>,
  optional: Record<string, JsonSchema> = {},
): JsonSchema => ({
  type: 'object',
  required: Object.keys(required),
  properties: { ...required, ...omitted(optional) },
});
