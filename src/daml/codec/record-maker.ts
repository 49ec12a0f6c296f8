/**
 * Makes records that have the same fields in one piece each, so that they share a hidden class and take no more room than their
 * members: objects that grow member by member keep room to grow, for ever.
 */
import { remembered } from '../model/remembered.js';
import type { DamlRecord, DamlValue } from '../model/values.js';

/** @param values in the order of the fields */
export type RecordMaker = (values: readonly DamlValue[]) => DamlRecord;

const MOST_FIELDS = 1_000;

export function recordMaker(names: readonly string[]): RecordMaker {
  // A literal of very many members is slower to compile than it is worth.
  if (names.length > MOST_FIELDS)
    return (values) => Object.fromEntries(names.map((name, index) => [name, values[index]!]));
  // Made of numbers and quoted names alone.
  const members = names.map((name, index) => `${quoted(name)}:v[${index}]`);
  return compiled(`return {${members.join(',')}};`);
}

/** Codecs of the same fields make their records alike. */
const compiled = remembered((source) => new Function('v', source) as RecordMaker);

/** In brackets, `__proto__` is a member like any other. */
function quoted(name: string): string {
  return name === '__proto__' ? '["__proto__"]' : JSON.stringify(name);
}
