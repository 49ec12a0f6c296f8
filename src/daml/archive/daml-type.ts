/** Converts types of the language to types of the ledger. A type that is never on the ledger is `opaque`. */
import type { DamlType } from '../model/types.js';
import { unapply, type LfType } from './lf-type.js';

const converted = new WeakMap<LfType, DamlType>();

/** @param type a type without synonyms */
export function damlType(type: LfType): DamlType {
  const known = converted.get(type);
  if (known !== undefined) return known;
  const result = convert(type);
  converted.set(type, result);
  return result;
}

function convert(type: LfType): DamlType {
  const { head, args } = unapply(type);
  if (head.tag === 'con') {
    return { kind: 'con', id: head.id, args: args.map((arg) => damlType(arg)) };
  }
  if (head.tag === 'variable' && args.length === 0) return { kind: 'var', name: head.name };
  if (head.tag !== 'builtin') return { kind: 'opaque', name: opaqueName(head) };
  const [first, second] = args;
  switch (head.name) {
    case 'Unit':
    case 'Bool':
    case 'Int64':
    case 'Text':
    case 'Timestamp':
    case 'Date':
    case 'Party':
      return { kind: SCALARS[head.name] };
    case 'Numeric':
      return first?.tag === 'nat'
        ? { kind: 'numeric', scale: first.value }
        : { kind: 'opaque', name: head.name };
    case 'ContractId':
    case 'Optional':
    case 'List':
    case 'TextMap':
      return first === undefined
        ? { kind: 'opaque', name: head.name }
        : { kind: CONTAINERS[head.name], of: damlType(first) };
    case 'GenMap':
      return first === undefined || second === undefined
        ? { kind: 'opaque', name: head.name }
        : { kind: 'genMap', key: damlType(first), value: damlType(second) };
    default:
      return { kind: 'opaque', name: head.name };
  }
}

const SCALARS = {
  Unit: 'unit',
  Bool: 'bool',
  Int64: 'int64',
  Text: 'text',
  Timestamp: 'timestamp',
  Date: 'date',
  Party: 'party',
} as const;

const CONTAINERS = {
  ContractId: 'contractId',
  Optional: 'optional',
  List: 'list',
  TextMap: 'textMap',
} as const;

function opaqueName(head: LfType): string {
  return head.tag === 'variable' ? head.name : head.tag;
}
