/**
 * Converts between values of scripts, which are values of compiled code, and ledger values: templates, choices,
 * keys and their types.
 */
import { damlType } from '../daml/archive/daml-type.js';
import { BUILTIN_NAMES } from '../daml/codec/pretty.js';
import { typeApp, typeBuiltin, typeCon, typeNat, type LfType } from '../daml/archive/lf-type.js';
import {
  interfaceDefinition,
  template as templateOf,
  type Choice,
  type PackageLookup,
} from '../daml/model/package.js';
import { splitTypeId, typeId, type DamlType, type TypeId } from '../daml/model/types.js';
import {
  UNIT,
  type ContractId,
  type DamlRecord,
  type DamlValue,
  type Party,
  type Timestamp,
} from '../daml/model/values.js';
import { toLedger, toRuntime } from '../daml/lf/runtime/convert.js';
import { int64, type Int64 } from '../daml/lf/runtime/int64.js';
import {
  Any,
  listFrom,
  listToArray,
  TypeRep,
  type Cons,
  type RuntimeRecord,
} from '../daml/lf/runtime/runtime-values.js';
import { ScriptError } from './failures.js';
import { record } from './library/library.js';

export const textOf = (value: unknown): string => {
  if (typeof value !== 'string') throw new ScriptError('Expected a text');
  return value;
};
export const listOf = <T>(list: unknown, item: (value: unknown) => T): readonly T[] =>
  listToArray(list as Cons).map(item);
export const optionalOf = <T>(value: unknown, item: (value: unknown) => T): T | undefined =>
  value === null || value === undefined
    ? undefined
    : item((value as { readonly value: unknown }).value);
export const partiesOf = (list: unknown): readonly Party[] => {
  const parties = listOf(list, textOf);
  if (parties.length === 0) throw new ScriptError('Expected a list of parties that is not empty');
  return parties;
};
export const timeOf = (value: unknown): Timestamp => BigInt(value as Int64);
export const fromInt = (value: bigint): Int64 => int64(value);
export const fromList = <T>(items: readonly T[], of: (item: T) => unknown): Cons =>
  listFrom(items.map(of));

/** The definition that a `TemplateTypeRep` names. */
export function idOfTypeRep(rep: unknown): TypeId {
  const held = (rep as RuntimeRecord)['p0'];
  const id = held instanceof TypeRep ? held.constructorId : undefined;
  if (id === undefined) throw new ScriptError('Expected a TemplateTypeRep');
  return id;
}

export const typeRepOf = (id: TypeId): RuntimeRecord => record(TypeRep.of(typeCon(id)));

function held(any: unknown): Any {
  const value = (any as RuntimeRecord)['p0'];
  if (!(value instanceof Any)) throw new ScriptError('Expected a value with its type');
  return value;
}

export interface HeldTemplate {
  readonly templateId: TypeId;
  readonly payload: DamlRecord;
}

/** The content of an `AnyTemplate`. */
export function templateIn(packages: PackageLookup, any: unknown): HeldTemplate {
  const { type, value } = held(any);
  const payload = toLedger(packages, damlType(type.type), value) as DamlRecord;
  return { templateId: type.constructorId!, payload };
}

export function anyTemplate(
  packages: PackageLookup,
  templateId: TypeId,
  payload: DamlRecord,
): RuntimeRecord {
  const type: DamlType = { kind: 'con', id: templateId, args: [] };
  return record(new Any(TypeRep.of(typeCon(templateId)), toRuntime(packages, type, payload)));
}

/**
 * A value of a type of that name, which the script does not know, so that it has none of the types of the script
 * (B-SCR-005).
 * NOTE: the name that the real runner gives to the type is not known, and no script can see it.
 */
const opaque = (id: TypeId): Any => new Any(TypeRep.of(typeCon(id)), UNIT);

/** The `AnyTemplate` of a contract whose template the script does not know. */
export const opaqueTemplate = (templateId: TypeId): RuntimeRecord => record(opaque(templateId));

/** The `AnyChoice` of a choice that the script does not know. Its argument has the type of that name. */
export function opaqueChoice(definition: TypeId, choice: string): RuntimeRecord {
  const { packageId, module } = splitTypeId(definition);
  return record(opaque(typeId(packageId, `${module}:${choice}`)), typeRepOf(definition));
}

/** The content of an `AnyChoice`. The choice has the name of its argument's type. */
export function choiceIn(
  packages: PackageLookup,
  any: unknown,
): { readonly choice: string; readonly argument: DamlValue } {
  const { type, value } = held(any);
  const choice = splitTypeId(type.constructorId ?? '').entity;
  return { choice, argument: toLedger(packages, damlType(type.type), value) };
}

/** A choice of a template, or of the interface if there is one. */
export function choiceOf(
  packages: PackageLookup,
  id: TypeId,
  interfaceId: TypeId | undefined,
  name: string,
): Choice | undefined {
  const { choices } =
    interfaceId === undefined
      ? (templateOf(packages, id) ?? interfaceDefinition(packages, id) ?? {})
      : (interfaceDefinition(packages, interfaceId) ?? {});
  return choices?.get(name);
}

export function anyChoice(
  packages: PackageLookup,
  { argumentType }: Choice,
  definition: TypeId,
  argument: DamlValue,
): RuntimeRecord {
  const type = TypeRep.of(lfType(argumentType));
  return record(new Any(type, toRuntime(packages, argumentType, argument)), typeRepOf(definition));
}

export interface HeldKey {
  readonly templateId: TypeId;
  readonly type: DamlType;
  readonly value: DamlValue;
}

/**
 * The content of an `AnyContractKey`. The standard library's type stores the key with its type, the script
 * library's type without.
 */
export function keyIn(packages: PackageLookup, any: unknown): HeldKey {
  const { p0: key, p1: rep } = any as RuntimeRecord;
  const templateId = idOfTypeRep(rep);
  const type =
    key instanceof Any ? damlType(key.type.type) : templateOf(packages, templateId)?.key?.type;
  if (type === undefined) throw new ScriptError(`${templateId} has no key`);
  const value = toLedger(packages, type, key instanceof Any ? key.value : key);
  return { templateId, type, value };
}

export function anyKey(
  packages: PackageLookup,
  { templateId, type, value }: HeldKey,
  isLegacy: boolean,
): RuntimeRecord {
  const key = toRuntime(packages, type, value);
  return record(isLegacy ? new Any(TypeRep.of(lfType(type)), key) : key, typeRepOf(templateId));
}

export const anyContractId = (templateId: TypeId, contractId: ContractId): RuntimeRecord =>
  record(typeRepOf(templateId), contractId);

/** A ledger type as a type of compiled code. */
function lfType(type: DamlType): LfType {
  switch (type.kind) {
    case 'con':
      return type.args.map(lfType).reduce(typeApp, typeCon(type.id));
    case 'numeric':
      return typeApp(typeBuiltin('Numeric'), typeNat(type.scale));
    case 'genMap':
      return typeApp(typeApp(typeBuiltin('GenMap'), lfType(type.key)), lfType(type.value));
    case 'contractId':
    case 'optional':
    case 'list':
    case 'textMap':
      return typeApp(typeBuiltin(BUILTIN_NAMES[type.kind]), lfType(type.of));
    case 'var':
    case 'opaque':
      throw new ScriptError(`${type.name} is no type of the ledger`);
    default:
      return typeBuiltin(BUILTIN_NAMES[type.kind]);
  }
}
