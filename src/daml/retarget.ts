/** A command as another version of its package has it: the same template and choice there, its arguments up- or downgraded. */
import { findChoice } from './json-command.js';
import { template as templateOf, type PackageLookup } from './package.js';
import type { Command } from './transaction.js';
import { packageIdOf, qualifiedNameOf, type PackageId, type TypeId } from './types.js';
import { retyped } from './upgrade.js';
import type { DamlRecord } from './values.js';

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
  const payloadOf = (payload: DamlRecord): DamlRecord => {
    const [from, to] = [command.templateId, templateId].map((id) => templateOf(packages, id));
    return from === undefined || to === undefined
      ? payload
      : retyped(packages, from.payloadType, to.payloadType, payload);
  };
  if (command.kind === 'create')
    return { ...command, templateId, payload: payloadOf(command.payload) };
  const [from, to] = [command.templateId, templateId].map(
    (id) => findChoice(packages, id, command.choice).argumentType,
  );
  const argument = retyped(packages, from!, to!, command.argument);
  if (command.kind === 'createAndExercise')
    return { ...command, templateId, argument, payload: payloadOf(command.payload) };
  return { ...command, templateId, argument };
}
