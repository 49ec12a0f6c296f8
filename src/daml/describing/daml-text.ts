/** Prints types in Daml syntax. */
import { qualifiedNameOf, type DamlType } from '../model/types.js';

const NAMES = {
  unit: '()',
  bool: 'Bool',
  int64: 'Int',
  text: 'Text',
  timestamp: 'Time',
  date: 'Date',
  party: 'Party',
} as const;

/** @param module the module whose names are printed without a module */
export function daml(type: DamlType, module: string, isArgument = false): string {
  const applied = (head: string, ...args: readonly DamlType[]): string => {
    const text = [head, ...args.map((arg) => daml(arg, module, true))].join(' ');
    return isArgument && args.length > 0 ? `(${text})` : text;
  };
  switch (type.kind) {
    case 'numeric':
      return isArgument ? `(Numeric ${type.scale})` : `Numeric ${type.scale}`;
    case 'contractId':
      return applied('ContractId', type.of);
    case 'optional':
      return applied('Optional', type.of);
    case 'list':
      return `[${daml(type.of, module)}]`;
    case 'textMap':
      return applied('TextMap', type.of);
    case 'genMap':
      return applied('Map', type.key, type.value);
    case 'con': {
      const name = qualifiedNameOf(type.id);
      const own = name.startsWith(`${module}:`) ? name.slice(module.length + 1) : name;
      return applied(own, ...type.args);
    }
    case 'var':
    case 'opaque':
      return type.name;
    default:
      return NAMES[type.kind];
  }
}
