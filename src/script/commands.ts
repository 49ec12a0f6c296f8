/**
 * Converts commands of a script to the package versions that a ledger uses, unless the script requires its exact
 * versions.
 */
import { ledgerError } from '../daml/errors/ledger-error.js';
import {
  interfaceDefinition,
  template as templateOf,
  type PackageLookup,
} from '../daml/model/package.js';
import type { Command } from '../daml/model/transaction.js';
import { packageIdOf, qualifiedNameOf, typeId, type TypeId } from '../daml/model/types.js';
import type { DamlValue } from '../daml/model/values.js';
import { retyped } from '../daml/upgrade/version.js';
import type { ScriptCommand } from './ledger.js';
import { choiceOf } from './values.js';

/**
 * @param known all packages of the script
 * @param packages the usable packages, with the version of each name
 * @throws LedgerError if a command names a missing definition, or does not fit the other version
 */
export function resolved(
  known: PackageLookup,
  packages: PackageLookup,
  { command, isExact }: ScriptCommand,
): Command {
  const own = command.templateId;
  const templateId = target(known, packages, own, isExact);
  if (templateId === own) return command;
  const [from, to] = [templateOf(known, own), templateOf(known, templateId)];
  const payload =
    'payload' in command && from && to
      ? { payload: retyped(known, from.payloadType, to.payloadType, command.payload) }
      : {};
  const key =
    'key' in command && from?.key && to?.key
      ? { key: retyped(known, from.key.type, to.key.type, command.key) }
      : {};
  const argument = argumentIn(known, command, templateId);
  return { ...command, templateId, ...payload, ...key, ...argument } as Command;
}

/** A definition in the preferred version of its package. */
function target(
  known: PackageLookup,
  packages: PackageLookup,
  id: TypeId,
  isExact: boolean,
): TypeId {
  const own = packageIdOf(id);
  const name = known.package(own)?.name;
  const preferred =
    isExact || name === undefined || packages.package(own) === undefined
      ? own
      : packages.packageIdForName(name);
  const found = typeId(preferred ?? own, qualifiedNameOf(id));
  if (templateOf(packages, found) ?? interfaceDefinition(packages, found)) return found;
  throw ledgerError('PACKAGE_NOT_FOUND', `Couldn't find package ${packageIdOf(found)}`);
}

function argumentIn(
  known: PackageLookup,
  command: Command,
  templateId: TypeId,
): { readonly argument?: DamlValue } {
  if (command.kind === 'create') return {};
  const { choice, argument } = command;
  const from = choiceOf(known, command.templateId, undefined, choice);
  const to = choiceOf(known, templateId, undefined, choice);
  if (from === undefined || to === undefined) return {};
  return { argument: retyped(known, from.argumentType, to.argumentType, argument) };
}
