/**
 * Checks whether a package is a valid upgrade of another package with its name, from their signatures. The checks,
 * their order and their texts are those of a participant that vets both (B-PKG-012, B-VET-016). NOTE: it does not
 * compare the kinds of type parameters, because a package does not store them.
 */
import type { DamlPackage, PackageLookup, Template } from '../model/package.js';
import {
  qualifiedNameOf,
  type DamlType,
  type DataBody,
  type DataType,
  type Field,
  type QualifiedName,
} from '../model/types.js';
import { sameUpgradedType, type Parameters } from './types.js';
import { compareVersions } from '../model/versions.js';
import {
  choicesOf,
  entityOf,
  inModule,
  instancesIn,
  remainingOf,
  moduleOf,
  modulesOf,
  removedOf,
  templatesIn,
  typesIn,
  type Instance,
} from './walk-order.js';

/**
 * The reason why the upgrade is invalid; undefined if it is valid. Packages written in TypeScript have no language
 * version to compare.
 */
export function upgradeError(
  packages: PackageLookup,
  past: DamlPackage,
  present: DamlPackage,
): string | undefined {
  return new UpgradeCheck(packages, past, present).error();
}

class UpgradeCheck {
  constructor(
    private readonly packages: PackageLookup,
    private readonly past: DamlPackage,
    private readonly present: DamlPackage,
  ) {}

  error(): string | undefined {
    const { past, present } = this;
    if (isOlder(present.languageVersion, past.languageVersion))
      return `The upgraded package uses an older LF version (${present.languageVersion} < ${past.languageVersion})`;
    const modules = modulesOf(past);
    const later = new Set(modulesOf(present).keys);
    const remains = (name: string) => later.has(name);
    for (const name of removedOf(modules, remains))
      return `Module ${name} appears in package that is being upgraded, but does not appear in the upgrading package.`;
    for (const name of remainingOf(modules, remains)) {
      const error =
        this.templatesError(name) ?? this.implementationsError(name) ?? this.dataTypesError(name);
      if (error !== undefined) return error;
    }
    return undefined;
  }

  private templatesError(module: string): string | undefined {
    const templates = templatesIn(this.past, module);
    const remains = (name: QualifiedName) => this.present.templates.has(name);
    for (const name of removedOf(templates, remains)) return missing('Template', entityOf(name));
    for (const name of remainingOf(templates, remains)) {
      const [past, present] = [this.past, this.present].map((of) => of.templates.get(name)!);
      const error = this.templateError(name, past!, present!);
      if (error !== undefined) return error;
    }
    return undefined;
  }

  private templateError(name: QualifiedName, past: Template, present: Template) {
    const choices = choicesOf(past);
    const remains = (choice: string) => present.choices.has(choice);
    for (const choice of removedOf(choices, remains)) return missing('Choice', choice);
    for (const choice of remainingOf(choices, remains)) {
      const [before, after] = [past, present].map((of) => of.choices.get(choice)!.returnType);
      if (!this.same(before!, after!))
        return `The upgraded choice ${choice} cannot change its return type.`;
    }
    const template = `The upgraded template ${entityOf(name)}`;
    if (past.key === undefined) return present.key && `${template} cannot add a key.`;
    if (present.key === undefined) return `${template} cannot remove its key.`;
    return this.same(past.key.type, present.key.type)
      ? undefined
      : `${template} cannot change its key type.`;
  }

  /**
   * An upgrade must keep each implementation. The same interface in another version of its package is another
   * interface.
   */
  private implementationsError(module: string): string | undefined {
    const remains = ({ template, interfaceId }: Instance) =>
      this.present.templates.get(template)?.implementations.has(interfaceId) === true;
    for (const { template, interfaceId } of removedOf(instancesIn(this.past, module), remains))
      return `Implementation of interface ${interfaceId} by template ${entityOf(template)} appears in package that is being upgraded, but does not appear in this package.`;
    return undefined;
  }

  private dataTypesError(module: string): string | undefined {
    const types = typesIn(this.past, module, (name) => isUpgradable(this.past, name));
    const remains = (name: QualifiedName) => this.upgraded(name) !== undefined;
    for (const name of removedOf(types, remains))
      if (this.past.dataTypes.get(name)!.serializable) return missing('Data type', entityOf(name));
    for (const name of remainingOf(types, remains)) {
      const error = this.dataTypeError(name, this.past.dataTypes.get(name)!, this.upgraded(name)!);
      if (error !== undefined) return error;
    }
    return undefined;
  }

  private upgraded(name: QualifiedName): DataType | undefined {
    return isUpgradable(this.present, name) ? this.present.dataTypes.get(name) : undefined;
  }

  private dataTypeError(name: QualifiedName, past: DataType, present: DataType) {
    if (!past.serializable) return undefined;
    const before = originOf(this.past, name);
    const origin = originOf(this.present, name);
    if (!present.serializable)
      return `The upgraded ${origin} was serializable and is now unserializable. Datatypes cannot change their serializability via upgrades.`;
    if (before !== origin)
      return `The record ${entityOf(name)} has changed origin from ${before} to ${origin}`;
    if (past.params.length !== present.params.length)
      return `The upgraded ${origin} has changed the number of type variables it has.`;
    const parameters = { past: past.params, present: present.params };
    const bodies = [past.body, present.body] as const;
    if (bodies[0].kind !== bodies[1].kind)
      return `The upgraded data type ${entityOf(name)} has changed from a ${bodies[0].kind} to a ${bodies[1].kind}. Datatypes cannot change variety via upgrades.`;
    return this.bodyError(origin, bodies, parameters);
  }

  private bodyError(
    origin: string,
    [past, present]: readonly [DataBody, DataBody],
    parameters: Parameters,
  ): string | undefined {
    if (past.kind === 'record' && present.kind === 'record')
      return this.fieldsError(origin, past.fields, present.fields, parameters);
    if (past.kind === 'variant' && present.kind === 'variant') {
      const later = new Map(present.constructors.map(({ name, type }) => [name, type]));
      if (past.constructors.some(({ name }) => !later.has(name)))
        return `The upgraded ${origin} has removed an existing variant.`;
      if (
        past.constructors.some(({ name, type }) => !this.same(type, later.get(name)!, parameters))
      )
        return `The upgraded ${origin} has changed the type of a variant.`;
      if (isReordered(past.constructors.map(nameOf), present.constructors.map(nameOf)))
        return `The upgraded ${origin} has changed the order of its variants - any new variant must be added at the end of the variant.`;
    }
    if (past.kind === 'enum' && present.kind === 'enum') {
      if (past.constructors.some((name) => !present.constructors.includes(name)))
        return `The upgraded ${origin} has removed an existing variant.`;
      if (isReordered(past.constructors, present.constructors))
        return `The upgraded ${origin} has changed the order of its variants - any new variant must be added at the end of the enum.`;
    }
    return undefined;
  }

  private fieldsError(
    origin: string,
    past: readonly Field[],
    present: readonly Field[],
    parameters: Parameters,
  ): string | undefined {
    const later = new Map(present.map(({ name, type }) => [name, type]));
    if (past.some(({ name }) => !later.has(name)))
      return `The upgraded ${origin} is missing some of its original fields.`;
    if (past.some(({ name, type }) => !this.same(type, later.get(name)!, parameters)))
      return `The upgraded ${origin} has changed the types of some of its original fields.`;
    const known = new Set(past.map(nameOf));
    if (present.some(({ name, type }) => !known.has(name) && type.kind !== 'optional'))
      return origin.startsWith('variant constructor')
        ? `The upgraded ${origin} has added a field.`
        : `The upgraded ${origin} has added new fields, but those fields are not Optional.`;
    return isReordered(past.map(nameOf), present.map(nameOf))
      ? `The upgraded ${origin} has changed the order of its fields - any new fields must be added at the end of the record.`
      : undefined;
  }

  private same(past: DamlType, present: DamlType, parameters?: Parameters): boolean {
    return sameUpgradedType(this.packages, past, present, parameters);
  }
}

const nameOf = ({ name }: Field): string => name;

function missing(what: string, name: string): string {
  return `${what} ${name} appears in package that is being upgraded, but does not appear in the upgrading package.`;
}

/** Interfaces and exceptions cannot be upgraded; a later package must omit them. */
function isUpgradable(of: DamlPackage, name: QualifiedName): boolean {
  return !of.interfaces.has(name) && of.isException?.(name) !== true;
}

/** Whether the names differ at an index that both lists have. */
function isReordered(past: readonly string[], present: readonly string[]): boolean {
  return past.some((name, index) => present[index] !== undefined && present[index] !== name);
}

/**
 * The purpose of a data type, which an upgrade must not change. If several templates share an argument's type, the
 * last template counts. NOTE: with five or more templates, a participant uses the last by the hashes of their whole
 * signatures.
 */
function originOf(of: DamlPackage, name: QualifiedName): string {
  const entity = entityOf(name);
  if (of.templates.has(name)) return `template ${entity}`;
  const module = moduleOf(name);
  for (const template of [...inModule(of.templates, module)].reverse())
    for (const choice of of.templates.get(template)!.choices.keys())
      if (sibling(template, choice) === name)
        return `input type of choice ${choice} on template ${entityOf(template)}`;
  for (const owner of inModule(of.dataTypes, module)) {
    const { body } = of.dataTypes.get(owner)!;
    for (const { name: constructor, type } of body.kind === 'variant' ? body.constructors : [])
      if (`${owner}.${constructor}` === name && type.kind === 'con')
        return `variant constructor ${entityOf(qualifiedNameOf(type.id))} from variant ${entityOf(owner)}`;
  }
  return `data type ${entity}`;
}

/** A name in the same module as another name, for a template's choices and their argument types. */
function sibling(name: QualifiedName, last: string): QualifiedName {
  const end = Math.max(name.lastIndexOf('.'), name.indexOf(':'));
  return name.slice(0, end + 1) + last;
}

function isOlder(left: string, right: string): boolean {
  const [a, b] = [left, right].map((version) => /^2\.(\d+|dev)/.exec(version)?.[1]);
  if (a === undefined || b === undefined || a === b) return false;
  if (a === 'dev' || b === 'dev') return b === 'dev';
  return compareVersions(a, b) < 0;
}
