/** Checks the names in a package written in TypeScript, and declares the error for invalid definitions. */

/** A mistake in a package's definition: thrown while it is defined, before any ledger sees it. */
export class DefinitionError extends Error {
  /** `DefinitionError`. */
  override readonly name = 'DefinitionError';
}

const IDENTIFIER = /^[A-Za-z$_][A-Za-z0-9$_]*$/;
const PACKAGE_NAME = /^[A-Za-z0-9_-]+$/;
const PACKAGE_VERSION = /^(0|[1-9]\d*)(\.(0|[1-9]\d*))*$/;
const PACKAGE_ID = /^[0-9a-f]{64}$/;
const MAX_NAME_LENGTH = 1000;

const isDottedName = (text: string): boolean =>
  text.split('.').every((part) => IDENTIFIER.test(part));

export function checkIdentifier(what: string, name: string): void {
  if (!IDENTIFIER.test(name) || name.length > MAX_NAME_LENGTH)
    throw new DefinitionError(
      `${what} '${name}' is not a Daml identifier. Use letters, digits, _ and $, and no digit first.`,
    );
}

/** `Module.Path:Entity`. */
export function checkQualifiedName(what: string, name: string): void {
  const [module = '', entity = '', ...rest] = name.split(':');
  if (
    rest.length > 0 ||
    !isDottedName(module) ||
    !isDottedName(entity) ||
    name.length > MAX_NAME_LENGTH
  )
    throw new DefinitionError(
      `${what} '${name}' is not of the form Module.Path:Entity, for example 'Main.Iou:Iou'.`,
    );
}

export function checkPackageHeader(header: { name: string; version: string; id?: string }): void {
  if (!PACKAGE_NAME.test(header.name))
    throw new DefinitionError(`Package name '${header.name}': use letters, digits, - and _.`);
  if (!PACKAGE_VERSION.test(header.version))
    throw new DefinitionError(
      `Package version '${header.version}': use numbers with dots, for example 1.0.0.`,
    );
  if (header.id !== undefined && !PACKAGE_ID.test(header.id))
    throw new DefinitionError(
      `Package id '${header.id}': a package id is 64 lower-case hexadecimal digits.`,
    );
}

export function moduleOf(qualifiedName: string): string {
  return qualifiedName.slice(0, qualifiedName.indexOf(':'));
}
