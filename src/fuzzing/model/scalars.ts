/** Scalars in Daml values: numbers, texts, times, parties and ids of contracts. */
import { textMapOf } from '../../daml/codec/map-order.js';
import { isMap } from '../../daml/errors/realms.js';
import { Numeric } from '../../daml/model/numeric.js';
import { DamlVariant, Some, type DamlRecord, type DamlValue } from '../../daml/model/values.js';

/** The value with `replace` applied to each scalar in it. */
export function mapped(value: DamlValue, replace: (scalar: DamlValue) => DamlValue): DamlValue {
  if (value === null || typeof value !== 'object' || value instanceof Numeric)
    return replace(value);
  const inner = (part: DamlValue) => mapped(part, replace);
  if (value instanceof Some) return new Some(inner(value.value));
  if (value instanceof DamlVariant) return new DamlVariant(value.tag, inner(value.value));
  if (Array.isArray(value)) return (value as readonly DamlValue[]).map(inner);
  if (isMap(value))
    return textMapOf(
      [...(value as ReadonlyMap<string, DamlValue>)].map(([key, part]) => [
        replace(key) as string,
        inner(part),
      ]),
    );
  return Object.fromEntries(
    Object.entries(value as DamlRecord).map(([name, part]) => [name, inner(part)]),
  );
}

/** The scalar parts of a value, and the keys of its maps. */
export function* leavesOf(value: DamlValue): Generator<DamlValue, void, undefined> {
  if (value === null || typeof value !== 'object' || value instanceof Numeric) yield value;
  else if (value instanceof Some || value instanceof DamlVariant) yield* leavesOf(value.value);
  else {
    const parts = isMap(value) ? [...value].flat() : Object.values(value);
    for (const part of parts as readonly DamlValue[]) yield* leavesOf(part);
  }
}

/** Whether two scalars are equal. */
export const sameScalar = (one: DamlValue, other: DamlValue): boolean =>
  one === other ||
  (one instanceof Numeric &&
    other instanceof Numeric &&
    one.scale === other.scale &&
    one.unscaled === other.unscaled);
