/** Errors of submissions as values of the script library. */
import { compare } from '../../daml/lf/runtime/ordering.js';
import { SortedMap } from '../../daml/lf/runtime/sorted-map.js';
import { record } from '../library/library.js';
import type { ScriptLibrary } from '../library/library.js';

/** An error, or a part of it: a constructor, and its fields in the order of the libraries before SDK 3.6. */
export interface ErrorValue {
  readonly name: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export const errorValue = (name: string, fields: ErrorValue['fields'] = {}): ErrorValue => ({
  name,
  fields,
});

/**
 * In libraries before SDK 3.6, a variant. From then on, a record of the constructor's name and a map of its fields, for
 * any constructor (B-SCR-002).
 * @returns undefined if the library does not have the constructor or a field has no value
 */
export function errorIn(
  library: ScriptLibrary,
  type: string,
  { name, fields }: ErrorValue,
): unknown {
  if (library.isStable) return record(record(name, mapOf(fields)));
  const values = Object.values(fields);
  const isKnown = library.hasConstructor(`Submit.Error:${type}`, name);
  return isKnown && values.every((each) => each !== undefined)
    ? library.variant(`Submit.Error:${type}`, name, ...values)
    : undefined;
}

function mapOf(fields: ErrorValue['fields']): SortedMap {
  let map = SortedMap.empty(compare);
  for (const [name, value] of Object.entries(fields)) map = map.insert(name, value);
  return map;
}
