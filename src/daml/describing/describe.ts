/** A package's declarations as data, for `canticle inspect --json` and the control API of packages. */
import type { Choice, DamlPackage, PackageLookup } from '../model/package.js';
import { dataType } from '../model/package.js';
import {
  splitTypeId,
  type DamlType,
  type DataType,
  type Field,
  type QualifiedName,
  type TypeId,
} from '../model/types.js';
import { daml } from './daml-text.js';

export interface FieldDescription {
  readonly name: string;
  /**
   * In Daml syntax. Names of other modules include the module: `Optional (Map Text Main:Size)`. Absent for a
   * constructor of an enum.
   */
  readonly type?: string;
}

export interface ChoiceDescription {
  readonly name: string;
  readonly consuming: boolean;
  readonly argument: string;
  /** The fields of the argument, if it is a record. */
  readonly fields: readonly FieldDescription[];
  readonly result: string;
}

export interface TemplateDescription {
  readonly name: string;
  readonly fields: readonly FieldDescription[];
  readonly key?: string;
  readonly implements: readonly string[];
  /** The choices except Archive, which every template has. */
  readonly choices: readonly ChoiceDescription[];
}

export interface InterfaceDescription {
  readonly name: string;
  readonly view: string;
  readonly requires: readonly string[];
  readonly choices: readonly ChoiceDescription[];
}

/** A serializable type that is neither a template's payload nor the argument of a choice. */
export interface TypeDescription {
  readonly name: string;
  readonly params: readonly string[];
  readonly kind: 'record' | 'variant' | 'enum';
  /** The fields of a record, the constructors of a variant with their content, or the constructors of an enum. */
  readonly fields: readonly FieldDescription[];
}

export interface ModuleDescription {
  readonly name: string;
  readonly templates: readonly TemplateDescription[];
  readonly interfaces: readonly InterfaceDescription[];
  readonly types: readonly TypeDescription[];
}

export interface PackageHead {
  readonly name: string;
  readonly version: string;
  /** The hash of its archive. */
  readonly id: string;
  readonly languageVersion: string;
}

export interface PackageDescription extends PackageHead {
  /** Ids of the packages that it refers to directly. */
  readonly dependencies: readonly string[];
  readonly modules: readonly ModuleDescription[];
}

export const headOf = ({ name, version, id, languageVersion }: DamlPackage): PackageHead => ({
  name,
  version,
  id,
  languageVersion,
});

export function describePackage(one: DamlPackage, packages: PackageLookup): PackageDescription {
  const names = [...one.dataTypes.keys()].map((name) => name.slice(0, name.indexOf(':')));
  const modules = [...new Set(names)].sort().map((module) => describeModule(one, module, packages));
  return {
    ...headOf(one),
    dependencies: one.dependencies,
    modules: modules.filter(
      ({ templates, interfaces, types }) => templates.length + interfaces.length + types.length > 0,
    ),
  };
}

function describeModule(
  one: DamlPackage,
  module: string,
  packages: PackageLookup,
): ModuleDescription {
  const text = (type: DamlType): string => daml(type, module);
  const nameOf = (id: TypeId): string => daml({ kind: 'con', id, args: [] }, module);
  const fields = (all: readonly Field[]): FieldDescription[] =>
    all.map(({ name, type }) => ({ name, type: text(type) }));
  const recordOf = (type: DamlType): readonly FieldDescription[] => {
    const body = type.kind === 'con' ? dataType(packages, type.id)?.body : undefined;
    return body?.kind === 'record' ? fields(body.fields) : [];
  };
  /** The argument types, which are listed with their choices. */
  const taken = new Set<TypeId>();
  const choicesOf = (choices: ReadonlyMap<string, Choice>): ChoiceDescription[] =>
    [...choices.values()]
      .filter(({ name }) => name !== 'Archive')
      .map(({ name, consuming, argumentType, returnType }) => {
        const isOwn = argumentType.kind === 'con' && splitTypeId(argumentType.id).entity === name;
        if (isOwn) taken.add(argumentType.id);
        return {
          name,
          consuming,
          argument: text(argumentType),
          fields: recordOf(argumentType),
          result: text(returnType),
        };
      });
  const templates = inModule(one.templates, module).map(
    ([entity, template]): TemplateDescription => {
      taken.add(template.id);
      return {
        name: entity,
        fields: recordOf(template.payloadType),
        ...(template.key && { key: text(template.key.type) }),
        implements: [...template.implementations.keys()].map(nameOf),
        choices: choicesOf(template.choices),
      };
    },
  );
  const interfaces = inModule(one.interfaces, module).map(
    ([entity, definition]): InterfaceDescription => ({
      name: entity,
      view: text(definition.viewType),
      requires: definition.requires.map(nameOf),
      choices: choicesOf(definition.choices),
    }),
  );
  const types = inModule(one.dataTypes, module)
    .filter(([, { id, serializable }]) => serializable && !taken.has(id))
    .flatMap(([entity, type]) => describedType(entity, type, text) ?? []);
  return { name: module, templates, interfaces, types };
}

function describedType(
  name: string,
  { params, body }: DataType,
  text: (type: DamlType) => string,
): TypeDescription | undefined {
  if (body.kind === 'interface') return undefined;
  const describedField = ({ name: field, type }: Field): FieldDescription => ({
    name: field,
    type: text(type),
  });
  const fields =
    body.kind === 'record'
      ? body.fields.map(describedField)
      : body.kind === 'variant'
        ? body.constructors.map(describedField)
        : body.constructors.map((each) => ({ name: each }));
  return { name, params, kind: body.kind, fields };
}

/** The members of a module by name, in the order of the package. */
function inModule<T>(
  definitions: ReadonlyMap<QualifiedName, T>,
  module: string,
): readonly (readonly [string, T])[] {
  const start = `${module}:`;
  return [...definitions]
    .filter(([name]) => name.startsWith(start))
    .map(([name, definition]) => [name.slice(start.length), definition]);
}
