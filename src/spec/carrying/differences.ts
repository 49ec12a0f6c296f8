/** The differences between the facts of two releases, as a file of facts has them. */
import { isJsonObject } from '../../daml/model/own-members.js';
import type { FactDifferences, Facts } from '../loading/differences.js';

export function differencesFrom(base: Facts, { schemas, operations }: Facts): FactDifferences {
  const rows = new Map(base.operations.map((row) => [row.operationId, row]));
  return {
    schemas: patchTo(base.schemas, schemas) as FactDifferences['schemas'],
    operations: operations.map((row) => {
      const known = rows.get(row.operationId);
      if (isSame(known, row)) return row.operationId;
      return { operationId: row.operationId, ...(patchTo(known, row) as object) };
    }),
  };
}

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The merge patch of JSON (RFC 7396) that turns one value into the other. Facts contain no null. */
function patchTo(from: unknown, to: unknown): unknown {
  if (!isJsonObject(from) || !isJsonObject(to)) return to;
  const gone = Object.keys(from).filter((name) => !Object.hasOwn(to, name));
  const changed = Object.entries(to).filter(([name, value]) => !isSame(from[name], value));
  return Object.fromEntries([
    ...gone.map((name) => [name, null]),
    ...changed.map(([name, value]) => [name, patchTo(from[name], value)]),
  ]);
}
