/**
 * Makes records with all fields in one step, so that records with the same fields share a hidden class. Objects
 * that grow member by member keep spare memory.
 */
import { remembered } from '../model/remembered.js';
import type { DamlRecord, DamlValue } from '../model/values.js';

/** @param values in the order of the fields */
export type RecordMaker = (values: readonly DamlValue[]) => DamlRecord;

const MOST_FIELDS = 1_000;

export function recordMaker(names: readonly string[]): RecordMaker {
  // A literal with too many members takes too long to compile.
  if (names.length > MOST_FIELDS)
    return (values) => Object.fromEntries(names.map((name, index) => [name, values[index]!]));
  // Contains only numbers and quoted names.
  const members = names.map((name, index) => `${quoted(name)}:v[${index}]`);
  return compiled(`return {${members.join(',')}};`);
}

/** Codecs with the same fields share one maker. */
const compiled = remembered((source) => new Function('v', source) as RecordMaker);

/** In brackets, `__proto__` is a member like any other. */
function quoted(name: string): string {
  return name === '__proto__' ? '["__proto__"]' : JSON.stringify(name);
}
