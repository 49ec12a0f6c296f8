/** Prints values, types and ids like Canton's interpreter in error texts. */
import type { DamlType, TypeId } from '../model/types.js';
import { qualifiedNameOf, splitTypeId } from '../model/types.js';
import { boundBody, type PackageLookup } from '../model/package.js';
import { formatDate, formatInstant } from '../model/time.js';
import {
  Some,
  storedMembers,
  type DamlRecord,
  type DamlValue,
  type DamlVariant,
} from '../model/values.js';

/** `Module:Entity@` and the first eight digits of the package id. */
export function prettyTypeId(id: TypeId): string {
  const { packageId, module, entity } = splitTypeId(id);
  return `${module}:${entity}@${packageId.slice(0, 8)}`;
}

/** With the names of types and fields. */
export function prettyValue(packages: PackageLookup, type: DamlType, value: DamlValue): string {
  return pretty(packages, type, value, prettyNamed);
}

/** A value as a ledger stores it: without names, and without trailing Nones of records. */
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
  const body = boundBody(packages, type);
  if (body === undefined) return '?';
  const name = prettyTypeId(type.id);
  switch (body.kind) {
    case 'record': {
      const record = value as DamlRecord;
      const members = body.fields.map(
        (field) => `${field.name} = ${prettyValue(packages, field.type, record[field.name]!)}`,
      );
      return `${name}{ ${members.join(', ')} }`;
    }
    case 'variant': {
      const { tag, value: inner } = value as DamlVariant;
      const constructor = body.constructors.find((candidate) => candidate.name === tag);
      if (constructor === undefined) return `${name}:${tag}`;
      return `${name}:${tag}(${prettyValue(packages, constructor.type, inner)})`;
    }
    default:
      return `${name}:${String(value)}`;
  }
}

function prettyUnnamed(packages: PackageLookup, type: Named, value: DamlValue): string {
  const body = boundBody(packages, type);
  if (body === undefined) return '?';
  if (body.kind === 'record') {
    const texts = storedMembers(value as DamlRecord).map(
      (member, at) => `<no-label> = ${prettyStored(packages, body.fields[at]!.type, member)}`,
    );
    return `{ ${texts.join(', ')} }`;
  }
  if (body.kind !== 'variant') return String(value);
  const { tag, value: inner } = value as DamlVariant;
  const constructor = body.constructors.find(({ name }) => name === tag);
  return constructor === undefined
    ? tag
    : `${tag}(${prettyStored(packages, constructor.type, inner)})`;
}

/** Whether the type is an argument. Arguments that are applications need parentheses. */
const [ALONE, ARGUMENT] = [false, true];

/** Without the packages of names. */
export function prettyType(type: DamlType, isArgument = ALONE): string {
  const applied = (name: string, ...args: readonly DamlType[]): string => {
    if (args.length === 0) return name;
    const text = [name, ...args.map((arg) => prettyType(arg, ARGUMENT))].join(' ');
    return isArgument ? `(${text})` : text;
  };
  switch (type.kind) {
    case 'numeric':
      return isArgument ? `(Numeric ${type.scale})` : `Numeric ${type.scale}`;
    case 'contractId':
    case 'optional':
    case 'list':
    case 'textMap':
      return applied(BUILTIN_NAMES[type.kind], type.of);
    case 'genMap':
      return applied('GenMap', type.key, type.value);
    case 'con':
      return applied(qualifiedNameOf(type.id), ...type.args);
    case 'var':
    case 'opaque':
      return type.name;
    default:
      return BUILTIN_NAMES[type.kind];
  }
}

/** Daml-LF's names of builtin types. */
export const BUILTIN_NAMES = {
  unit: 'Unit',
  bool: 'Bool',
  int64: 'Int64',
  text: 'Text',
  timestamp: 'Timestamp',
  date: 'Date',
  party: 'Party',
  contractId: 'ContractId',
  optional: 'Optional',
  list: 'List',
  textMap: 'TextMap',
} as const;
