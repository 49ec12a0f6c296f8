/** Values and ids as Canton's interpreter prints them in error texts. */
import type { DamlType, TypeId } from './types.js';
import { splitTypeId, substitute } from './types.js';
import { dataType, type PackageLookup } from './package.js';
import { formatDate, formatInstant } from './time.js';
import { Some, type DamlRecord, type DamlValue, type DamlVariant } from './values.js';

/** `Module:Entity@` and the first eight digits of the package id. */
export function prettyTypeId(id: TypeId): string {
  const { packageId, module, entity } = splitTypeId(id);
  return `${module}:${entity}@${packageId.slice(0, 8)}`;
}

/** With the names of types and fields. */
export function prettyValue(packages: PackageLookup, type: DamlType, value: DamlValue): string {
  return pretty(packages, type, value, prettyNamed);
}

/** As a ledger keeps values: without names, and without what ends a record as None. */
export function prettyStored(packages: PackageLookup, type: DamlType, value: DamlValue): string {
  return pretty(packages, type, value, prettyUnnamed);
}

type Named = Extract<DamlType, { kind: 'con' }>;
type PrettyNamed = (packages: PackageLookup, type: Named, value: DamlValue) => string;

function pretty(
  packages: PackageLookup,
  type: DamlType,
  value: DamlValue,
  named: PrettyNamed,
): string {
  const of = (inner: DamlType) => (item: DamlValue) => pretty(packages, inner, item, named);
  switch (type.kind) {
    case 'unit':
      return '<unit>';
    case 'text':
      return `"${String(value)}"`;
    case 'party':
      return `'${String(value)}'`;
    case 'timestamp':
      return formatInstant(value as bigint);
    case 'date':
      return formatDate(value as number);
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
      return named(packages, type, value);
    default:
      return String(value);
  }
}

function prettyNamed(packages: PackageLookup, type: Named, value: DamlValue): string {
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

function prettyUnnamed(packages: PackageLookup, type: Named, value: DamlValue): string {
  const definition = dataType(packages, type.id);
  if (definition === undefined) return '?';
  const bindings = new Map(definition.params.map((name, i) => [name, type.args[i]!]));
  const part = (of: DamlType, item: DamlValue): string =>
    prettyStored(packages, substitute(of, bindings), item);
  const { body } = definition;
  if (body.kind === 'record') {
    const members = Object.values(value as DamlRecord);
    while (members.at(-1) === null) members.pop();
    const texts = members.map(
      (member, at) => `<no-label> = ${part(body.fields[at]!.type, member)}`,
    );
    return `{ ${texts.join(', ')} }`;
  }
  if (body.kind !== 'variant') return String(value);
  const { tag, value: inner } = value as DamlVariant;
  const constructor = body.constructors.find(({ name }) => name === tag);
  return constructor === undefined ? tag : `${tag}(${part(constructor.type, inner)})`;
}
