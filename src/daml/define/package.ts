/**
 * Packages written in TypeScript: collects the types that templates and interfaces use, checks the definitions, and
 * writes the archive whose hash is the package's id.
 */
import type { AnyInterface, AnyTemplate } from './code.js';
import { buildPackage, type Contents } from './build.js';
import { collectTypes } from './collect.js';
import type { NamedInterface } from './interface.js';
import { DefinitionError, checkIdentifier, checkPackageHeader } from './names.js';
import { checkPortable } from './portable.js';
import type { NamedType, Type } from './types.js';
import { sha256Hex } from '../model/hash.js';
import type { DamlPackage } from '../model/package.js';
import type { PackageId } from '../model/types.js';
import type { LibraryValue } from '../writing/library-values.js';
import { packageArchive } from '../writing/package-archive.js';

/** The specification of a package. */
export interface PackageSpec {
  /** Such as `my-model`. */
  readonly name: string;
  /** Numbers with dots: `1.0.0`. */
  readonly version: string;
  /** The package id, for an existing package. By default it is the SHA-256 of the archive. */
  readonly id?: PackageId;
  /** The results of `defineTemplate`. */
  readonly templates?: readonly { readonly kind: 'template' }[];
  /** The results of `defineInterface`. */
  readonly interfaces?: readonly { readonly kind: 'interface' }[];
  /** Types that no template or interface mentions. */
  readonly types?: readonly (Type<unknown> | NamedType)[];
}

/** The package's own id while the package is being built: the id is not known yet. */
const OWN_ID = '';

/**
 * Defines a package. Its id is stable: the same names, types, choices and implementations give the same id, independent of the code of
 * the choices.
 * @throws DefinitionError that names the error.
 */
export function definePackage(spec: PackageSpec): DamlPackage {
  return makePackage(spec);
}

/**
 * Like {@link definePackage}, for a package of the standard library, with the functions of its types. Its archive
 * equals the compiler's archive.
 */
export function makePackage(spec: PackageSpec, library?: readonly LibraryValue[]): DamlPackage {
  checkPackageHeader(spec);
  const templates = (spec.templates ?? []) as unknown as readonly AnyTemplate[];
  const interfaces = (spec.interfaces ?? []) as unknown as readonly AnyInterface[];
  checkChoiceNames([...templates, ...interfaces]);
  const types = collectTypes(templates, interfaces, spec.types ?? [], spec.id);
  checkTypeNames(types);
  checkImplementations(templates, interfaces);
  const contents: Contents = {
    name: spec.name,
    version: spec.version,
    templates,
    interfaces,
    types,
  };
  let archive = spec.id === undefined ? writtenArchive(contents, library) : undefined;
  let isKnown = archive !== undefined;
  const id = spec.id ?? sha256Hex(archive!);
  const { built } = buildPackage(contents, id);
  if (spec.id === undefined) checkPortable(built);
  for (const type of types) {
    type.packageId = id;
    type.packageName = spec.name;
  }
  return {
    ...built,
    id,
    get archive() {
      if (!isKnown) {
        const written = writtenArchive(contents, library);
        archive = sha256Hex(written) === id ? written : undefined;
        isKnown = true;
      }
      return archive;
    },
    dependencies: built.dependencies.filter((other) => other !== id),
  };
}

function writtenArchive(contents: Contents, library: readonly LibraryValue[] | undefined) {
  const { built, interfaces } = buildPackage(contents, OWN_ID);
  return packageArchive(built, { interfaces, library });
}

function checkTypeNames(types: readonly NamedType[]): void {
  const byName = new Map<string, NamedType>();
  for (const type of types) {
    const other = byName.get(type.name);
    if (other !== undefined && other !== type)
      throw new DefinitionError(
        `${type.name} is declared twice. Templates, interfaces, types and the argument records of choices share names.`,
      );
    byName.set(type.name, type);
    checkMembers(type);
  }
}

function checkChoiceNames(owners: readonly (AnyTemplate | AnyInterface)[]): void {
  for (const owner of owners) {
    for (const choice of Object.keys(owner.choices)) {
      checkIdentifier(`${owner.name}: choice`, choice);
      if (choice === 'Archive')
        throw new DefinitionError(
          `${owner.name}: the choice Archive is there already. Leave it out.`,
        );
    }
  }
}

function checkMembers({ name, body }: NamedType): void {
  if (body.kind === 'interface') return;
  const members = body.kind === 'record' ? Object.keys(body.fields) : constructorsOf(body);
  for (const member of members)
    checkIdentifier(`${name}: ${body.kind === 'record' ? 'field' : 'constructor'}`, member);
  if (body.kind !== 'record' && members.length === 0)
    throw new DefinitionError(`${name} has no constructors.`);
  if (new Set(members).size !== members.length)
    throw new DefinitionError(`${name} names a constructor twice.`);
}

function constructorsOf(
  body: Extract<NamedType['body'], { kind: 'variant' | 'enum' }>,
): readonly string[] {
  return body.kind === 'enum' ? body.constructors : Object.keys(body.constructors);
}

function checkImplementations(
  templates: readonly AnyTemplate[],
  interfaces: readonly AnyInterface[],
): void {
  for (const template of templates) {
    const implemented: readonly NamedInterface[] = template.implementations.map(({ of }) => of);
    for (const [index, { of: definition }] of template.implementations.entries()) {
      if (definition.named.packageId === undefined && !interfaces.includes(definition))
        throw new DefinitionError(
          `${template.name} implements ${definition.name}, which is in no package. List it in interfaces, or define its package first.`,
        );
      if (implemented.indexOf(definition) !== index)
        throw new DefinitionError(`${template.name} implements ${definition.name} twice.`);
      for (const required of definition.requires)
        if (!implemented.includes(required))
          throw new DefinitionError(
            `${template.name} implements ${definition.name}, which requires ${required.named.name}. Implement that too.`,
          );
    }
  }
}
