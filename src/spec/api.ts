/**
 * An API group for the other files of this folder: its mount path, its messages, its operations. Each group's
 * `index.ts` builds the group, and `apis.ts` lists all groups.
 */
import { mentioned, type JsonSchema, type OperationFacts, type Schemas } from './schema.js';

export type Api =
  | 'ledger'
  | 'scan'
  | 'registry'
  | 'validator'
  | 'wallet'
  | 'names'
  | 'sv'
  | 'control';

export interface ApiFacts {
  api: Api;
  openapi: string;
  title: string;
  version: string;
  /** The prefix of a row's path when a client calls it on the shared port. */
  basePath: string;
  schemas: Schemas;
  operations: readonly OperationFacts[];
  securitySchemes?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface Service {
  schemas?: Schemas;
  operations?: readonly OperationFacts[];
}

/**
 * A file of `facts/`, which scripts/carry-spec.mjs writes: services by name, each with its operations and the
 * messages it owns.
 */
export function carried(facts: object): Readonly<Record<string, Service>> {
  const { $comment: _, ...services } = facts as Record<string, Service>;
  return services;
}

type Gathered = Required<Pick<ApiFacts, 'schemas' | 'operations'>>;

/** An API of services, which are read at their first use: few processes use all APIs. */
export function apiOf(
  head: Omit<ApiFacts, keyof Gathered>,
  services: () => readonly Service[],
): ApiFacts {
  let gathered: Gathered | undefined;
  const read = (): Gathered => (gathered ??= gather(services()));
  return {
    ...head,
    get schemas() {
      return read().schemas;
    },
    get operations() {
      return read().operations;
    },
  };
}

/** Combines the services of a group. A name may occur twice only with the same definition. */
export function gather(services: readonly Service[]): Gathered {
  const [only = {}, ...others] = services;
  if (others.length === 0) return { schemas: {}, operations: [], ...only };
  const schemas: Record<string, JsonSchema> = {};
  for (const service of services)
    for (const [name, schema] of Object.entries(service.schemas ?? {})) {
      const known = schemas[name];
      if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
        throw new Error(`Failed to gather schemas: two different messages are named ${name}.`);
      schemas[name] = schema;
    }
  return {
    schemas,
    operations: services.flatMap((service) => service.operations ?? []),
  };
}

/** The messages of the group that its operations use, sorted by name. */
export function usedSchemas(facts: Pick<ApiFacts, 'schemas' | 'operations'>): Schemas {
  const stated = facts.operations.map(({ parameters, request, responses }) => [
    parameters,
    request,
    responses,
  ]);
  const names = [...mentioned(facts.schemas, stated)].sort();
  return Object.fromEntries(names.map((name) => [name, facts.schemas[name] ?? {}]));
}
