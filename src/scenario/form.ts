/** Checks a part of a scenario against its published schema, and writes error texts for the author of the file. */
import { nearest, suggestion } from '../daml/errors/edit-distance.js';
import { lazy } from '../daml/errors/lazy.js';
import type { FieldPath } from '../wallet/scenario-error.js';
import type { JsonSchema } from './row.js';
import { scenarioSchema } from './schema.js';
import type * as Validators from './generated/validators.js';

const validators = lazy(() => require('./generated/validators.js') as typeof Validators);

export interface FormError {
  readonly reason: string;
  /** The path from the checked part. */
  readonly path: FieldPath;
  /** Whether the fault is in the key instead of the value. */
  readonly atKey: boolean;
}

interface ValidationError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

type Validate = ((data: unknown) => boolean) & { errors?: readonly ValidationError[] | null };

/** Compiled at first use, because many processes run no scenario. */
const definitions = (): Readonly<Record<string, Validate>> =>
  validators().definitions as Readonly<Record<string, Validate>>;

/**
 * @param definition a name in the schema's `$defs`, or `document`; `verb` and `expectation` for a part with an
 * unknown row
 * @param words the valid first words of the part
 * @param found the valid words that it has
 */
export function formError(
  definition: string,
  given: unknown,
  found: readonly string[] = [],
  words: readonly string[] = [],
): FormError | undefined {
  if (words.length > 0) return wordError(definition, given, found, words);
  const validate = definitions()[definition]!;
  if (validate(given)) return undefined;
  const worst = validate.errors!.reduce((best, each) =>
    weightOf(each) >= weightOf(best) ? each : best,
  );
  const { path, data, schema } = follow(definition, worst.instancePath, given);
  return worded(worst, path, data, schema);
}

function wordError(
  what: string,
  given: unknown,
  found: readonly string[],
  words: readonly string[],
): FormError {
  if (found.length > 1)
    return {
      reason: `A step has one verb, and this has ${found.join(' and ')}.`,
      path: [found[1]!],
      atKey: true,
    };
  const keys = typeof given === 'object' && given !== null ? Object.keys(given) : [];
  if (keys.length === 0)
    return {
      reason: `Expected a map that begins with one of ${words.join(', ')}.`,
      path: [],
      atKey: false,
    };
  const guess = keys.find((key) => nearest(key, words) !== undefined) ?? keys[0]!;
  const kind = what === 'verb' ? 'verb' : 'expectation';
  return {
    reason: `Unknown ${kind} '${guess}'.${suggestion(guess, words)}`,
    path: [guess],
    atKey: true,
  };
}

/**
 * The weight of a mistake, to select the mistake to report. Among alternatives, the mistake at the greatest depth
 * is the most useful; at the same depth, their union. An unknown field comes before a missing field, because it is
 * often that field, misspelt.
 */
function weightOf({ instancePath, keyword }: ValidationError): number {
  const depth = instancePath.split('/').length;
  const misspelt = keyword === 'additionalProperties' ? 1 : 0;
  return 2 * depth + misspelt;
}

interface Followed {
  readonly path: FieldPath;
  readonly data: unknown;
  readonly schema: JsonSchema;
}

/** The part of the data and of the schema with the error. */
function follow(definition: string, instancePath: string, given: unknown): Followed {
  const root = scenarioSchema();
  const definitions = root.$defs as Readonly<Record<string, JsonSchema>>;
  const path: (string | number)[] = [];
  let data = given;
  let schema = definition === 'document' ? root : definitions[definition]!;
  for (const part of instancePath.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    path.push(Array.isArray(data) ? Number(key) : key);
    schema = childSchema(definitions, schema, data, key) ?? {};
    data = (data as Record<string, unknown>)[key];
  }
  const shapes = alternatives(definitions, schema);
  const isMap = typeof data === 'object' && data !== null;
  return {
    path,
    data,
    schema: (isMap && shapes.find(({ properties }) => properties !== undefined)) || schema,
  };
}

function childSchema(
  definitions: Readonly<Record<string, JsonSchema>>,
  schema: JsonSchema,
  data: unknown,
  key: string,
): JsonSchema | undefined {
  for (const shape of alternatives(definitions, schema)) {
    const properties = shape.properties as Readonly<Record<string, JsonSchema>> | undefined;
    const child = Array.isArray(data) ? shape.items : properties?.[key];
    if (child !== undefined) return resolveRef(definitions, child as JsonSchema);
  }
  return undefined;
}

function alternatives(
  definitions: Readonly<Record<string, JsonSchema>>,
  schema: JsonSchema,
): readonly JsonSchema[] {
  const any = (schema.anyOf as readonly JsonSchema[] | undefined) ?? [];
  return [schema, ...any.map((each) => resolveRef(definitions, each))];
}

function resolveRef(
  definitions: Readonly<Record<string, JsonSchema>>,
  schema: JsonSchema,
): JsonSchema {
  const { $ref } = schema;
  return typeof $ref === 'string' ? definitions[$ref.slice('#/$defs/'.length)]! : schema;
}

function worded(
  { keyword, params }: ValidationError,
  path: FieldPath,
  data: unknown,
  schema: JsonSchema,
): FormError {
  const properties = (schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
  if (keyword === 'required') {
    const missing = params.missingProperty as string;
    const meaning = properties[missing]?.description;
    const reason = `The field '${missing}' is missing.${meaning === undefined ? '' : ` It is: ${String(meaning)}`}`;
    return { reason, path, atKey: false };
  }
  if (keyword === 'additionalProperties') {
    const extra = params.additionalProperty as string;
    const isVerb = 'steps' in properties && `step-${extra}` in definitions();
    const help = isVerb
      ? " It is a verb: put it under 'steps', behind a dash."
      : suggestion(extra, Object.keys(properties));
    const reason = `Unknown field '${extra}'.${help}`;
    return { reason, path: [...path, extra], atKey: true };
  }
  const field = path.findLast((part) => typeof part === 'string');
  const cannot = `${field === undefined ? 'This' : `'${field}'`} cannot be ${data === null ? 'empty' : JSON.stringify(data)}.`;
  if (Array.isArray(schema.enum) && (typeof data === 'string' || schema.description === undefined))
    return {
      reason: `${cannot}${suggestion(String(data), schema.enum.map(String))}`,
      path,
      atKey: false,
    };
  if (data === null && kindsOf(schema).join() === 'list')
    return { reason: `${cannot} Expected a list.`, path, atKey: false };
  const hint =
    data === null ? ' (A text that begins with # is a comment unless it is quoted.)' : '';
  return { reason: `${cannot} Expected: ${expected(schema)}${hint}`, path, atKey: false };
}

function expected(schema: JsonSchema): string {
  const { description, minimum } = schema;
  if (description !== undefined) return String(description);
  const kinds = kindsOf(schema).join(' or ');
  return `${kinds}${minimum === undefined ? '' : ` of at least ${String(minimum)}`}.`;
}

function kindsOf({ type, anyOf }: JsonSchema): string[] {
  const types = (anyOf as readonly JsonSchema[] | undefined)?.map((each) => each.type) ?? [type];
  const kinds = types.map((each) =>
    each === 'object' ? 'map' : each === 'array' ? 'list' : String(each),
  );
  return [...new Set(kinds)];
}
