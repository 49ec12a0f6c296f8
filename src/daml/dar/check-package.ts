/**
 * The type check of a package's signatures: data types, templates, choices, interfaces, and the types of values. Every
 * reference resolves, every type has its kind, what is marked serializable is, names do not collide. The order is the
 * one that a participant checks in.
 *
 * NOTE: expressions are not type-checked; a literal as the whole of a value is.
 */
import type { PackageId, TypeId } from '../types.js';
import { qualifiedNameOf, typeId } from '../types.js';
import { checkCollisions } from './check-collisions.js';
import { checkLiteral } from './check-literal.js';
import { checkModuleSerializability } from './check-serializable.js';
import { validationError } from './dar-refusals.js';
import type {
  LfChoice,
  LfDataType,
  LfInterface,
  LfModule,
  LfPackage,
  LfParams,
  LfTemplate,
} from './lf-package.js';
import { prettyType, STAR, type LfKind, type LfType } from './lf-type.js';
import { LANGUAGE_VERSIONS } from './lf-version.js';
import type { LfWorld } from './lf-world.js';

const NO_VARIABLES: ReadonlyMap<string, LfKind> = new Map();

export function checkPackage(world: LfWorld, lfPackage: LfPackage): void {
  checkCollisions(lfPackage);
  for (const module of lfPackage.modules.values()) {
    for (const synonym of module.synonyms.values()) world.expand(synonym.type);
  }
  checkDependencyVersions(world, lfPackage);
  for (const module of lfPackage.modules.values()) {
    new ModuleCheck(world, lfPackage.id, module).run();
    checkModuleSerializability(world, lfPackage.id, module);
  }
}

function checkDependencyVersions(world: LfWorld, lfPackage: LfPackage): void {
  for (const id of lfPackage.directDependencies) {
    const dependency = world.package(id);
    if (dependency === undefined)
      throw validationError('EUnknownDefinition', '', `unknown package ${id}`);
    const [own, theirs] = [lfPackage.version, dependency.version];
    if (LANGUAGE_VERSIONS.indexOf(own) < LANGUAGE_VERSIONS.indexOf(theirs)) {
      const text =
        `package ${lfPackage.id} using version ${own.name} depends on package ${id} ` +
        `using newer version ${theirs.name}`;
      throw validationError('EModuleVersionDependencies', '', text);
    }
  }
}

class ModuleCheck {
  constructor(
    private readonly world: LfWorld,
    private readonly packageId: PackageId,
    private readonly module: LfModule,
  ) {}

  run(): void {
    const { module } = this;
    for (const [name, definition] of module.dataTypes) this.dataType(this.id(name), definition);
    for (const [name, value] of module.values) {
      const where = `value ${this.id(name)}`;
      this.world.check(value.type, STAR, NO_VARIABLES, where);
      checkLiteral(value.expression, this.world.expand(value.type, where), where);
    }
    for (const [name, { params, type }] of module.synonyms) {
      const where = `template ${this.id(name)}`;
      checkUnique(
        params.map(([param]) => param),
        'EDuplicateTypeParam',
        'duplicate type parameter',
        where,
      );
      this.world.check(type, STAR, new Map(params), where);
    }
    for (const [name, definition] of module.templates) this.template(this.id(name), definition);
    for (const name of module.exceptions.keys()) {
      const where = `exception ${this.id(name)}`;
      if (!this.isPlainRecord(this.id(name), where)) {
        const text = `expected monomorphic record type in exception definition, but found: ${qualifiedNameOf(this.id(name))}`;
        throw validationError('EExpectedExceptionableType', where, text);
      }
    }
    for (const [name, definition] of module.interfaces) this.interface(this.id(name), definition);
  }

  private id(entity: string): TypeId {
    return typeId(this.packageId, `${this.module.name}:${entity}`);
  }

  private isPlainRecord(id: TypeId, where: string): boolean {
    const { params, body } = this.world.dataType(id, where);
    return params.length === 0 && body.kind === 'record';
  }

  private dataType(id: TypeId, { params, body }: LfDataType): void {
    const where = `data type ${id}`;
    checkUnique(
      params.map(([param]) => param),
      'EDuplicateTypeParam',
      'duplicate type parameter',
      where,
    );
    checkKinds(params, where);
    switch (body.kind) {
      case 'enum':
        checkUnique(body.constructors, 'EDuplicateEnumCon', 'duplicate enum constructor', where);
        return;
      case 'interface':
        if (params.length > 0) {
          throw validationError(
            'EIllegalHigherInterfaceType',
            where,
            'illegal higher interface type',
          );
        }
        this.world.interface(id, where);
        return;
      case 'record':
        checkUnique(
          body.fields.map(([name]) => name),
          'EDuplicateField',
          'duplicate field',
          where,
        );
        break;
      case 'variant': {
        const names = body.fields.map(([name]) => name);
        checkUnique(names, 'EDuplicateVariantCon', 'duplicate variant constructor', where);
      }
    }
    const variables = new Map(params);
    for (const [, type] of body.fields) this.world.check(type, STAR, variables, where);
  }

  private choices(owner: TypeId, choices: ReadonlyMap<string, LfChoice>): void {
    for (const { name, argument, returns } of choices.values()) {
      const where = `choice ${name} in template ${owner}`;
      this.world.check(argument, STAR, NO_VARIABLES, where);
      this.world.check(returns, STAR, NO_VARIABLES, where);
    }
  }

  private template(id: TypeId, template: LfTemplate): void {
    const where = `template ${id}`;
    if (!this.isPlainRecord(id, where)) {
      throw validationError(
        'EExpectedTemplatableType',
        where,
        `expected monomorphic record type in template definition, but found: ${qualifiedNameOf(id)}`,
      );
    }
    this.choices(id, template.choices);
    for (const { interfaceId, methods } of template.implementations.values()) {
      this.implementation(id, template, interfaceId, methods);
    }
    if (template.key !== undefined) this.world.check(template.key, STAR, NO_VARIABLES, where);
  }

  private implementation(
    id: TypeId,
    template: LfTemplate,
    interfaceId: TypeId,
    methods: ReadonlyMap<string, unknown>,
  ): void {
    const where = `interface instance ${interfaceId} for ${id}`;
    const definition = this.world.interface(interfaceId, where);
    for (const required of definition.requires) {
      if (template.implementations.has(required)) continue;
      const text = `Missing required interface instance ${required} for ${id}, required by interface ${interfaceId}`;
      throw validationError('EMissingRequiredInterfaceInstance', where, text);
    }
    for (const method of definition.methods.keys()) {
      if (methods.has(method)) continue;
      const text = `Interface instance lacks an implementation for method '${method}'.`;
      throw validationError('EMissingMethodInInterfaceInstance', where, text);
    }
    for (const method of methods.keys()) {
      if (definition.methods.has(method)) continue;
      const text = `Tried to implement method ${method} but interface ${interfaceId} does not have a method with that name.`;
      throw validationError('EUnknownMethodInInterfaceInstance', where, text);
    }
  }

  private interface(id: TypeId, definition: LfInterface): void {
    const where = `interface ${id}`;
    const { requires, methods, choices, view } = definition;
    if (requires.includes(id)) {
      const text = `Circular interface requirement is not allowed: interface ${id} requires itself.`;
      throw validationError('ECircularInterfaceRequires', where, text);
    }
    for (const required of requires) {
      for (const further of this.world.interface(required, where).requires) {
        if (requires.includes(further)) continue;
        const text = `Interface ${id} is missing requirements ${further} required by ${required}`;
        throw validationError('ENotClosedInterfaceRequires', where, text);
      }
    }
    for (const type of methods.values()) this.world.check(type, STAR, NO_VARIABLES, where);
    this.choices(id, choices);
    this.view(view, where);
  }

  private view(view: LfType, where: string): void {
    const refuse = (kind: string, found: string): never => {
      const text = `expected monomorphic record type in view type, but found ${found}: ${prettyType(view)}`;
      throw validationError(kind, where, text);
    };
    const withVariables = 'a type constructor with type variables';
    if (view.tag === 'app') return refuse('EViewTypeHasVars', withVariables);
    if (view.tag !== 'con') return refuse('EViewTypeHeadNotCon', `${VIEW_HEADS[view.tag]} instead`);
    const { params, body } = this.world.dataType(view.id, where);
    if (params.length > 0) return refuse('EViewTypeHasVars', withVariables);
    if (body.kind !== 'record') {
      refuse(
        'EViewTypeConNotRecord',
        `${body.kind === 'enum' ? 'an' : 'a'} ${body.kind} type instead`,
      );
    }
  }
}

const VIEW_HEADS = {
  variable: 'a type variable',
  syn: 'a type synonym',
  builtin: 'a built-in type',
  nat: 'a Nat type',
  forall: 'a forall-quantified type',
  struct: 'a structural record',
} as const;

function checkUnique(names: readonly string[], kind: string, text: string, where: string): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) throw validationError(kind, where, `${text}: ${name}`);
    seen.add(name);
  }
}

/** `nat` is a kind of arguments alone. */
function checkKinds(params: LfParams, where: string): void {
  const check = (kind: LfKind): void => {
    if (kind.tag !== 'arrow') return;
    if (kind.to.tag === 'nat') throw validationError('ENatKindRightOfArrow', where, 'invalid kind');
    check(kind.from);
    check(kind.to);
  };
  for (const [, kind] of params) check(kind);
}
