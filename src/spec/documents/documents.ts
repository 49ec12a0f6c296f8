/**
 * The OpenAPI document of each API, built from the operation table: only the served operations and the messages that
 * they use. NOTE: the summaries in the documents, here and in the other files that write them, are Canticle's. So are
 * the descriptions of the tables in this folder.
 */
import { ISSUER_PATHS } from '../control/issuer-paths.js';
import { usedSchemas, type Api } from '../api.js';
import { apiIn } from '../apis.js';
import { disabledNotice } from '../deprecated/deprecated-apis.js';
import { documentedOperations, type Operation } from '../operations.js';
import type { Content, JsonSchema, Parameter } from '../schema.js';
import { examplesOf, type Examples } from './examples.js';
import type { ReadFixture } from '../message-fixture.js';
import { releaseIn, type Spoken } from '../splice/spoken.js';
import { yamlText } from '../loading/yaml.js';

type Json = Record<string, unknown>;

export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string; description: string };
  servers?: { url: string }[];
  paths: Record<string, Record<string, Json>>;
  components: { schemas: Record<string, JsonSchema>; securitySchemes?: Json };
}

const STATUS_TEXTS: Readonly<Record<string, string>> = {
  '200': 'The answer.',
  '400': 'The request cannot be read or is refused.',
  '404': 'There is no such thing.',
  '409': 'The request conflicts with the present state; it may be tried again.',
  '500': 'The server failed.',
  '503': 'Not ready.',
  default: 'Any other refusal.',
};

function mediaOf(content: Content, example: unknown): Json {
  if (content.contentType === undefined) return {};
  const shown = example === undefined ? {} : { example };
  return { content: { [content.contentType]: { schema: content.schema ?? {}, ...shown } } };
}

function parameterOf(parameter: Parameter, examples: Examples): Json {
  const example = examples.parameters[parameter.name];
  return {
    name: parameter.name,
    in: parameter.in,
    required: parameter.required ?? false,
    schema: parameter.schema,
    ...(example === undefined ? {} : { example }),
  };
}

function responseOf(status: string, content: Content, example: unknown): Json {
  const headers = Object.entries(content.headers ?? {}).map(([name, schema]) => [
    name,
    { required: true, schema },
  ]);
  return {
    description: STATUS_TEXTS[status] ?? 'The request is refused.',
    ...(headers.length > 0 ? { headers: Object.fromEntries(headers) as Json } : {}),
    ...mediaOf(content, example),
  };
}

function requestBodyOf(request: Content, example: unknown): Json {
  return { required: !request.optional, ...mediaOf(request, example) };
}

const describedBy = (description: string | undefined): Json =>
  description === undefined ? {} : { description };

function operationOf(row: Operation, security: readonly string[], examples: Examples): Json {
  const responses = Object.entries(row.responses).map(([status, content]) => [
    status,
    responseOf(status, content, examples.responses[status]),
  ]);
  return {
    operationId: row.operationId,
    ...(row.summary === undefined ? {} : { summary: row.summary }),
    ...describedBy(disabledNotice(row)),
    ...(row.deprecated ? { deprecated: true } : {}),
    ...(row.parameters
      ? { parameters: row.parameters.map((each) => parameterOf(each, examples)) }
      : {}),
    ...(row.request ? { requestBody: requestBodyOf(row.request, examples.request) } : {}),
    responses: Object.fromEntries(responses) as Json,
    ...(security.length > 0 ? { security: security.map((name) => ({ [name]: [] })) } : {}),
  };
}

/**
 * The document of an API, by default for the default release. @param readFixture reads the examples. NOTE: they exist
 * only for the default release.
 */
export function openApiDocument(
  api: Api,
  spoken?: Spoken,
  readFixture?: ReadFixture,
): OpenApiDocument {
  const facts = apiIn(api, spoken);
  const rows = documentedOperations(api, spoken);
  // The bearer token comes first, as clients generated from the document prefer the first.
  const security = Object.keys(facts.securitySchemes ?? {}).reverse();
  const isUsual = releaseIn(api, spoken) === releaseIn(api);
  const paths: Record<string, Record<string, Json>> = {};
  for (const row of rows) {
    const fixture = isUsual ? readFixture?.(api, row.operationId) : undefined;
    const examples = examplesOf(row, facts.basePath, fixture);
    (paths[row.path] ??= {})[row.method] = operationOf(row, security, examples);
  }
  return {
    openapi: facts.openapi,
    info: {
      title: facts.title,
      version: facts.version,
      description: `What this simulator serves of: ${facts.title}.`,
    },
    ...(facts.basePath === '' ? {} : { servers: [{ url: facts.basePath }] }),
    paths: api === 'control' ? { ...paths, ...ISSUER_PATHS } : paths,
    components: {
      schemas: { ...usedSchemas({ schemas: facts.schemas, operations: rows }) },
      ...(facts.securitySchemes ? { securitySchemes: { ...facts.securitySchemes } } : {}),
    },
  };
}

/**
 * One document from several, titled as the first. NOTE: if two operations have the same id, the later one gets its
 * API's name, such as `listAnsEntriesOfAns`, because ids are unique in a document.
 * @throws Error where two messages have one name, which is a fault of the tables
 */
export function joinedDocument(documents: readonly OpenApiDocument[]): OpenApiDocument {
  const [first, ...rest] = documents as readonly [OpenApiDocument, ...OpenApiDocument[]];
  const paths = { ...first.paths };
  const schemas = { ...first.components.schemas };
  const ids = new Set(Object.values(paths).flatMap((item) => Object.values(item).map(idOf)));
  for (const document of rest) {
    const suffix = `Of${/^[A-Z][a-z]*/i.exec(document.info.title)![0].replace(/\B./g, (each) => each.toLowerCase())}`;
    for (const [path, item] of Object.entries(document.paths)) {
      const own = Object.entries(item).map(([method, operation]) => {
        const operationId = ids.has(idOf(operation)) ? idOf(operation) + suffix : idOf(operation);
        ids.add(operationId);
        return [method, { ...operation, operationId }] as const;
      });
      paths[path] = { ...paths[path], ...Object.fromEntries(own) };
    }
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      const known = schemas[name];
      if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
        throw new Error(`Failed to join documents: two different messages are named ${name}.`);
      schemas[name] = schema;
    }
  }
  return { ...first, paths, components: { ...first.components, schemas } };
}

const idOf = ({ operationId }: Json): string => operationId as string;

/** The document as YAML text, in the format of a participant. */
export function openApiYaml(api: Api, spoken?: Spoken, readFixture?: ReadFixture): string {
  return yamlText(openApiDocument(api, spoken, readFixture));
}
