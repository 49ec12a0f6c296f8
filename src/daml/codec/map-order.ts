/** Maps of Daml in values: sorted by their keys, for any order of their entries. */
import { compareText } from '../model/text-order.js';
import type { DamlValue } from '../model/values.js';
import type { Comparison } from './compare.js';

type Entry = readonly [DamlValue, DamlValue];

/** @param entries of different keys; they are sorted in place */
export function textMapOf(entries: [string, DamlValue][]): ReadonlyMap<string, DamlValue> {
  return new Map(entries.sort(([left], [right]) => compareText(left, right)));
}

/**
 * The last of several entries with one key counts.
 * @param entries sorted in place
 */
export function genMapOf(entries: Entry[], compare: Comparison): readonly Entry[] {
  const sorted = entries.sort((left, right) => compare(left[0], right[0]));
  return sorted.filter(
    (entry, index) => index + 1 === sorted.length || compare(entry[0], sorted[index + 1]![0]) !== 0,
  );
}
