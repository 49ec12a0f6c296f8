/** A package by its id, with all that it declares. What an id names never changes: it is asked for once. */
import type { InspectedPackage } from '../../../spec/generated/control.js';
import { ask } from '../state/api.js';

const asked = new Map<string, Promise<InspectedPackage>>();

export function packageOf(id: string): Promise<InspectedPackage> {
  const known = asked.get(id);
  if (known !== undefined) return known;
  const answer = ask<InspectedPackage>(`inspection/packages/${encodeURIComponent(id)}`);
  asked.set(id, answer);
  // What could not be told may be told later, once it was uploaded.
  answer.catch(() => asked.delete(id));
  return answer;
}
