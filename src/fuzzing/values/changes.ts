/** Changes of values: a new value in one place of a value, and values in place of others. */
import { comparisonOf } from '../../daml/codec/compare.js';
import { genMapOf, textMapOf } from '../../daml/codec/map-order.js';
import { boundBody, type PackageLookup } from '../../daml/model/package.js';
import type { DamlType } from '../../daml/model/types.js';
import { DamlVariant, Some, type DamlRecord, type DamlValue } from '../../daml/model/values.js';
import type { ValueSource } from './values.js';

/** How often to replace a value with a new one instead of a part of it. */
const WHOLE = 0.15;

/** A value of the same type that differs in one place; it can be the same again. */
export function changed(
  values: ValueSource,
  packages: PackageLookup,
  type: DamlType,
  value: DamlValue,
): DamlValue {
  const { random } = values;
  if (random.chance(WHOLE)) return values.make(type);
  const inner = (of: DamlType, part: DamlValue) => changed(values, packages, of, part);
  switch (type.kind) {
    case 'optional':
      if (!(value instanceof Some)) return new Some(values.make(type.of));
      return random.chance(0.3) ? null : new Some(inner(type.of, value.value));
    case 'list':
      return changedList(values, value as readonly DamlValue[], type.of, inner);
    case 'textMap': {
      const entries = [...(value as ReadonlyMap<string, DamlValue>)];
      if (entries.length === 0) return values.make(type);
      const place = random.below(entries.length);
      if (random.chance(0.3)) entries.splice(place, 1);
      else entries[place] = [entries[place]![0], inner(type.of, entries[place]![1])];
      return textMapOf(entries);
    }
    case 'genMap': {
      const entries = [...(value as readonly (readonly [DamlValue, DamlValue])[])];
      if (entries.length === 0) return values.make(type);
      const place = random.below(entries.length);
      const [key, of] = entries[place]!;
      if (random.chance(0.3)) entries.splice(place, 1);
      else
        entries[place] = random.chance(0.3)
          ? [inner(type.key, key), of]
          : [key, inner(type.value, of)];
      return genMapOf(entries, comparisonOf(packages, type.key));
    }
    case 'con':
      return changedBody(values, packages, type, value, inner);
    default:
      return values.make(type);
  }
}

type Inner = (of: DamlType, part: DamlValue) => DamlValue;

function changedList(
  values: ValueSource,
  list: readonly DamlValue[],
  of: DamlType,
  inner: Inner,
): readonly DamlValue[] {
  const { random } = values;
  const items = [...list];
  const place = random.below(items.length + 1);
  const kind = items.length === 0 ? 0 : random.below(4);
  if (kind === 0) items.splice(place, 0, values.make(of));
  else if (kind === 1) items.splice(Math.min(place, items.length - 1), 1);
  else if (kind === 2) items.splice(place, 0, random.pick(list));
  else {
    const at = Math.min(place, items.length - 1);
    items[at] = inner(of, items[at]!);
  }
  return items;
}

function changedBody(
  values: ValueSource,
  packages: PackageLookup,
  type: Extract<DamlType, { kind: 'con' }>,
  value: DamlValue,
  inner: Inner,
): DamlValue {
  const body = boundBody(packages, type);
  if (body?.kind === 'record' && body.fields.length > 0) {
    const { name, type: of } = values.random.pick(body.fields);
    const record = value as DamlRecord;
    return { ...record, [name]: inner(of, record[name] ?? null) };
  }
  if (body?.kind === 'variant' && value instanceof DamlVariant) {
    const of = body.constructors.find(({ name }) => name === value.tag)!.type;
    return new DamlVariant(value.tag, inner(of, value.value));
  }
  return values.make(type);
}
