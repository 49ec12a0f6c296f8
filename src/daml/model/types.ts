/**
 * Daml-LF types and definitions: what a package declares, independent of where it came from (a DAR or TypeScript).
 * Everything that depends on a type walks these: the JSON codec, the blob encoding, comparison, the interpreter's checks.
 */
import { remembered } from './remembered.js';

/** `<package id>:<Module.Path>:<Entity>`: the one identity of a type, template or interface. */
export type TypeId = string;
/** `<Module.Path>:<Entity>`: a definition inside its package. */
export type QualifiedName = string;
/** 64 lower-case hexadecimal digits for packages from DARs; the same form for packages written in TypeScript. */
export type PackageId = string;

export type DamlType =
  | { readonly kind: 'unit' | 'bool' | 'int64' | 'text' | 'timestamp' | 'date' | 'party' }
  | { readonly kind: 'numeric'; readonly scale: number }
  /** `of` is the contract's template or interface; codecs ignore it. */
  | { readonly kind: 'contractId'; readonly of: DamlType }
  | { readonly kind: 'optional' | 'list' | 'textMap'; readonly of: DamlType }
  | { readonly kind: 'genMap'; readonly key: DamlType; readonly value: DamlType }
  | { readonly kind: 'con'; readonly id: TypeId; readonly args: readonly DamlType[] }
  | { readonly kind: 'var'; readonly name: string }
  /** Anything that is not serializable (functions, `Any`, type-level naturals …): never crosses the ledger. */
  | { readonly kind: 'opaque'; readonly name: string };

export interface Field {
  readonly name: string;
  readonly type: DamlType;
}

export type DataBody =
  | { readonly kind: 'record'; readonly fields: readonly Field[] }
  | { readonly kind: 'variant'; readonly constructors: readonly Field[] }
  | { readonly kind: 'enum'; readonly constructors: readonly string[] }
  | { readonly kind: 'interface' };

export interface DataType {
  readonly id: TypeId;
  readonly params: readonly string[];
  readonly serializable: boolean;
  readonly body: DataBody;
}

export const UNIT_TYPE: DamlType = { kind: 'unit' };

export function typeId(packageId: PackageId, name: QualifiedName): TypeId {
  return `${packageId}:${name}`;
}

export interface TypeIdParts {
  readonly packageId: PackageId;
  readonly module: string;
  readonly entity: string;
}

/** Splits a well-formed {@link TypeId}. Text from outside is checked where it enters, not here. */
export function splitTypeId(id: TypeId): TypeIdParts {
  const first = id.indexOf(':');
  const last = id.lastIndexOf(':');
  return {
    packageId: id.slice(0, first),
    module: id.slice(first + 1, last),
    entity: id.slice(last + 1),
  };
}

export const qualifiedNameOf = remembered((id: TypeId): QualifiedName =>
  id.slice(id.indexOf(':') + 1),
);

export const packageIdOf = remembered((id: TypeId): PackageId => id.slice(0, id.indexOf(':')));

/** Replaces type variables; shares every subtree without one. */
export function substitute(type: DamlType, bindings: ReadonlyMap<string, DamlType>): DamlType {
  if (bindings.size === 0) return type;
  switch (type.kind) {
    case 'var':
      return bindings.get(type.name) ?? type;
    case 'contractId':
    case 'optional':
    case 'list':
    case 'textMap':
      return { ...type, of: substitute(type.of, bindings) };
    case 'genMap':
      return {
        ...type,
        key: substitute(type.key, bindings),
        value: substitute(type.value, bindings),
      };
    case 'con':
      return type.args.length === 0
        ? type
        : { ...type, args: type.args.map((arg) => substitute(arg, bindings)) };
    default:
      return type;
  }
}
