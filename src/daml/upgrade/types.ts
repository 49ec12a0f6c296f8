/** Compares a type in one version of a package with a type in a later version. */
import type { PackageLookup } from '../model/package.js';
import { packageIdOf, qualifiedNameOf, type DamlType, type TypeId } from '../model/types.js';
import { compareVersions } from '../model/versions.js';

/** The names of the type parameters in scope, in order. The two versions may have different names. */
export interface Parameters {
  readonly past: readonly string[];
  readonly present: readonly string[];
}

const NO_PARAMETERS: Parameters = { past: [], present: [] };

/** Whether the types are equal. A type with the same name in a later version of its package is equal. */
export function sameUpgradedType(
  packages: PackageLookup,
  past: DamlType,
  present: DamlType,
  parameters: Parameters = NO_PARAMETERS,
): boolean {
  const same = (a: DamlType, b: DamlType): boolean => sameUpgradedType(packages, a, b, parameters);
  switch (past.kind) {
    case 'var':
      return (
        present.kind === 'var' &&
        parameters.past.indexOf(past.name) === parameters.present.indexOf(present.name)
      );
    case 'con':
      return (
        present.kind === 'con' &&
        isUpgradeOf(packages, past.id, present.id) &&
        past.args.length === present.args.length &&
        past.args.every((arg, index) => same(arg, present.args[index]!))
      );
    case 'numeric':
      return present.kind === 'numeric' && past.scale === present.scale;
    case 'opaque':
      return present.kind === 'opaque' && past.name === present.name;
    case 'genMap':
      return (
        present.kind === 'genMap' && same(past.key, present.key) && same(past.value, present.value)
      );
    case 'contractId':
    case 'optional':
    case 'list':
    case 'textMap':
      return present.kind === past.kind && same(past.of, present.of);
    default:
      return present.kind === past.kind;
  }
}

function isUpgradeOf(packages: PackageLookup, past: TypeId, present: TypeId): boolean {
  if (qualifiedNameOf(past) !== qualifiedNameOf(present)) return false;
  const before = packages.package(packageIdOf(past));
  const after = packages.package(packageIdOf(present));
  if (before === undefined || after === undefined) return past === present;
  return before.name === after.name && compareVersions(before.version, after.version) <= 0;
}
