/**
 * Completes an answer as the real servers print it: optional members that have no value are written as explicit null,
 * never left out (B-GEN-014, S-GEN-023), save those that a document marks as left out (S-GEN-024). On the Ledger API
 * optional lists and maps are written empty, and what a release has no member for is not written.
 */
import type { Operation } from './operations.js';
import { isObject } from './reading.js';
import { refName, type Content, type JsonSchema, type Schemas } from './schema.js';

/** The content that a document states for a status: its own row, else `default`. */
export function contentFor(operation: Operation, status: number): Content | undefined {
  return operation.responses[String(status)] ?? operation.responses.default;
}

/** The body with every optional member written out. Nothing is changed in place. */
export function completeResponse(operation: Operation, status: number, body: unknown): unknown {
  const content = contentFor(operation, status);
  if (content?.schema === undefined || content.contentType !== 'application/json') return body;
  const { api, schemas } = operation;
  return complete(schemas, content.schema, body, api === 'ledger');
}

function complete(
  schemas: Schemas,
  schema: JsonSchema,
  value: unknown,
  isLedger: boolean,
): unknown {
  if (value === null || value === undefined) return value ?? null;
  const go = (next: JsonSchema, inner: unknown): unknown =>
    complete(schemas, next, inner, isLedger);
  if (schema.$ref !== undefined) return go(schemas[refName(schema.$ref)] ?? {}, value);
  if (Array.isArray(value))
    return schema.items ? value.map((item) => go(schema.items ?? {}, item)) : value;
  if (!isObject(value)) return value;
  const object = chosen(schemas, schema, value);
  const { properties, additionalProperties } = object;
  if (properties === undefined) {
    if (typeof additionalProperties !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, go(additionalProperties, item)]),
    );
  }
  const members: [string, unknown][] = [];
  for (const [key, property] of Object.entries(properties)) {
    const given = Object.hasOwn(value, key) ? value[key] : undefined;
    if (given !== undefined) members.push([key, go(property, given)]);
    else if (!property['x-omit-null'] && !object.required?.includes(key)) {
      members.push([key, absent(schemas, property, isLedger)]);
    }
  }
  // A handler of the Ledger API says what the newest release would; what an older one has no member for is left out.
  if (!isLedger)
    for (const [key, item] of Object.entries(value))
      if (!Object.hasOwn(properties, key)) members.push([key, item]);
  return Object.fromEntries(members);
}

function absent(schemas: Schemas, property: JsonSchema, isLedger: boolean): unknown {
  const target = property.$ref === undefined ? property : (schemas[refName(property.$ref)] ?? {});
  if (!isLedger) return null;
  if (target.type === 'array') return [];
  return target.type === 'object' && typeof target.additionalProperties === 'object' ? {} : null;
}

/** The one object schema that applies: allOf merged, the variant of a oneOf picked by its tag or its member. */
function chosen(schemas: Schemas, schema: JsonSchema, value: Record<string, unknown>): JsonSchema {
  if (schema.$ref !== undefined) return chosen(schemas, schemas[refName(schema.$ref)] ?? {}, value);
  if (schema.allOf) {
    const parts = schema.allOf.map((part) => chosen(schemas, part, value));
    return {
      properties: Object.assign({}, ...parts.map((part) => part.properties ?? {})) as Record<
        string,
        JsonSchema
      >,
      required: parts.flatMap((part) => part.required ?? []),
    };
  }
  if (!schema.oneOf) return schema;
  const { propertyName, mapping } = schema.discriminator ?? {};
  const tag = propertyName === undefined ? undefined : mapping?.[String(value[propertyName])];
  if (tag !== undefined) return chosen(schemas, { $ref: tag }, value);
  const byMember = schema.oneOf.find((variant) => {
    const needed = chosen(schemas, variant, value).required ?? [];
    return needed.length > 0 && needed.every((name) => Object.hasOwn(value, name));
  });
  return byMember === undefined ? {} : chosen(schemas, byMember, value);
}

/** The same for one element of a list that an operation answers with. */
export function completeElement({ api, schemas, responses }: Operation, element: unknown): unknown {
  return complete(schemas, responses['200']?.schema?.items ?? {}, element, api === 'ledger');
}
