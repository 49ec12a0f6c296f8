/**
 * Extracts the facts of an official OpenAPI document: names, types, formats, requiredness, enum values, references,
 * parameters, status codes, content types, deprecation. It extracts no prose.
 */
import type { Disabled } from '../deprecated/deprecated-apis.js';
import {
  mentioned,
  type Content,
  type JsonSchema,
  type Method,
  type OperationFacts,
  type Parameter,
  type Schemas,
} from '../schema.js';

type Json = Readonly<Record<string, unknown>>;

/** The part of an OpenAPI document that is read. */
export interface OpenApiSource {
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, PathSource>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
}

type PathSource = { readonly parameters?: readonly PartSource[] } & {
  readonly [M in Method]?: OperationSource;
};

interface OperationSource {
  readonly operationId: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly parameters?: readonly PartSource[];
  readonly requestBody?: PartSource;
  readonly responses: Readonly<Record<string, PartSource>>;
}

/** A parameter, a request, a response, or a reference to one of them. */
interface PartSource {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: 'path' | 'query';
  readonly required?: boolean;
  readonly schema?: Json;
  readonly content?: Readonly<Record<string, { readonly schema?: Json }>>;
  readonly headers?: Readonly<Record<string, { readonly schema?: Json }>>;
}

const METHODS: readonly Method[] = ['get', 'post', 'put', 'patch', 'delete'];
const PROSE = /^(description|summary|example|examples|title|externalDocs)$/;
const AS_IS = ['enum', 'required', 'default', 'discriminator'];

/** A schema without prose. Vendor extensions are kept only if they change the output of a service. */
function schemaFacts(schema: Json): JsonSchema {
  return factsOf(schema) as JsonSchema;
}

function factsOf(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(factsOf);
  if (node === null || typeof node !== 'object') return node;
  const out: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node as Json)) {
    if (key === 'x-scala-type' && /OmitNull/.test(value as string)) out['x-omit-null'] = true;
    else if (PROSE.test(key) || key.startsWith('x-')) continue;
    else if (key === 'properties') out[key] = propertiesOf(value as Json);
    else out[key] = AS_IS.includes(key) ? value : factsOf(value);
  }
  // In OpenAPI 3.0, members next to a reference have no meaning. `nullable` is an exception, because Scan uses it.
  if (out['$ref'] === undefined) return out;
  return out['nullable'] ? { $ref: out['$ref'], nullable: true } : { $ref: out['$ref'] };
}

const propertiesOf = (properties: Json): Json =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, propertyOf(name, schema as Json)]),
  );

/**
 * A request can omit the debug fields of the registry. Some Daml values of Scan are not objects, although the document
 * says so.
 */
function propertyOf(name: string, schema: Json): JsonSchema {
  const stated = schemaFacts(schema);
  if (/^(choice_argument|exercise_result)$/.test(name)) return { ...stated, 'x-daml-value': true };
  return /^debug[A-Z]/.test(name) ? { ...stated, 'x-omit-null': true } : stated;
}

function contentOf(document: OpenApiSource, holder: PartSource): Content {
  const part = follow(document, holder);
  const [contentType, media] = Object.entries(part.content ?? {})[0] ?? [];
  const headers = Object.entries(part.headers ?? {}).map(([name, { schema = {} }]) => [
    name,
    schemaFacts(schema),
  ]);
  return {
    ...(contentType && { contentType, schema: schemaFacts(media?.schema ?? {}) }),
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) as Schemas }),
  };
}

function requestOf(document: OpenApiSource, body: PartSource): Content {
  const request = contentOf(document, body);
  return follow(document, body).required ? request : { ...request, optional: true };
}

/** Resolves a reference inside the document. */
function follow(document: OpenApiSource, node: PartSource): PartSource {
  const ref = node.$ref;
  if (ref === undefined) return node;
  let target: unknown = document;
  for (const key of ref.slice(2).split('/')) target = (target as Json | undefined)?.[key];
  if (target === undefined) throw new Error(`The document has no ${ref}.`);
  return target as PartSource;
}

function parametersOf(
  document: OpenApiSource,
  { parameters: common = [] }: PathSource,
  { parameters: own = [] }: OperationSource,
): readonly Parameter[] {
  return [...common, ...own].map((each) => {
    const { name, in: place, required, schema = {} } = follow(document, each);
    return {
      name: name!,
      in: place!,
      ...(required && { required: true }),
      schema: schemaFacts(schema),
    };
  });
}

/** The configuration key that enables a disabled operation again, and the operation to use instead. */
const DISABLED =
  /features\.deprecated\.enable-deprecated-([a-z]+-\d+) = true`\) and will be removed in Canton [\d.]+\. Use (.+?) instead\./;

/** A notice of this kind, whether its words are known or not. */
export const NOTICE = /disabled by default|re-enable/i;

/** From the sentence that the real system writes into the description of an operation that is disabled by default. */
function disabledBy(description: string = ''): Disabled | undefined {
  const [, group, instead] = DISABLED.exec(description) ?? [];
  return group === undefined ? undefined : ({ group, instead } as Disabled);
}

/** Each operation of the document. @param suffix of its id */
export function operationsIn(document: OpenApiSource, suffix = ''): readonly OperationFacts[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => {
      const stated = item[method]!;
      const parameters = parametersOf(document, item, stated);
      const disabled = disabledBy(stated.description);
      return {
        operationId: stated.operationId + suffix,
        method,
        path,
        ...(stated.deprecated && { deprecated: true }),
        ...(disabled && { disabled }),
        ...(parameters.length > 0 && { parameters }),
        ...(stated.requestBody && { request: requestOf(document, stated.requestBody) }),
        responses: Object.fromEntries(
          Object.entries(stated.responses).map(([status, response]) => [
            status,
            contentOf(document, response),
          ]),
        ),
      };
    }),
  );
}

/** The names of all messages that the operations use. */
export function messagesOf(
  document: OpenApiSource,
  operations: readonly OperationFacts[],
): ReadonlySet<string> {
  return mentioned(document.components.schemas as Schemas, operations);
}

/** The named messages, sorted. */
export function schemasIn(document: OpenApiSource, names: Iterable<string>): Schemas {
  const found = [...names].sort().map((name) => {
    const schema = document.components.schemas[name];
    if (schema === undefined) throw new Error(`The document has no message ${name}.`);
    return [name, schemaFacts(schema)];
  });
  return Object.fromEntries(found) as Schemas;
}
