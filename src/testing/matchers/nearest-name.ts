/** For an operation without calls: whether the name exists, and the nearest name. */
import { nearest } from '../../daml/errors/edit-distance.js';
import { APIS } from '../../spec/apis.js';
import type { Api } from '../../spec/api.js';
import { operationsOf } from '../../spec/operations.js';

/** A sentence; undefined if the name exists or does not look like an operation. */
export function nearestName(operation: string): string | undefined {
  if (operation.includes(' ')) return undefined;
  const ids = (Object.keys(APIS) as Api[]).flatMap((api) =>
    operationsOf(api).map(({ operationId }) => operationId),
  );
  if (ids.includes(operation)) return undefined;
  const meant = nearest(operation, ids);
  return `There is no operation of that name.${meant === undefined ? '' : ` Did you mean ${meant}?`}`;
}
