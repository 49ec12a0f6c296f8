/** The definitions of a module: data types, synonyms, values, templates, exceptions, interfaces. */
import { dottedNameHash, scalaOrder, textHash } from '../errors/scala-order.js';
import { entriesInOrder, referenceHash } from '../model/definition-order.js';
import { typeId, type PackageId, type TypeId } from '../model/types.js';
import type {
  LfChoice,
  LfDataType,
  LfImplementation,
  LfInterface,
  LfTemplate,
} from '../archive/lf-definitions.js';
import type { LfModule, LfSynonym } from '../archive/lf-module.js';
import type { LfValue } from '../archive/lf-values.js';
import { lf2 } from '../archive/lf-messages.js';
import type { Place } from './checking.js';
import type { ExpressionChecker } from './expression-checker.js';
import { prettyType } from './type-text.js';
import type { Type } from './type.js';

const NOTHING = new Uint8Array();

export class ModuleChecker {
  private readonly moduleId: string;

  constructor(
    private readonly checker: ExpressionChecker,
    private readonly packageId: PackageId,
    private readonly module: LfModule,
  ) {
    this.moduleId = `${packageId}:${module.name}`;
  }

  run(): void {
    for (const check of this.checks()) check();
  }

  /** The check of each definition, in the order of the real checker. */
  *checks(): Generator<() => void, undefined> {
    const { checker: c, module } = this;
    c.enterModule(module);
    for (const name of module.definitionNames) yield () => this.definition(name);
    for (const [name, template] of entriesInOrder(module.templates, dottedNameHash))
      yield () => this.template(name, template);
    // References in exceptions do not count as references of their module.
    c.entities.enterModule(undefined);
    for (const [name, { message }] of entriesInOrder(module.exceptions, dottedNameHash))
      yield () => this.exception(name, message);
    c.entities.enterModule(module);
    for (const [name, definition] of entriesInOrder(module.interfaces, dottedNameHash))
      yield () => this.interface(name, definition);
  }

  private definition(name: string): void {
    const { module } = this;
    const synonym = module.synonyms.get(name);
    const dataType = module.dataTypes.get(name);
    if (synonym !== undefined) this.synonym(name, synonym);
    else if (dataType !== undefined) this.dataType(this.id(name), dataType);
    else this.value(name, module.values.get(name)!);
  }

  private synonym(name: string, { params, type }: LfSynonym): void {
    const { checker: c } = this;
    c.enter(this.place(`template ${this.id(name)}`), params);
    params.forEach(([, kind]) => c.checkKind(kind));
    this.checkUnique(keysOf(params), 'EDuplicateTypeParam', 'duplicate type parameter');
    c.checkType(c.types.of(type));
  }

  private value(name: string, { type, expression }: LfValue): void {
    const { checker: c } = this;
    c.enter(this.place(`value ${this.id(name)}`, name));
    c.checkType(c.types.of(type));
    c.checkTop(expression, c.types.of(type));
  }

  private id(entity: string): TypeId {
    return typeId(this.packageId, `${this.module.name}:${entity}`);
  }

  private name(index: number): string {
    return this.checker.lf.tables.name(index);
  }

  private place(where: string, definition = ''): Place {
    return { where, module: this.moduleId, definition };
  }

  private checkUnique(names: readonly string[], kind: string, text: string): void {
    const seen = new Set<string>();
    for (const name of names) {
      if (seen.has(name)) this.checker.fail(kind, `${text}: ${name}`);
      seen.add(name);
    }
  }

  private dataType(id: TypeId, { params, body }: LfDataType): void {
    const { checker: c } = this;
    c.enter(this.place(`data type ${id}`), params);
    params.forEach(([, kind]) => c.checkKind(kind));
    this.checkUnique(keysOf(params), 'EDuplicateTypeParam', 'duplicate type parameter');
    switch (body.kind) {
      case 'enum':
        this.checkUnique(body.constructors, 'EDuplicateEnumCon', 'duplicate enum constructor');
        return;
      case 'interface':
        if (params.length > 0)
          c.fail('EIllegalHigherInterfaceType', 'illegal higher interface type');
        c.entities.interface(c.entities.get(id));
        return;
      case 'record':
        this.checkUnique(keysOf(body.fields), 'EDuplicateField', 'duplicate field');
        break;
      case 'variant': {
        const text = 'duplicate variant constructor';
        this.checkUnique(keysOf(body.fields), 'EDuplicateVariantCon', text);
      }
    }
    for (const [, type] of body.fields) c.checkType(c.types.of(type));
  }

  /** Checks code in the scope of variables. */
  private code(
    place: Place,
    variables: readonly (readonly [name: string, type: Type])[],
    expression: Uint8Array | undefined,
    type: Type,
  ): void {
    const { checker: c } = this;
    c.enter(place);
    const mark = c.mark;
    for (const [name, variable] of variables) c.bind(name, variable);
    c.checkTop(expression, type);
    c.unbind(mark);
  }

  private template(name: string, template: LfTemplate): void {
    const { checker: c } = this;
    const { types } = c;
    const id = this.id(name);
    const at = (part: string): Place => this.place(`template ${id}`, `${name}${part}`);
    c.enter(at(''));
    const { message } = template;
    const entity = c.entities.get(id);
    if (!c.dataType(entity).isPlainRecord()) {
      const text = `expected monomorphic record type in template definition, but found: ${prettyType(entity.type)}`;
      c.fail('EExpectedTemplatableType', text);
    }
    const self = [[this.name(message.param), entity.type]] as const;
    if (message.precondition !== undefined)
      this.code(at(':ensure'), self, message.precondition, types.bool);
    this.code(at('.signatory'), self, message.signatories, types.parties);
    this.code(at(':observer'), self, message.observers, types.parties);
    this.choices(name, template.choices, this.name(message.param));
    // The real decoder adds them from the last to the first.
    for (const implementation of [...template.implementations.values()].reverse())
      this.implementation(id, template, implementation);
    if (template.key === undefined) return;
    const { key, maintainers } = lf2.decode('DefTemplate.DefKey', message.key ?? NOTHING);
    const keyType = types.of(template.key);
    c.enter(at(':key'));
    c.checkType(keyType);
    this.code(at(':key'), self, key, keyType);
    this.code(at(':maintainer'), [], maintainers, types.fun(keyType, types.parties));
  }

  /** Checks the choices of a template or interface; `param` is the variable of the contract. */
  private choices(owner: string, choices: ReadonlyMap<string, LfChoice>, param: string): void {
    const { checker: c } = this;
    const { types } = c;
    const id = this.id(owner);
    const self = [param, c.entities.get(id).type] as const;
    for (const [, { name, argument, returns, message }] of entriesInOrder(choices, textHash)) {
      const at = (part: string): Place =>
        this.place(`choice ${name} in template ${id}`, `${owner}:${name}:${part}`);
      c.enter(at('choice'));
      const argumentType = types.of(argument);
      c.checkType(argumentType);
      c.checkType(types.of(returns));
      const { variable } = lf2.decode('VarWithType', message.argument ?? NOTHING);
      const scope = [self, [this.name(variable), argumentType]] as const;
      this.code(at('controller'), scope, message.controllers, types.parties);
      this.code(at('observers'), scope, message.observers, types.parties);
      if (message.authorizers !== undefined)
        this.code(at('authorizers'), scope, message.authorizers, types.parties);
      const contractId = [
        this.name(message.selfBinder),
        types.app(types.contractId, self[1]),
      ] as const;
      const update = types.app(types.update, types.of(returns));
      this.code(at('choice'), [self, contractId, scope[1]], message.update, update);
    }
  }

  private implementation(
    templateId: TypeId,
    { message }: LfTemplate,
    { interfaceId, methods, view }: LfImplementation,
  ): void {
    const { checker: c } = this;
    const at = (definition: string): Place =>
      this.place(`interface instance ${interfaceId} for ${templateId}`, definition);
    c.enter(at(''));
    const template = c.entities.get(templateId);
    const iface = c.entities.interface(c.entities.get(interfaceId));
    for (const required of scalaOrder(iface.requires, referenceHash)) {
      if (c.entities.implements(required, template)) continue;
      const text = `Missing required interface instance ${required} for ${templateId}, required by interface ${interfaceId}`;
      c.fail('EMissingRequiredInterfaceInstance', text);
    }
    for (const [method] of entriesInOrder(iface.methods, textHash)) {
      if (methods.has(method)) continue;
      const text = `Interface instance lacks an implementation for method '${method}'.`;
      c.fail('EMissingMethodInInterfaceInstance', text);
    }
    const self = [[this.name(message.param), template.type]] as const;
    for (const [method, code] of entriesInOrder(methods, textHash)) {
      const type = iface.methods.get(method);
      if (type === undefined) {
        c.enter(at(''));
        const text = `Tried to implement method ${method} but interface ${interfaceId} does not have a method with that name.`;
        return c.fail('EUnknownMethodInInterfaceInstance', text);
      }
      c.naming(
        () => this.code(at('InterfaceInstanceMethod.value'), self, code, c.types.of(type)),
        ({ expected, found }) =>
          c.fail(
            'EMethodTypeMismatch',
            `Implementation of method ${method} on interface ${interfaceId} should return ${prettyType(expected)} but instead returns ${prettyType(found)}`,
          ),
      );
    }
    const [interfaceName, templateName] = [interfaceId, templateId].map((one) =>
      prettyType(c.entities.get(one).type),
    );
    c.naming(
      () => this.code(at('InterfaceInstanceBody.view'), self, view, c.types.of(iface.view)),
      ({ expected, found }) =>
        c.fail(
          'EViewTypeMismatch',
          `Tried to implement a view of type ${prettyType(found)} on interface ${interfaceName} for template ${templateName}, ` +
            `but the definition of interface ${interfaceName} requires a view of type ${prettyType(expected)}`,
        ),
    );
  }

  private exception(name: string, message: Uint8Array | undefined): void {
    const { checker: c } = this;
    const place = this.place(`exception ${this.id(name)}`, `${name}:message`);
    c.enter(place);
    const entity = c.entities.get(this.id(name));
    if (!c.dataType(entity).isPlainRecord()) {
      const text = `expected monomorphic record type in exception definition, but found: ${prettyType(entity.type)}`;
      c.fail('EExpectedExceptionableType', text);
    }
    this.code(place, [], message, c.types.fun(entity.type, c.types.text));
  }

  private interface(name: string, { requires, methods, choices, view, param }: LfInterface): void {
    const { checker: c } = this;
    const id = this.id(name);
    c.enter(this.place(`interface ${id}`));
    if (requires.includes(id)) {
      const text = `Circular interface requirement is not allowed: interface ${id} requires itself.`;
      c.fail('ECircularInterfaceRequires', text);
    }
    for (const required of scalaOrder(requires, referenceHash)) {
      const { requires: all } = c.entities.interface(c.entities.get(required));
      for (const further of scalaOrder(all, referenceHash)) {
        if (requires.includes(further)) continue;
        const text = `Interface ${id} is missing requirements ${further} required by ${required}`;
        c.fail('ENotClosedInterfaceRequires', text);
      }
    }
    for (const [, type] of entriesInOrder(methods, textHash)) c.checkType(c.types.of(type));
    this.choices(name, choices, this.name(param));
    c.enter(this.place(`interface ${id}`));
    this.view(c.types.of(view));
  }

  private view(view: Type): void {
    const { checker: c } = this;
    const refuse = (kind: string, found: string): never =>
      c.fail(
        kind,
        `expected monomorphic record type in view type, but found ${found}: ${prettyType(view)}`,
      );
    const withVariables = 'a type constructor with type variables';
    if (view.tag === 'app') return refuse('EViewTypeHasVars', withVariables);
    if (view.tag !== 'con') return refuse('EViewTypeHeadNotCon', `${VIEW_HEADS[view.tag]} instead`);
    const { params, body } = c.dataType(c.entities.of(view)).lf;
    if (params.length > 0) return refuse('EViewTypeHasVars', withVariables);
    if (body.kind === 'record') return;
    const article = body.kind === 'enum' ? 'an' : 'a';
    refuse('EViewTypeConNotRecord', `${article} ${body.kind} type instead`);
  }
}

const VIEW_HEADS = {
  variable: 'a type variable',
  syn: 'a type synonym',
  builtin: 'a built-in type',
  nat: 'a type-level natural number',
  forall: 'a forall-quantified type',
  struct: 'a structural record',
} as const;

function keysOf(entries: readonly (readonly [string, unknown])[]): readonly string[] {
  return entries.map(([key]) => key);
}
