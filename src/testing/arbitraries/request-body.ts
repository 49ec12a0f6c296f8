/**
 * Arbitrary messages of an API that match its schema and that its reader accepts. json-schema-faker generates them from
 * the seed of fast-check. Some request bodies are fixtures of the operation, with values of a real world.
 */
import fc, { type Arbitrary } from 'fast-check';
import { generateSync, type JsonSchema as GeneratedSchema } from 'json-schema-faker';
import { readFixture } from '../../assembly/fixture-files.js';
import { didYouMean } from '../../daml/codec/name-hints.js';
import type { Api } from '../../spec/api.js';
import { APIS } from '../../spec/apis.js';
import { READING_RULES } from '../../spec/decode.js';
import { operationsOf, type Operation } from '../../spec/operations.js';
import { Reader, type ReadingRules } from '../../spec/reading.js';
import type { JsonSchema, Schemas } from '../../spec/schema.js';
import { fakerSchema } from './faker-schema.js';

/** The faker cuts values that are nested deeper, which may make them invalid. */
const MAX_DEPTH = 24;
const OPTIONALS_STEPS = 10;
const MAX_SEED = 2 ** 31 - 1;
/** One of this many bodies comes from a fixture. */
const ONE_FIXTURE_IN = 8;

/**
 * @param operationId as in the API's document, such as `postV2CommandsSubmit-and-wait`; shrinks to the required members
 * @throws Error for an unknown operation, or one without a JSON body
 */
export function requestBody(operationId: string): Arbitrary<unknown> {
  const { api, request, schemas } = operationNamed(operationId);
  if (request?.schema === undefined || request.contentType !== 'application/json')
    throw new Error(
      `Failed to generate bodies for '${operationId}': this operation has no JSON body.`,
    );
  const made = messageFor(schemas, READING_RULES[api], request.schema);
  const reader = new Reader(schemas, READING_RULES[api]);
  const known = Object.values(readFixture(api, operationId)?.exchanges ?? {})
    .map((exchange) => exchange.request.body)
    .filter((body) => reader.read(request.schema!, body).errors === undefined);
  if (known.length === 0) return made;
  return fc.oneof(
    { withCrossShrink: true },
    { arbitrary: made, weight: ONE_FIXTURE_IN - 1 },
    { arbitrary: fc.constantFrom(...known).map((body) => copyOf(body)), weight: 1 },
  );
}

/** Messages of any schema of an API, each a new value. */
export function messageFor(
  schemas: Schemas,
  rules: ReadingRules,
  schema: JsonSchema,
): Arbitrary<unknown> {
  const reader = new Reader(schemas, rules);
  const faked = fakerSchema(schemas, rules, schema) as GeneratedSchema;
  return fc
    .record({ optionals: fc.nat({ max: OPTIONALS_STEPS }), seed: fc.nat({ max: MAX_SEED }) })
    .map(({ optionals, seed }) => {
      const optionalsProbability = optionals / OPTIONALS_STEPS;
      const options = {
        seed,
        maxDepth: MAX_DEPTH,
        optionalsProbability,
        alwaysFakeOptionals: false,
      };
      return copyOf(generateSync(faked, options));
    })
    .filter((body) => reader.read(schema, body).errors === undefined);
}

function operationNamed(operationId: string): Operation {
  for (const api of Object.keys(APIS) as Api[]) {
    const found = operationsOf(api).find((row) => row.operationId === operationId);
    if (found !== undefined) return found;
  }
  const names = (Object.keys(APIS) as Api[]).flatMap((api) =>
    operationsOf(api).map((row) => row.operationId),
  );
  const hint = didYouMean(operationId, names);
  throw new Error(`Failed to find the operation '${operationId}': no API has this id.${hint}`);
}

/** Copies a JSON value. */
const copyOf = (json: unknown): unknown => JSON.parse(JSON.stringify(json));
