/** Results of scripts as Ledger API JSON, as far as they are values that a ledger may hold. */
import { encodeValue } from '../daml/codec/json/codec.js';
import { toLedger } from '../daml/lf/runtime/convert.js';
import type { PackageLookup } from '../daml/model/package.js';
import type { DamlType } from '../daml/model/types.js';

/** Whether values of the type are values of the ledger: no functions, no templates of any type. */
function isOfLedger(packages: PackageLookup, type: DamlType): boolean {
  switch (type.kind) {
    case 'opaque':
    case 'var':
      return false;
    case 'con': {
      const { id, args } = type;
      const [packageId, ...names] = id.split(':');
      const found = packages.package(packageId!)?.dataTypes.get(names.join(':'));
      return found?.serializable === true && args.every((each) => isOfLedger(packages, each));
    }
    case 'genMap':
      return isOfLedger(packages, type.key) && isOfLedger(packages, type.value);
    case 'optional':
    case 'list':
    case 'textMap':
      return isOfLedger(packages, type.of);
    default:
      return true;
  }
}

/** @returns undefined where the type has no values of the ledger */
export function resultJson(packages: PackageLookup, type: DamlType, result: unknown): unknown {
  if (!isOfLedger(packages, type)) return undefined;
  return encodeValue(packages, type, toLedger(packages, type, result));
}
