/**
 * Resolves the ids of a DAR: modules, data types, synonyms, values, templates, interfaces, exceptions. Each id has
 * one object, which caches its lookups. A failed lookup throws the error of the real checker, which names the first
 * missing part (package, module, definition), and the purpose of the lookup.
 */
import { splitTypeId, type PackageId, type TypeId } from '../model/types.js';
import { kindArrow, STAR, type LfKind } from '../archive/lf-type.js';
import type { LfChoice, LfDataType, LfInterface, LfTemplate } from '../archive/lf-definitions.js';
import type { LfModule, LfSynonym } from '../archive/lf-module.js';
import type { LfPackage } from '../archive/lf-package.js';
import type { Type, Types } from './type.js';

export class DataType {
  readonly kind: LfKind;
  /** Names of fields or constructors, in order. */
  readonly names: readonly string[];
  private readonly indexes = new Map<string, number>();

  constructor(readonly lf: LfDataType) {
    const { params, body } = lf;
    this.kind = params.reduceRight<LfKind>((to, [, from]) => kindArrow(from, to), STAR);
    this.names =
      body.kind === 'interface'
        ? []
        : body.kind === 'enum'
          ? body.constructors
          : body.fields.map(([name]) => name);
    this.names.forEach((name, index) => {
      if (!this.indexes.has(name)) this.indexes.set(name, index);
    });
  }

  /** The index of a field or constructor; undefined if the name does not exist. */
  index(name: string): number | undefined {
    return this.indexes.get(name);
  }

  isPlainRecord(): boolean {
    return this.lf.body.kind === 'record' && this.lf.params.length === 0;
  }
}

export class Entity {
  readonly packageId: PackageId;
  readonly moduleName: string;
  readonly name: string;
  dataType: DataType | undefined;
  valueType: Type | undefined;
  synonym: LfSynonym | undefined;
  /** The last module that referred to it. */
  seenFrom: LfModule | undefined;

  constructor(
    readonly id: TypeId,
    /** The entity as a type constructor. */
    readonly type: Type,
  ) {
    const { packageId, module, entity } = splitTypeId(id);
    this.packageId = packageId;
    this.moduleName = module;
    this.name = entity;
  }
}

type Fail = (kind: string, text: string) => never;

export class Entities {
  private readonly byId = new Map<TypeId, Entity>();
  private packageId: PackageId = '';
  private from: LfModule | undefined;
  /** For each module, the other modules of its package that it refers to. */
  references = new Map<string, Set<string>>();

  constructor(
    private readonly packages: ReadonlyMap<PackageId, LfPackage>,
    private readonly types: Types,
    private readonly fail: Fail,
  ) {}

  get(id: TypeId): Entity {
    let entity = this.byId.get(id);
    if (entity === undefined) {
      entity = new Entity(id, this.types.con(id));
      this.byId.set(id, entity);
    }
    return entity;
  }

  enterPackage(id: PackageId): void {
    this.packageId = id;
    this.references = new Map();
  }

  /** Assigns later references to this module; without a module, to none. */
  enterModule(module: LfModule | undefined): void {
    this.from = module;
    if (module !== undefined && !this.references.has(module.name))
      this.references.set(module.name, new Set());
  }

  private see(entity: Entity): void {
    entity.seenFrom = this.from;
    if (entity.packageId !== this.packageId || this.from === undefined) return;
    if (entity.moduleName !== this.from.name)
      this.references.get(this.from.name)!.add(entity.moduleName);
  }

  private missing(what: string, wanted: string): never {
    const purpose = what === wanted ? '' : ` while looking for ${wanted}`;
    return this.fail('EUnknownDefinition', `unknown ${what}${purpose}`);
  }

  private module(entity: Entity, wanted: string): LfModule {
    if (entity.seenFrom !== this.from) this.see(entity);
    const { packageId, moduleName } = entity;
    const found = this.packages.get(packageId);
    if (found === undefined) return this.missing(`package ${packageId}`, wanted);
    return (
      found.modules.get(moduleName) ?? this.missing(`module ${packageId}:${moduleName}`, wanted)
    );
  }

  /** The error for a missing definition of this kind. If no definition has the name, the error says so. */
  private notDefined(entity: Entity, module: LfModule, wanted: string): never {
    const { name } = entity;
    const isOther =
      module.dataTypes.has(name) || module.synonyms.has(name) || module.values.has(name);
    return this.missing(isOther ? wanted : `definition ${entity.id}`, wanted);
  }

  dataType(entity: Entity): DataType {
    if (entity.seenFrom !== this.from) this.see(entity);
    if (entity.dataType !== undefined) return entity.dataType;
    const wanted = `data type ${entity.id}`;
    const module = this.module(entity, wanted);
    const found = module.dataTypes.get(entity.name);
    if (found === undefined) return this.notDefined(entity, module, wanted);
    entity.dataType = new DataType(found);
    return entity.dataType;
  }

  /** The entity that a constructor or synonym names. */
  of(type: Type): Entity {
    type.entity ??= this.get(type.name);
    return type.entity;
  }

  synonym(entity: Entity): LfSynonym {
    if (entity.seenFrom !== this.from) this.see(entity);
    entity.synonym ??= this.findSynonym(entity);
    return entity.synonym;
  }

  private findSynonym(entity: Entity): LfSynonym {
    const { id } = entity;
    const wanted = `type synonym ${id}`;
    const module = this.module(entity, wanted);
    return module.synonyms.get(entity.name) ?? this.notDefined(entity, module, wanted);
  }

  valueType(entity: Entity): Type {
    if (entity.seenFrom !== this.from) this.see(entity);
    if (entity.valueType !== undefined) return entity.valueType;
    const wanted = `value ${entity.id}`;
    const module = this.module(entity, wanted);
    const found = module.values.get(entity.name);
    if (found === undefined) return this.notDefined(entity, module, wanted);
    entity.valueType = this.types.of(found.type);
    return entity.valueType;
  }

  template(entity: Entity, wanted = `template ${entity.id}`): LfTemplate {
    const module = this.module(entity, wanted);
    return module.templates.get(entity.name) ?? this.missing(`template ${entity.id}`, wanted);
  }

  interface(entity: Entity, wanted = `interface ${entity.id}`): LfInterface {
    const module = this.module(entity, wanted);
    return module.interfaces.get(entity.name) ?? this.missing(`interface ${entity.id}`, wanted);
  }

  exception(entity: Entity): void {
    const wanted = `exception ${entity.id}`;
    if (!this.module(entity, wanted).exceptions.has(entity.name)) this.missing(wanted, wanted);
  }

  templateChoice(entity: Entity, choice: string): LfChoice {
    const wanted = `choice ${choice} in template ${entity.id}`;
    return this.template(entity, wanted).choices.get(choice) ?? this.missing(wanted, wanted);
  }

  interfaceChoice(entity: Entity, choice: string): LfChoice {
    const wanted = `choice ${choice} in interface ${entity.id}`;
    return this.interface(entity, wanted).choices.get(choice) ?? this.missing(wanted, wanted);
  }

  choice(entity: Entity, choice: string): LfChoice {
    const wanted = `template or interface ${entity.id}`;
    const module = this.module(entity, wanted);
    if (module.templates.has(entity.name)) return this.templateChoice(entity, choice);
    if (module.interfaces.has(entity.name)) return this.interfaceChoice(entity, choice);
    return this.missing(wanted, wanted);
  }

  method(entity: Entity, method: string): Type {
    const wanted = `method ${method} in interface ${entity.id}`;
    const type = this.interface(entity, wanted).methods.get(method);
    return type === undefined ? this.missing(wanted, wanted) : this.types.of(type);
  }

  keyType(entity: Entity): Type {
    const wanted = `template without contract key ${entity.id}.`;
    const { key } = this.template(entity, wanted);
    return key === undefined ? this.missing(wanted, wanted) : this.types.of(key);
  }

  implementation(interfaceEntity: Entity, template: Entity): void {
    this.interface(interfaceEntity);
    const wanted = `interface instance ${interfaceEntity.id} for ${template.id}`;
    const { implementations } = this.template(template, wanted);
    if (!implementations.has(interfaceEntity.id)) this.missing(wanted, wanted);
  }

  implements(interfaceId: TypeId, template: Entity): boolean {
    const found = this.packages.get(template.packageId)?.modules.get(template.moduleName);
    return found?.templates.get(template.name)?.implementations.has(interfaceId) ?? false;
  }
}
