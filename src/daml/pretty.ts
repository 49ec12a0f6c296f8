/** Values and ids as Canton's interpreter prints them in error texts. */
import type { DamlType, TypeId } from './types.js';
import { splitTypeId, substitute } from './types.js';
import { dataType, type PackageLookup } from './package.js';
import { formatTimestamp } from './time.js';
import { Some, type DamlRecord, type DamlValue, type DamlVariant } from './values.js';

/** `Module:Entity@` and the first eight digits of the package id. */
export function prettyTypeId(id: TypeId): string {
  const { packageId, module, entity } = splitTypeId(id);
  return `${module}:${entity}@${packageId.slice(0, 8)}`;
}

export function prettyValue(packages: PackageLookup, type: DamlType, value: DamlValue): string {
  const of = (inner: DamlType) => (item: DamlValue) => prettyValue(packages, inner, item);
  switch (type.kind) {
    case 'unit':
      return '<unit>';
    case 'text':
      return `"${String(value)}"`;
    case 'party':
      return `'${String(value)}'`;
    case 'timestamp':
      return formatTimestamp(value as bigint);
    case 'optional':
      return value instanceof Some ? `Option(${of(type.of)(value.value)})` : 'None';
    case 'list':
      return `[${(value as readonly DamlValue[]).map(of(type.of)).join(', ')}]`;
    case 'textMap':
      return `TextMap(${[...(value as ReadonlyMap<string, DamlValue>)]
        .map(([key, item]) => `${key} -> ${of(type.of)(item)}`)
        .join(', ')})`;
    case 'genMap':
      return `GenMap(${(value as readonly (readonly [DamlValue, DamlValue])[])
        .map(([key, item]) => `${of(type.key)(key)} -> ${of(type.value)(item)}`)
        .join(', ')})`;
    case 'con':
      return prettyNamed(packages, type, value);
    default:
      return String(value);
  }
}

function prettyNamed(
  packages: PackageLookup,
  type: Extract<DamlType, { kind: 'con' }>,
  value: DamlValue,
): string {
  const definition = dataType(packages, type.id);
  if (definition === undefined) return '?';
  const bindings = new Map(definition.params.map((name, i) => [name, type.args[i]!]));
  const name = prettyTypeId(type.id);
  const { body } = definition;
  switch (body.kind) {
    case 'record': {
      const record = value as DamlRecord;
      const members = body.fields.map((field) => {
        const text = prettyValue(packages, substitute(field.type, bindings), record[field.name]!);
        return `${field.name} = ${text}`;
      });
      return `${name}{ ${members.join(', ')} }`;
    }
    case 'variant': {
      const { tag, value: inner } = value as DamlVariant;
      const constructor = body.constructors.find((candidate) => candidate.name === tag);
      if (constructor === undefined) return `${name}:${tag}`;
      return `${name}:${tag}(${prettyValue(packages, substitute(constructor.type, bindings), inner)})`;
    }
    default:
      return `${name}:${String(value)}`;
  }
}
