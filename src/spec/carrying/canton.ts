/** The facts of a Canton release from its official documents. */
import type { FactDifferences } from '../loading/differences.js';
import type { OperationFacts, Schemas } from '../schema.js';
import { messagesOf, operationsIn, schemasIn, type OpenApiSource } from './openapi.js';

/** The part of an AsyncAPI document that is read. */
export interface AsyncApiSource {
  readonly channels: Readonly<Record<string, object>>;
}

/** The paths of WebSockets, and the version of the document that lists them. */
interface Channels {
  readonly document: string;
  readonly paths: readonly string[];
}

interface Head {
  /** The version of the OpenAPI document. */
  readonly document: string;
  readonly channels: Channels;
  /** New parts of the documents for which a decision in the code is missing. */
  readonly undecided?: readonly string[];
}

export interface CantonFacts extends Head {
  readonly schemas: Schemas;
  readonly operations: readonly OperationFacts[];
}

/** The contents of a file in `facts/canton`. The file of the base has {@link CantonFacts}. */
export type CantonDifferences = Head & FactDifferences;

/**
 * @param document the release of the documents, such as `3.5.14`: the documents themselves may name a snapshot
 * @param asyncapi the document, or the channels of another release if there is none
 */
export function cantonFacts(
  document: string,
  openapi: OpenApiSource,
  asyncapi: { document: string; source: AsyncApiSource } | Channels,
): CantonFacts {
  const operations = operationsIn(openapi);
  const paths = new Set(operations.map(({ path }) => path));
  const stated = 'source' in asyncapi ? Object.keys(asyncapi.source.channels) : asyncapi.paths;
  return {
    document,
    // A channel without an operation of its path has no messages.
    channels: {
      document: asyncapi.document,
      paths: stated.filter((path) => paths.has(path)).sort(),
    },
    schemas: schemasIn(openapi, messagesOf(openapi, operations)),
    operations,
  };
}
