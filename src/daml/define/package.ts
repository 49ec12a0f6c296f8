/**
 * Packages written in TypeScript: gathers the types that templates and interfaces use, checks that everything fits, and
 * gives the package an id that its description decides.
 */
import { createHash } from 'node:crypto';
import type { AnyInterface, AnyTemplate } from './code.js';
import { buildPackage, type Contents } from './build.js';
import { collectTypes } from './collect.js';
import type { NamedInterface } from './interface.js';
import { DefinitionError, checkIdentifier, checkPackageHeader } from './names.js';
import type { NamedType, Type } from './types.js';
import type { DamlPackage, Template } from '../model/package.js';
import type { PackageId } from '../model/types.js';

/** What a package is made of. */
export interface PackageSpec {
  /** Such as `my-model`. */
  readonly name: string;
  /** Numbers with dots: `1.0.0`. */
  readonly version: string;
  /** Only for one that stands in for a real one, or where it is known: left out, the id is the SHA-256 of the description. */
  readonly id?: PackageId;
  /** Of `defineTemplate`. */
  readonly templates?: readonly { readonly kind: 'template' }[];
  /** Of `defineInterface`. */
  readonly interfaces?: readonly { readonly kind: 'interface' }[];
  /** Types that no template or interface mentions. */
  readonly types?: readonly (Type<unknown> | NamedType)[];
}

/** While a package is described its own id is not known yet, and stands as the empty text. */
const OWN_ID = '';

/**
 * Defines a package. Its id is stable: the same names, types, choices and implementations give the same id, whatever
 * the code of the choices.
 * @throws DefinitionError naming what is wrong.
 */
export function definePackage(spec: PackageSpec): DamlPackage {
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
  let archive: Uint8Array | undefined;
  const archived = (): Uint8Array =>
    (archive ??= new TextEncoder().encode(describe(buildPackage(contents, OWN_ID))));
  const id = spec.id ?? createHash('sha256').update(archived()).digest('hex');
  const built = buildPackage(contents, id);
  for (const type of types) {
    type.packageId = id;
    type.packageName = spec.name;
  }
  return {
    ...built,
    id,
    // Of those that stand in for real ones hardly anybody asks.
    get archive() {
      return archived();
    },
    dependencies: built.dependencies.filter((other) => other !== id),
  };
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

/** The canonical text of a package: what it declares, in one order, without its code. */
function describe(built: Omit<DamlPackage, 'id' | 'archive'>): string {
  const sorted = <T>(map: ReadonlyMap<string, T>): [string, T][] =>
    [...map].sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
  return JSON.stringify({
    format: 'canticle-package-1',
    name: built.name,
    version: built.version,
    dataTypes: sorted(built.dataTypes).map(([, type]) => type),
    templates: sorted(built.templates).map(([name, template]) => ({
      name,
      ...(template.key && { key: template.key.type }),
      choices: describeChoices(template.choices),
      implements: [...template.implementations.keys()].sort(),
    })),
    interfaces: sorted(built.interfaces).map(([name, definition]) => ({
      name,
      view: definition.viewType,
      choices: describeChoices(definition.choices),
      requires: [...definition.requires].sort(),
    })),
  });
}

function describeChoices(choices: Template['choices']): unknown[] {
  return [...choices.values()]
    .map(({ name, consuming, argumentType, returnType }) => ({
      name,
      consuming,
      argumentType,
      returnType,
    }))
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}
