/** Values in one line for people: `{ owner: alice::1220…, amount: 100.0 }`. Long ones lose their middle parts. */
import { formatDate, formatTimestamp } from '../model/time.js';
import type { Numeric } from '../model/numeric.js';
import { boundBody, type PackageLookup } from '../model/package.js';
import type { DamlType } from '../model/types.js';
import { Some, type DamlRecord, type DamlValue, type DamlVariant } from '../model/values.js';

/** Items of a list or a map that are shown, and levels of nesting. */
const MAX_ITEMS = 8;
const MAX_LEVELS = 6;

export function shortValue(
  packages: PackageLookup,
  type: DamlType,
  value: DamlValue,
  level = 0,
): string {
  if (level > MAX_LEVELS) return '…';
  const of = (inner: DamlType, item: DamlValue): string =>
    shortValue(packages, inner, item, level + 1);
  switch (type.kind) {
    case 'unit':
      return '()';
    case 'text':
      return JSON.stringify(value);
    case 'numeric':
      return (value as Numeric).toCompact();
    case 'timestamp':
      return formatTimestamp(value as bigint);
    case 'date':
      return formatDate(value as number);
    case 'optional':
      return value instanceof Some ? `Some ${of(type.of, value.value)}` : 'None';
    case 'list':
      return `[${listed(value as readonly DamlValue[], (item) => of(type.of, item))}]`;
    case 'textMap':
      return entries([...(value as ReadonlyMap<string, DamlValue>)], ([key, item]) => [
        JSON.stringify(key),
        of(type.of, item),
      ]);
    case 'genMap':
      return entries(value as readonly (readonly [DamlValue, DamlValue])[], ([key, item]) => [
        of(type.key, key),
        of(type.value, item),
      ]);
    case 'con':
      return named(packages, type, value, of);
    default:
      return String(value);
  }
}

function listed<T>(items: readonly T[], textOf: (item: T) => string): string {
  const texts = items.slice(0, MAX_ITEMS).map(textOf);
  const more = items.length - texts.length;
  return [...texts, ...(more > 0 ? [`… ${more} more`] : [])].join(', ');
}

function entries<T>(items: readonly T[], pairOf: (item: T) => readonly [string, string]): string {
  return braced(listed(items, (item) => pairOf(item).join(' -> ')));
}

const braced = (inner: string): string => (inner === '' ? '{}' : `{ ${inner} }`);

function named(
  packages: PackageLookup,
  type: Extract<DamlType, { kind: 'con' }>,
  value: DamlValue,
  of: (type: DamlType, value: DamlValue) => string,
): string {
  const body = boundBody(packages, type);
  if (body === undefined) return '?';
  switch (body.kind) {
    case 'record': {
      const record = value as DamlRecord;
      const members = body.fields.map(
        (field) => `${field.name}: ${of(field.type, record[field.name]!)}`,
      );
      return braced(members.join(', '));
    }
    case 'variant': {
      const { tag, value: inner } = value as DamlVariant;
      const constructor = body.constructors.find(({ name }) => name === tag);
      if (constructor === undefined || constructor.type.kind === 'unit') return tag;
      return `${tag} ${of(constructor.type, inner)}`;
    }
    default:
      return String(value);
  }
}
