/** The texts in values and commands, contract ids and parties among them. */
import { Numeric } from '../../daml/model/numeric.js';
import { DamlVariant, Some, type DamlValue } from '../../daml/model/values.js';

/** The same value with each text replaced. A plain object counts as a record. */
export function withTexts<T>(value: T, replace: (text: string) => string): T {
  const replaced = (each: unknown): unknown => {
    if (typeof each === 'string') return replace(each);
    if (each instanceof Some) return new Some(replaced(each.value) as DamlValue);
    if (each instanceof DamlVariant)
      return new DamlVariant(each.tag, replaced(each.value) as DamlValue);
    if (each instanceof Map)
      return new Map([...each].map(([key, item]) => [key as string, replaced(item)]));
    if (Array.isArray(each)) return each.map(replaced);
    if (typeof each !== 'object' || each === null || each instanceof Numeric) return each;
    return Object.fromEntries(
      Object.entries(each).map(([name, member]) => [name, replaced(member)]),
    );
  };
  return replaced(value) as T;
}

export function* textsIn(value: unknown): Generator<string, void, undefined> {
  if (typeof value === 'string') yield value;
  else if (value instanceof Some || value instanceof DamlVariant) yield* textsIn(value.value);
  else if (value instanceof Map) for (const each of value.values()) yield* textsIn(each);
  else if (typeof value === 'object' && value !== null)
    for (const each of Object.values(value)) yield* textsIn(each);
}
