/**
 * The facts of a release, as differences from those of another release that is in memory. Most messages and operations
 * stay the same from release to release, so that a file of differences is read in a fraction of the time.
 */
import { mergedWith } from '../../daml/model/own-members.js';
import type { JsonSchema, OperationFacts, Schemas } from '../schema.js';

export interface Facts {
  readonly schemas: Schemas;
  readonly operations: readonly OperationFacts[];
}

export interface FactDifferences {
  /** A merge patch of JSON (RFC 7396) of the messages by name. */
  readonly schemas: Readonly<Record<string, object | null>>;
  /** In the order of the document: the id of an operation that is the same, or its id and a merge patch of the rest. */
  readonly operations: readonly (string | (Pick<OperationFacts, 'operationId'> & object))[];
}

/** Parts that are the same in the base are the same objects. */
export function withDifferences(base: Facts, { schemas, operations }: FactDifferences): Facts {
  const rows = new Map(base.operations.map((row) => [row.operationId, row]));
  return {
    schemas: mergedWith(base.schemas, schemas) as Readonly<Record<string, JsonSchema>>,
    operations: operations.map((each) =>
      typeof each === 'string'
        ? rows.get(each)!
        : (mergedWith(rows.get(each.operationId), each) as OperationFacts),
    ),
  };
}
