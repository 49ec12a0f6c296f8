/**
 * A value as a text that no other value of its type has: what contract ids hash. Cheaper than any wire form, and never
 * read back. Lengths stand before texts, so that nothing inside a text can look like structure.
 */
import { Numeric } from './numeric.js';
import { DamlVariant, Some, type DamlRecord, type DamlValue } from './values.js';

export function canonicalText(value: DamlValue): string {
  switch (typeof value) {
    case 'string':
      return `${value.length}:${value}`;
    case 'bigint':
      return `i${value};`;
    case 'number':
      return `d${value};`;
    case 'boolean':
      return value ? 'T' : 'F';
    default:
      return value === null ? 'N' : compound(value);
  }
}

function compound(value: Exclude<DamlValue, null | string | bigint | number | boolean>): string {
  if (value instanceof Numeric) return `n${value.unscaled}e${value.scale};`;
  if (value instanceof Some) return `S${canonicalText(value.value)}`;
  if (value instanceof DamlVariant)
    return `V${canonicalText(value.tag)}${canonicalText(value.value)}`;
  if (value instanceof Map) return mapText(value as ReadonlyMap<string, DamlValue>);
  if (Array.isArray(value)) return `[${textOf(value as readonly DamlValue[])}]`;
  return recordText(value as DamlRecord);
}

function textOf(values: readonly DamlValue[]): string {
  let text = '';
  for (let i = 0; i < values.length; i++) text += canonicalText(values[i]!);
  return text;
}

function recordText(record: DamlRecord): string {
  let text = '{';
  for (const name in record) text += canonicalText(record[name]!);
  return `${text}}`;
}

function mapText(map: ReadonlyMap<string, DamlValue>): string {
  let text = '<';
  for (const [key, value] of map) text += canonicalText(key) + canonicalText(value);
  return `${text}>`;
}
