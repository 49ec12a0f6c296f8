/** The schema of a message for json-schema-faker, with the rules that only the reader of the API has. */
import type { ReadingRules, TextKind } from '../../spec/reading.js';
import { mentioned, refName, type JsonSchema, type Schemas } from '../../spec/schema.js';

/** JSON Schema as the faker reads it. */
export type FakerSchema = Readonly<Record<string, unknown>>;

/** Most entries of lists and maps without bounds. */
const MAX_ITEMS = 3;
const BASE64 = '^([A-Za-z0-9+/]{4}){0,4}$';
const IDENTIFIER = '^#[a-z]{1,8}:[A-Z][a-z]{1,5}:[A-Z][a-z]{1,5}$';
/** The schema of any JSON value. */
const ANY_JSON = [{}, { name: 'value' }, [], 'text', 1, true];

export function fakerSchema(
  schemas: Schemas,
  rules: ReadingRules,
  schema: JsonSchema,
): FakerSchema {
  const names = [...mentioned(schemas, schema)].sort();
  const definitions = names.map((name) => [name, converted(rules, schemas[name] ?? {}, name)]);
  return { ...converted(rules, schema), $defs: Object.fromEntries(definitions) as FakerSchema };
}

/** @param message the name of the message, which the rules of the API use */
function converted(rules: ReadingRules, schema: JsonSchema, message = ''): FakerSchema {
  const inner = (of: JsonSchema): FakerSchema => converted(rules, of);
  if (schema.$ref !== undefined) return { $ref: `#/$defs/${refName(schema.$ref)}` };
  if (schema.discriminator !== undefined) return { oneOf: tagged(schema.discriminator) };
  if (schema.oneOf !== undefined)
    return { oneOf: schema.oneOf.map((variant) => whole(rules, variant)) };
  if (schema.allOf !== undefined) return { allOf: schema.allOf.map(inner) };
  if (schema.enum !== undefined) return { enum: schema.enum };
  switch (schema.type) {
    case 'integer':
      return { type: 'integer', minimum: 0, maximum: schema.format === 'int8' ? 100 : 2 ** 31 - 1 };
    case 'array':
      return {
        type: 'array',
        items: inner(schema.items ?? {}),
        minItems: schema.minItems ?? 0,
        maxItems: schema.maxItems ?? MAX_ITEMS,
      };
    case 'object':
      return schema.properties === undefined
        ? mapOf(rules, schema)
        : objectOf(rules, schema, message);
    case 'string':
      return schema.format === 'date-time'
        ? { type: 'string', format: 'date-time' }
        : { type: 'string', maxLength: 12 };
    case 'number':
    case 'boolean':
      return { type: schema.type };
    default:
      return { enum: ANY_JSON };
  }
}

function objectOf(
  rules: ReadingRules,
  { properties = {}, required = [] }: JsonSchema,
  message: string,
): FakerSchema {
  const members = Object.entries(properties).map(([name, property]) => {
    const kind = rules.textKindOf(message, name);
    return [name, kind === undefined ? converted(rules, property) : textSchema(kind)];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(members) as FakerSchema,
    required: [...new Set([...required, ...rules.alsoRequired(message)])],
    additionalProperties: false,
  };
}

/** The member of a variant identifies it, although the schema may not require the member. */
function whole(rules: ReadingRules, variant: JsonSchema): FakerSchema {
  const names = Object.keys(variant.properties ?? {});
  return converted(
    rules,
    names.length > 0 ? { type: 'object', ...variant, required: names } : variant,
  );
}

function mapOf(rules: ReadingRules, { additionalProperties }: JsonSchema): FakerSchema {
  const values =
    typeof additionalProperties === 'object'
      ? converted(rules, additionalProperties)
      : { type: 'string' };
  return { type: 'object', additionalProperties: values, minProperties: 0, maxProperties: 2 };
}

function tagged({
  propertyName,
  mapping = {},
}: NonNullable<JsonSchema['discriminator']>): FakerSchema[] {
  return Object.entries(mapping).map(([tag, ref]) => ({
    allOf: [
      { $ref: `#/$defs/${refName(ref)}` },
      { type: 'object', properties: { [propertyName]: { enum: [tag] } }, required: [propertyName] },
    ],
  }));
}

function textSchema(kind: TextKind): FakerSchema {
  switch (kind.kind) {
    case 'bytes':
      return { type: 'string', pattern: BASE64 };
    case 'identifier':
      return { type: 'string', pattern: IDENTIFIER };
    case 'timestamp':
      return { type: 'string', format: 'date-time' };
    case 'enum':
      return { enum: kind.values };
  }
}
