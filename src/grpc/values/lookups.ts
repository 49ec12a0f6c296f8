/** Finds packages, templates and choices by the names in a command. Errors have the texts of a participant's engine. */
import { packageHint, templateHint } from '../../daml/codec/name-hints.js';
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import type { Choice, DamlPackage, PackageLookup, Template } from '../../daml/model/package.js';
import { qualifiedNameOf, splitTypeId, type TypeId } from '../../daml/model/types.js';

/** The name of the kind of thing, for errors of the engine. */
export type Sought = string;

export function preprocessingFailed(cause: string, explanation?: string): LedgerError {
  return ledgerError('COMMAND_PREPROCESSING_FAILED', { cause, explanation });
}

function unknown(packages: PackageLookup, id: TypeId, found: Sought, sought: Sought): LedgerError {
  const context = found === sought ? '' : ` while looking for ${sought}`;
  return preprocessingFailed(`unknown ${found}${context}`, templateHint(packages, id));
}

/** @param reference a package id, or `#` and a name */
export function missingPackage(
  packages: PackageLookup,
  reference: string,
  sought: Sought,
): LedgerError {
  return ledgerError('PACKAGE_NOT_FOUND', {
    cause: `Couldn't find package ${reference} while looking for ${sought}`,
    explanation: packageHint(packages, reference.replace('#', '')),
  });
}

/** The package that contains the module. */
function packageOf(packages: PackageLookup, id: TypeId, sought: Sought): DamlPackage {
  const { packageId, module } = splitTypeId(id);
  const found = packages.package(packageId);
  if (found === undefined) throw missingPackage(packages, packageId, `template or interface ${id}`);
  const { dataTypes, templates, interfaces } = found;
  const prefix = `${module}:`;
  for (const names of [templates, interfaces, dataTypes])
    for (const name of names.keys()) if (name.startsWith(prefix)) return found;
  throw unknown(packages, id, `module ${packageId}:${module}`, sought);
}

export function templateAt(
  packages: PackageLookup,
  id: TypeId,
  sought: Sought = `template ${id}`,
): Template {
  const name = qualifiedNameOf(id);
  const { packageId } = splitTypeId(id);
  const found =
    packages.package(packageId)?.templates.get(name) ??
    packageOf(packages, id, sought).templates.get(name);
  if (found === undefined) throw unknown(packages, id, `template ${id}`, sought);
  return found;
}

export function templateChoiceAt(packages: PackageLookup, id: TypeId, name: string): Choice {
  const sought = `choice ${name} in template ${id}`;
  const choice = templateAt(packages, id, sought).choices.get(name);
  if (choice === undefined) throw unknown(packages, id, sought, sought);
  return choice;
}

/** A template or an interface. */
export function choiceAt(packages: PackageLookup, id: TypeId, name: string): Choice {
  const qualified = qualifiedNameOf(id);
  if (packages.package(splitTypeId(id).packageId)?.templates.has(qualified))
    return templateChoiceAt(packages, id, name);
  const either = `template or interface ${id}`;
  const { interfaces } = packageOf(packages, id, either);
  const found = interfaces.get(qualified);
  if (found === undefined) throw unknown(packages, id, either, either);
  const choice = found.choices.get(name);
  const sought = `choice ${name} in interface ${id}`;
  if (choice === undefined) throw unknown(packages, id, sought, sought);
  return choice;
}

/** The type of a template's key. */
export function keyTypeAt(packages: PackageLookup, id: TypeId) {
  const { key } = templateAt(packages, id);
  const sought = `template without contract key ${id}.`;
  if (key === undefined) throw unknown(packages, id, sought, sought);
  return key.type;
}

/** The type of a template's payload, by the lookup of types. */
export function payloadTypeAt(packages: PackageLookup, id: TypeId) {
  const sought = `data type ${id}`;
  const { templates, dataTypes } = packageOf(packages, id, sought);
  const qualified = qualifiedNameOf(id);
  const template = templates.get(qualified);
  if (template === undefined)
    throw dataTypes.has(qualified)
      ? unknown(packages, id, `template ${id}`, `template ${id}`)
      : unknown(packages, id, `definition ${id}`, sought);
  return template.payloadType;
}
