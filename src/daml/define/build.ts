/** Builds the package that the rest of Canticle uses (`package.ts`) from checked definitions and an id. */
import type { ChoiceDefinition } from './choice.js';
import {
  archiveChoice,
  conType,
  implementationOf,
  interfaceArchive,
  interfaceChoiceCode,
  templateChoiceCode,
  templateCode,
  type AnyInterface,
  type AnyTemplate,
} from './code.js';
import { argumentType } from './collect.js';
import { choiceMethods } from './method-types.js';
import { DefinitionError } from './names.js';
import type { ContractTarget, Fields, NamedBody, NamedType, Type } from './types.js';
import type { Choice, ChoiceCode, DamlPackage, Interface, Template } from '../model/package.js';
import type { WrittenInterface } from '../writing/package-archive.js';
import {
  UNIT_TYPE,
  packageIdOf,
  typeId,
  type DamlType,
  type DataBody,
  type DataType,
  type Field,
  type PackageId,
  type QualifiedName,
  type TypeId,
} from '../model/types.js';

export interface Contents {
  readonly name: string;
  readonly version: string;
  readonly templates: readonly AnyTemplate[];
  readonly interfaces: readonly AnyInterface[];
  readonly types: readonly NamedType[];
}

export interface BuiltPackage {
  readonly built: Omit<DamlPackage, 'id' | 'archive'>;
  /** The parts of the archive about the interfaces that the package declares or implements. */
  readonly interfaces: ReadonlyMap<TypeId, WrittenInterface>;
}

export function buildPackage(contents: Contents, id: PackageId): BuiltPackage {
  const builder = new Builder(contents, id);
  return { built: builder.build(), interfaces: builder.interfaces };
}

class Builder {
  private readonly own: ReadonlySet<NamedType>;
  private readonly ownNames: ReadonlySet<QualifiedName>;
  private readonly dependencies = new Set<PackageId>();
  readonly interfaces = new Map<TypeId, WrittenInterface>();

  constructor(
    private readonly contents: Contents,
    private readonly id: PackageId,
  ) {
    this.own = new Set(contents.types);
    this.ownNames = new Set(contents.types.map(({ name }) => name));
  }

  build(): BuiltPackage['built'] {
    const { name, version, types, templates, interfaces } = this.contents;
    return {
      name,
      version,
      languageVersion: 'typescript',
      dataTypes: new Map(types.map((type) => [type.name, this.dataType(type)])),
      interfaces: new Map(
        interfaces.map((definition) => [definition.name, this.interface(definition)]),
      ),
      templates: new Map(
        templates.map((definition) => [definition.name, this.template(definition)]),
      ),
      dependencies: [...this.dependencies].sort(),
    };
  }

  private dataType({ name, params, body }: NamedType): DataType {
    return {
      id: typeId(this.id, name),
      params,
      serializable: body.kind !== 'interface',
      body: this.body(body),
    };
  }

  private body(body: NamedBody): DataBody {
    switch (body.kind) {
      case 'record':
        return { kind: 'record', fields: this.fields(body.fields) };
      case 'variant':
        return { kind: 'variant', constructors: this.fields(body.constructors) };
      case 'enum':
      case 'interface':
        return body;
    }
  }

  private fields(fields: Fields): readonly Field[] {
    return Object.entries(fields).map(([name, type]) => ({ name, type: this.type(type) }));
  }

  private template(definition: AnyTemplate): Template {
    const code = templateCode(definition);
    const choices = this.choices(definition, (choice) => templateChoiceCode(definition, choice));
    choices.set(
      'Archive',
      this.used(archiveChoice((target) => code.signatories(target.payload, target.context))),
    );
    const implementations = definition.implementations.map((implementation) => {
      const interfaceId = this.named(implementation.of.named);
      this.note(implementation.of, interfaceId);
      return [interfaceId, implementationOf(definition, implementation, interfaceId)] as const;
    });
    return {
      id: typeId(this.id, definition.name),
      packageName: this.contents.name,
      payloadType: conType(typeId(this.id, definition.name)),
      choices,
      implementations: new Map(implementations),
      ...(definition.spec.key && { key: { type: this.type(definition.spec.key.type) } }),
      code,
    };
  }

  private interface(definition: AnyInterface): Interface {
    this.note(definition, typeId(this.id, definition.name));
    const choices = this.choices(definition, (choice) => interfaceChoiceCode(definition, choice));
    choices.set('Archive', this.used(interfaceArchive));
    return {
      id: typeId(this.id, definition.name),
      packageName: this.contents.name,
      viewType: this.type(definition.viewType),
      choices,
      requires: definition.requires.map(({ named }) => this.named(named)),
    };
  }

  private note(definition: AnyInterface, id: TypeId): void {
    if (this.interfaces.has(id)) return;
    const home = packageIdOf(id);
    const methods = choiceMethods(definition).map(({ name, argument, result }) => ({
      name,
      argument: this.type(argument, home),
      ...(result && { result: this.type(result, home) }),
    }));
    this.interfaces.set(id, { view: this.type(definition.viewType, home), methods });
  }

  private choices(
    owner: AnyTemplate | AnyInterface,
    code: (choice: ChoiceDefinition) => ChoiceCode,
  ): Map<string, Choice> {
    return new Map(
      Object.entries(owner.choices).map(([name, choice]) => [
        name,
        {
          name,
          consuming: choice.spec.consuming ?? true,
          argumentType: this.type(argumentType(owner, name, choice)),
          returnType: this.type(choice.spec.result),
          code: code(choice),
        },
      ]),
    );
  }

  private used(choice: Choice): Choice {
    if (choice.argumentType.kind === 'con')
      this.dependencies.add(packageIdOf(choice.argumentType.id));
    return choice;
  }

  /** @param home the package that declares it, for names without a package */
  private type({ node }: Type<unknown>, home = this.id): DamlType {
    switch (node.kind) {
      case 'contractId':
        return {
          kind: 'contractId',
          of: node.of === undefined ? UNIT_TYPE : this.target(node.of, home),
        };
      case 'optional':
      case 'list':
      case 'textMap':
        return { kind: node.kind, of: this.type(node.of, home) };
      case 'genMap':
        return {
          kind: 'genMap',
          key: this.type(node.key, home),
          value: this.type(node.value, home),
        };
      case 'named':
        return {
          kind: 'con',
          id: this.named(node.named),
          args: node.args.map((arg) => this.type(arg, home)),
        };
      case 'lazy':
        return this.type(node.get(), home);
      default:
        return node;
    }
  }

  private target(target: ContractTarget, home: PackageId): DamlType {
    if (typeof target !== 'string')
      return this.type((typeof target === 'function' ? target() : target).type, home);
    if (home === this.id && !this.ownNames.has(target))
      throw new DefinitionError(
        `d.contractId('${target}'): package ${this.contents.name} has no ${target}. Hand in the template or interface itself.`,
      );
    return conType(typeId(home, target));
  }

  private named(type: NamedType): TypeId {
    if (this.own.has(type)) return typeId(this.id, type.name);
    if (type.packageId === undefined)
      throw new DefinitionError(
        `${type.name} is in no package yet. List it in package ${this.contents.name}, or define its package first.`,
      );
    this.dependencies.add(type.packageId);
    return typeId(type.packageId, type.name);
  }
}
