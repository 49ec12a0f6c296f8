/**
 * Adapts arguments that we write to a package version: it omits fields that the version does not have. It does not change arguments of
 * clients.
 */
import { boundBody, type PackageLookup } from '../daml/model/package.js';
import type { DamlType } from '../daml/model/types.js';

/** A part of an argument that a client sent. It stays as it is, so that the client gets the error about unknown fields. */
export class Given {
  constructor(readonly json: unknown) {}
}

/** @param json Ledger API JSON of the type in a newer version */
export function fitting<T>(packages: PackageLookup, type: DamlType, json: T): T {
  return fitted(packages, type, json) as T;
}

function fitted(packages: PackageLookup, type: DamlType, json: unknown): unknown {
  if (json === null || typeof json !== 'object') return json;
  if (json instanceof Given) return json.json;
  switch (type.kind) {
    case 'optional':
      return fitted(packages, type.of, json);
    case 'list':
      return (json as readonly unknown[]).map((each) => fitted(packages, type.of, each));
    case 'genMap':
      return (json as readonly (readonly [unknown, unknown])[]).map(([key, value]) => [
        fitted(packages, type.key, key),
        fitted(packages, type.value, value),
      ]);
    case 'con':
      return fittedData(packages, type, json as Readonly<Record<string, unknown>>);
    default:
      return json;
  }
}

function fittedData(
  packages: PackageLookup,
  type: Extract<DamlType, { kind: 'con' }>,
  json: Readonly<Record<string, unknown>>,
): unknown {
  const body = boundBody(packages, type);
  if (body?.kind === 'variant') {
    const found = body.constructors.find(({ name }) => name === json.tag);
    return found ? { ...json, value: fitted(packages, found.type, json.value) } : json;
  }
  if (body?.kind !== 'record') return json;
  return Object.fromEntries(
    body.fields
      .filter(({ name }) => Object.hasOwn(json, name))
      .map((field) => [field.name, fitted(packages, field.type, json[field.name])]),
  );
}
