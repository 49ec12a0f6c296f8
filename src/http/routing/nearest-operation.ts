/**
 * For an unmatched request: the operation that was probably intended.
 * NOTE: the sentence is Canticle's, for people only. It appears in the journal, never on the wire.
 */
import { editDistance } from '../../daml/errors/edit-distance.js';
import type { Api } from '../../spec/api.js';
import { APIS } from '../../spec/apis.js';
import { operationsOf } from '../../spec/operations.js';
import type { Spoken } from '../../spec/splice/spoken.js';

/** A sentence that names it, or states that it exists but is not served. */
export function nearestOperation(
  api: Api,
  method: string,
  pathname: string,
  spoken?: Spoken,
): string {
  const { basePath } = APIS[api];
  let best: { text: string; distance: number } | undefined;
  for (const { method: its, path, served } of operationsOf(api, spoken)) {
    const full = basePath + path;
    const distance = pathDistance(pathname, full) + (its.toUpperCase() === method ? 0 : 1);
    if (best !== undefined && distance >= best.distance) continue;
    const name = `${its.toUpperCase()} ${full}`;
    best = {
      text: served ? `Did you mean ${name}?` : `Nearest is ${name}, which is not served yet.`,
      distance,
    };
  }
  return best?.text ?? 'This API has no operations.';
}

/**
 * The number of different letters, by segment. A parameter matches any segment, and each missing or extra segment
 * adds much.
 */
function pathDistance(given: string, path: string): number {
  const left = given.split('/');
  const right = path.split('/');
  let sum = 4 * Math.abs(left.length - right.length);
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const segment = right[i]!;
    sum += segment.startsWith('{') ? 0.5 : editDistance(left[i]!.slice(0, 64), segment);
  }
  return sum;
}
