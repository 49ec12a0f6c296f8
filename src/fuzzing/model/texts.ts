/** The texts in values and commands, contract ids and parties among them. */
import { isMap } from '../../daml/errors/realms.js';
import { DamlVariant, Some, type DamlValue } from '../../daml/model/values.js';
import { mapped } from './scalars.js';

/** The same value with each text replaced. A plain object counts as a record. */
export const withTexts = <T>(value: T, replace: (text: string) => string): T =>
  mapped(value as DamlValue, (scalar) =>
    typeof scalar === 'string' ? replace(scalar) : scalar,
  ) as T;

export function* textsIn(value: unknown): Generator<string, void, undefined> {
  if (typeof value === 'string') yield value;
  else if (value instanceof Some || value instanceof DamlVariant) yield* textsIn(value.value);
  else if (isMap(value)) for (const each of value.values()) yield* textsIn(each);
  else if (typeof value === 'object' && value !== null)
    for (const each of Object.values(value)) yield* textsIn(each);
}
