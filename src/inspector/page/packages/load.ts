/** Loads a package by its id, with its declarations. A package never changes, so the page loads it once. */
import type { InspectedPackage } from '../../../spec/generated/control.js';
import { ask } from '../state/api.js';

const asked = new Map<string, Promise<InspectedPackage>>();

export function packageOf(id: string): Promise<InspectedPackage> {
  const known = asked.get(id);
  if (known !== undefined) return known;
  const answer = ask<InspectedPackage>(`inspection/packages/${encodeURIComponent(id)}`);
  asked.set(id, answer);
  // A failed request is not cached: the package may be uploaded later.
  answer.catch(() => asked.delete(id));
  return answer;
}
