/** The texts in values and commands, contract ids and parties among them. */
import type { DamlValue } from '../../daml/model/values.js';
import { leavesOf, mapped } from './scalars.js';

/** The same value with each text replaced. A plain object counts as a record. */
export const withTexts = <T>(value: T, replace: (text: string) => string): T =>
  mapped(value as DamlValue, (scalar) =>
    typeof scalar === 'string' ? replace(scalar) : scalar,
  ) as T;

/** A plain object counts as a record. */
export function* textsIn(value: unknown): Generator<string, void, undefined> {
  for (const leaf of leavesOf(value as DamlValue)) if (typeof leaf === 'string') yield leaf;
}
