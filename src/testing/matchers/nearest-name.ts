/** For an operation that nobody called: whether there is one of that name, and which was probably meant. */
import { nearest } from '../../daml/errors/edit-distance.js';
import { APIS } from '../../spec/apis.js';
import type { Api } from '../../spec/api.js';
import { operationsOf } from '../../spec/operations.js';

/** A sentence, or undefined where the name is right or is no name of an operation. */
export function nearestName(operation: string): string | undefined {
  if (operation.includes(' ')) return undefined;
  const ids = (Object.keys(APIS) as Api[]).flatMap((api) =>
    operationsOf(api).map(({ operationId }) => operationId),
  );
  if (ids.includes(operation)) return undefined;
  const meant = nearest(operation, ids);
  return `There is no operation of that name.${meant === undefined ? '' : ` Did you mean ${meant}?`}`;
}
