/** Loads a package by its id, with its declarations. A package never changes, so the page loads it once. */
import type { InspectedPackage } from '../../../spec/generated/control.js';
import { fetchJson } from '../state/api.js';

const cache = new Map<string, Promise<InspectedPackage>>();

export function packageOf(id: string): Promise<InspectedPackage> {
  const known = cache.get(id);
  if (known !== undefined) return known;
  const answer = fetchJson<InspectedPackage>(`inspection/packages/${encodeURIComponent(id)}`);
  cache.set(id, answer);
  // A failed request is not cached: the package may be uploaded later.
  answer.catch(() => cache.delete(id));
  return answer;
}
