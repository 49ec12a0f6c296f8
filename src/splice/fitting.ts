/** Arguments as a version of a package takes them: what it has no field for yet is left out. For what we write, not for what is given. */
import { boundBody, type PackageLookup } from '../daml/model/package.js';
import type { DamlType } from '../daml/model/types.js';

/** @param json Ledger API JSON of the type in a newer version */
export function fitting<T>(packages: PackageLookup, type: DamlType, json: T): T {
  return fitted(packages, type, json) as T;
}

function fitted(packages: PackageLookup, type: DamlType, json: unknown): unknown {
  if (json === null || typeof json !== 'object') return json;
  switch (type.kind) {
    case 'optional':
      return fitted(packages, type.of, json);
    case 'list':
      return (json as readonly unknown[]).map((each) => fitted(packages, type.of, each));
    case 'con': {
      const body = boundBody(packages, type);
      if (body?.kind !== 'record') return json;
      const given = json as Readonly<Record<string, unknown>>;
      return Object.fromEntries(
        body.fields
          .filter(({ name }) => Object.hasOwn(given, name))
          .map((field) => [field.name, fitted(packages, field.type, given[field.name])]),
      );
    }
    default:
      return json;
  }
}
