/**
 * Types from an OpenAPI document, in the form of openapi-typescript: an interface `paths`. It supports the parts of
 * OpenAPI that the documents of the JSON Ledger API use.
 */
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface OperationObject {
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const quoted = (text: string): string => JSON.stringify(text);
const typeName = (ref: string): string => `Schemas[${quoted(ref.slice(ref.lastIndexOf('/') + 1))}]`;

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return typeName(schema.$ref);
  if (schema.oneOf !== undefined) return schema.oneOf.map(typeOf).join(' | ');
  if (schema.enum !== undefined) return schema.enum.map(quoted).join(' | ');
  switch (schema.type) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `(${typeOf(schema.items ?? {})})[]`;
    case undefined:
      return 'unknown';
    case 'object':
      return objectType(schema);
    default:
      throw new Error(`openapi-types.ts knows no ${schema.type}.`);
  }
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema): string {
  if (typeof additionalProperties === 'object')
    return `{ [key: string]: ${typeOf(additionalProperties)} }`;
  const members = Object.entries(properties).map(
    ([name, member]) => `${quoted(name)}${required.includes(name) ? '' : '?'}: ${typeOf(member)};`,
  );
  return members.length === 0 ? 'Record<string, unknown>' : `{ ${members.join(' ')} }`;
}

function contentType({ content = {} }: Content): string {
  const types = Object.entries(content).map(
    ([type, { schema = {} }]) => `${quoted(type)}: ${typeOf(schema)};`,
  );
  return `{ content: { ${types.join(' ')} } }`;
}

function operationType({ requestBody, responses }: OperationObject): string {
  const answers = Object.entries(responses).map(
    ([status, answer]) => `${status}: ${contentType(answer)};`,
  );
  const request = requestBody === undefined ? 'never' : contentType(requestBody);
  return `{ requestBody?: ${request}; responses: { ${answers.join(' ')} } }`;
}

/** The source of a module that exports `paths`. */
export function typesOf({ paths, components }: OpenApi): string {
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `  ${quoted(name)}: ${typeOf(schema)};`,
  );
  const operations = Object.entries(paths).map(([path, methods]) => {
    const own = Object.entries(methods).map(
      ([method, operation]) => `${method}: ${operationType(operation)};`,
    );
    return `  ${quoted(path)}: { ${own.join(' ')} };`;
  });
  return [
    'interface Schemas {',
    ...schemas,
    '}',
    'export interface paths {',
    ...operations,
    '}',
    '',
  ].join('\n');
}
