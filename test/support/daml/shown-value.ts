/** Values of compiled code as tests compare them. */
import {
  Any,
  Cons,
  Fun,
  listToArray,
  TypeRep,
  Variant,
} from '../../../src/daml/lf/runtime/runtime-values.js';
import { SortedMap } from '../../../src/daml/lf/runtime/sorted-map.js';

/** Records as lists, variants as `{ rank, value }`. */
export function shown(value: unknown): unknown {
  if (value instanceof Cons) return listToArray(value).map(shown);
  if (value instanceof Variant) return { rank: value.t, value: shown(value.v) };
  if (value instanceof Any) return { type: typeText(value.type), value: shown(value.value) };
  if (value instanceof TypeRep) return typeText(value);
  if (value instanceof SortedMap)
    return Object.fromEntries(value.toArray().map(([key, each]) => [key, shown(each)]));
  if (value instanceof Fun) return 'function';
  if (typeof value !== 'object' || value === null) return value;
  if ('value' in value) return { some: shown(value.value) };
  return Object.values(value).map(shown);
}

const typeText = ({ key }: TypeRep): string => key.replace(/^[0-9a-f]{64}:/, '');

/** The ids of all types in a value. */
export function typesIn(value: unknown): readonly string[] {
  if (value instanceof TypeRep) return [value.key];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(typesIn) : [];
}
