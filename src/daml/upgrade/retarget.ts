/** Converts a command to another version of its package: the same template and choice, with an upgraded or downgraded argument. */
import { findChoice } from '../codec/json/command.js';
import { template as templateOf, type PackageLookup } from '../model/package.js';
import type { Command } from '../model/transaction.js';
import { noKey } from '../refusals/refusals.js';
import {
  packageIdOf,
  qualifiedNameOf,
  type DamlType,
  type PackageId,
  type TypeId,
} from '../model/types.js';
import { retyped } from './version.js';
import type { DamlRecord, DamlValue } from '../model/values.js';

/**
 * @param packageIds by package name
 * @returns the command itself where its package is not among them
 * @throws LedgerError COMMAND_PREPROCESSING_FAILED where the other version would lose a value, and TEMPLATES_OR_INTERFACES_NOT_FOUND
 */
export function retarget(
  packages: PackageLookup,
  command: Command,
  packageIds: ReadonlyMap<string, PackageId>,
): Command {
  const own = packageIdOf(command.templateId);
  const other = packageIds.get(packages.package(own)!.name);
  if (other === undefined || other === own) return command;
  const templateId: TypeId = `${other}:${qualifiedNameOf(command.templateId)}`;
  const versions = [command.templateId, templateId] as const;
  switch (command.kind) {
    case 'create':
      return { ...command, templateId, payload: payloadIn(packages, versions, command.payload) };
    case 'createAndExercise': {
      const payload = payloadIn(packages, versions, command.payload);
      return { ...command, templateId, payload, argument: argumentIn(packages, versions, command) };
    }
    case 'exercise':
      return { ...command, templateId, argument: argumentIn(packages, versions, command) };
    case 'exerciseByKey': {
      const [from, to] = versions.map((id) => keyType(packages, id));
      const argument = argumentIn(packages, versions, command);
      return { ...command, templateId, argument, key: retyped(packages, from!, to!, command.key) };
    }
  }
}

/** A template, and the same in the version that is wanted. */
type Versions = readonly [TypeId, TypeId];

function payloadIn(packages: PackageLookup, versions: Versions, payload: DamlRecord): DamlRecord {
  const [from, to] = versions.map((id) => templateOf(packages, id));
  return from === undefined || to === undefined
    ? payload
    : retyped(packages, from.payloadType, to.payloadType, payload);
}

function argumentIn(
  packages: PackageLookup,
  versions: Versions,
  { choice, argument }: { readonly choice: string; readonly argument: DamlValue },
): DamlValue {
  const [from, to] = versions.map((id) => findChoice(packages, id, choice).argumentType);
  return retyped(packages, from!, to!, argument);
}

function keyType(packages: PackageLookup, templateId: TypeId): DamlType {
  const key = templateOf(packages, templateId)?.key;
  if (key === undefined) throw noKey(templateId);
  return key.type;
}
