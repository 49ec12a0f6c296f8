/**
 * The shapes for describing the wire in this folder: a JSON schema in OpenAPI 3.0's dialect, and one row per
 * operation. Every other file here holds data of these shapes or derives from such data.
 */
import type { Disabled } from './deprecated/deprecated-apis.js';

export interface JsonSchema {
  $ref?: string;
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  format?: string;
  enum?: readonly string[];
  required?: readonly string[];
  properties?: Readonly<Record<string, JsonSchema>>;
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  oneOf?: readonly JsonSchema[];
  allOf?: readonly JsonSchema[];
  discriminator?: { propertyName: string; mapping?: Readonly<Record<string, string>> };
  nullable?: boolean;
  deprecated?: boolean;
  uniqueItems?: boolean;
  default?: unknown;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  title?: string;
  /** Omitted, not null, if there is no value. */
  'x-omit-null'?: boolean;
  /** A Daml value: any JSON, though the document may state an object (S-ENC-008). */
  'x-daml-value'?: boolean;
}

/** Message schemas by name; a reference to one is written `#/components/schemas/Name`. */
export type Schemas = Readonly<Record<string, JsonSchema>>;

export interface Parameter {
  name: string;
  in: 'path' | 'query';
  required?: boolean;
  schema: JsonSchema;
}

/** The content of a body: without a content type there is no body. */
export interface Content {
  contentType?: string;
  schema?: JsonSchema;
  /** For a request: whether the body may be omitted. */
  optional?: boolean;
  headers?: Readonly<Record<string, JsonSchema>>;
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** One row of the operation table, as an official document states it. */
export interface OperationFacts {
  operationId: string;
  /** A summary in one line, only for Canticle's operations. */
  summary?: string | undefined;
  method: Method;
  /** The path as in the API's own document: `/v2/parties/{party}`. */
  path: string;
  parameters?: readonly Parameter[];
  request?: Content;
  responses: Readonly<Record<string, Content>>;
  deprecated?: boolean;
  /** Set for an operation that the release disables by default. */
  disabled?: Disabled;
  /** Answered, though the document does not list it. */
  unlisted?: boolean;
}

const REF_PREFIX = '#/components/schemas/';

/** The message name that a reference points to. */
export function refName(ref: string): string {
  return ref.slice(REF_PREFIX.length);
}

/** Every message that a node mentions, directly or through others. */
export function mentioned(schemas: Schemas, node: unknown, found = new Set<string>()): Set<string> {
  if (node === null || typeof node !== 'object') return found;
  for (const [key, value] of Object.entries(node)) {
    if (key === '$ref' && typeof value === 'string' && value.startsWith(REF_PREFIX)) {
      const name = refName(value);
      if (found.has(name)) continue;
      found.add(name);
      mentioned(schemas, schemas[name], found);
    } else mentioned(schemas, value, found);
  }
  return found;
}
