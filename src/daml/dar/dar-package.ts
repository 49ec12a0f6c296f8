/**
 * A package of a DAR as the rest of Canticle sees packages. Types, templates and interfaces are made when first asked
 * for; synonyms are expanded, and what never crosses the ledger is `opaque`. Code is compiled when it first runs.
 */
import type { CompiledPackage, CompiledTemplate } from '../lf/runtime/compiled.js';
import type { Definition } from '../lf/runtime/machine.js';
import type { CodeStore } from '../lf/cached-code.js';
import { programOf, signatureOf, type Program } from '../lf/program.js';
import { interfaceSelf, LfChoiceCode } from '../lf/choice-code.js';
import { LfTemplateCode } from '../lf/template-code.js';
import type { Choice, ChoiceCode, Interface, Template } from '../model/package.js';
import type {
  DamlType,
  DataBody,
  DataType,
  Field,
  PackageId,
  QualifiedName,
} from '../model/types.js';
import { typeId } from '../model/types.js';
import type { LfChoice, LfDataType, LfInterface, LfTemplate } from '../archive/lf-definitions.js';
import type { LfModule } from '../archive/lf-module.js';
import type { LfPackage } from '../archive/lf-package.js';
import { damlType } from '../archive/daml-type.js';
import type { LfType } from '../archive/lf-type.js';
import { LazyMap, type LazyEntries } from '../archive/lazy-map.js';
import type { LfWorld } from '../archive/lf-world.js';

function visitAll(definitions: Iterable<Definition>): void {
  for (const definition of definitions) definition.visit();
}

function visitChoices(choices: Iterable<Choice>): void {
  for (const { code } of choices) if (code instanceof LfChoiceCode) visitAll(code.allCode());
}

const moduleOf = (name: QualifiedName): string => name.slice(0, Math.max(0, name.indexOf(':')));

/** The definitions of a package's modules, by their qualified names. */
class ModuleEntries<Source> implements LazyEntries<QualifiedName, Source> {
  constructor(
    private readonly lf: LfPackage,
    private readonly of: (module: LfModule) => ReadonlyMap<string, Source>,
  ) {}

  get(name: QualifiedName): Source | undefined {
    const module = this.lf.modules.get(moduleOf(name));
    return module && this.of(module).get(name.slice(module.name.length + 1));
  }

  *[Symbol.iterator](): Generator<readonly [QualifiedName, Source], undefined> {
    for (const module of this.lf.modules.values())
      for (const [entity, source] of this.of(module)) yield [`${module.name}:${entity}`, source];
  }
}

export interface TopLevelValue {
  readonly module: string;
  readonly name: string;
  /** Without synonyms. */
  readonly type: LfType;
}

export class DarPackage implements CompiledPackage {
  readonly id: PackageId;
  readonly name: string;
  readonly version: string;
  readonly languageVersion: string;
  readonly archive: Uint8Array;
  private types: ReadonlyMap<QualifiedName, DataType> | undefined;
  private templateMap: ReadonlyMap<QualifiedName, Template> | undefined;
  private interfaceMap: ReadonlyMap<QualifiedName, Interface> | undefined;

  private readonly program: Program;
  private readonly messages = new Map<QualifiedName, Definition>();

  constructor(
    readonly lf: LfPackage,
    private readonly world: LfWorld,
    /** Code that was compiled before. */
    private readonly code?: CodeStore,
  ) {
    this.program = programOf(lf, world, code);
    this.id = lf.id;
    this.name = lf.name;
    this.version = lf.packageVersion;
    this.languageVersion = lf.version.name;
    this.archive = lf.archive.payload;
  }

  get dependencies(): readonly PackageId[] {
    return this.lf.directDependencies;
  }

  get dataTypes(): ReadonlyMap<QualifiedName, DataType> {
    this.types ??= this.collect(
      (module) => module.dataTypes,
      (name, definition) => this.dataType(name, definition),
    );
    return this.types;
  }

  get templates(): ReadonlyMap<QualifiedName, Template> {
    this.templateMap ??= this.collect(
      (module) => module.templates,
      (name, definition) => this.template(name, definition),
    );
    return this.templateMap;
  }

  get interfaces(): ReadonlyMap<QualifiedName, Interface> {
    this.interfaceMap ??= this.collect(
      (module) => module.interfaces,
      (name, definition) => this.interface(name, definition),
    );
    return this.interfaceMap;
  }

  get modules(): readonly string[] {
    return [...this.lf.modules.keys()];
  }

  definitions(name: string): readonly QualifiedName[] {
    const module = this.lf.modules.get(name);
    if (module === undefined) return [];
    const { synonyms, dataTypes, values } = module;
    const names = [...synonyms.keys(), ...dataTypes.keys(), ...[...values].map(([each]) => each)];
    return names.map((each) => `${name}:${each}`);
  }

  private collect<Source, Result>(
    of: (module: LfModule) => ReadonlyMap<string, Source>,
    make: (name: QualifiedName, source: Source) => Result,
  ): ReadonlyMap<QualifiedName, Result> {
    const entries = new ModuleEntries(this.lf, of);
    return new LazyMap(() => entries, make);
  }

  private dataType(name: QualifiedName, definition: LfDataType): DataType {
    return {
      id: typeId(this.id, name),
      params: definition.params.map(([param]) => param),
      serializable: definition.serializable,
      body: this.dataBody(definition.body),
    };
  }

  private dataBody(body: LfDataType['body']): DataBody {
    if (body.kind === 'enum' || body.kind === 'interface') return body;
    const fields = body.fields.map(([name, type]): Field => ({ name, type: this.type(type) }));
    return body.kind === 'record'
      ? { kind: 'record', fields }
      : { kind: 'variant', constructors: fields };
  }

  private template(name: QualifiedName, definition: LfTemplate): CompiledTemplate {
    const id = typeId(this.id, name);
    const payloadType: DamlType = { kind: 'con', id, args: [] };
    const code = new LfTemplateCode(this.program.within(name), payloadType, definition);
    const implementations = new Map(
      [...definition.implementations.keys()].map((interfaceId) => {
        const implementation = { interfaceId, code: code.implementationCode(interfaceId) };
        return [interfaceId, implementation] as const;
      }),
    );
    return {
      id,
      packageName: this.name,
      payloadType,
      choices: this.choices(
        name,
        () => definition.choices,
        (choice, argument, returns) => code.choice(choice, argument, returns),
      ),
      implementations,
      ...(definition.key && { key: { type: this.type(definition.key) } }),
      code,
      runtime: code,
    };
  }

  private interface(name: QualifiedName, definition: LfInterface): Interface {
    const program = this.program.within(name);
    const methods = [...definition.methods].map(
      ([method, type]) => [method, signatureOf(this.world.expand(type))] as const,
    );
    return {
      id: typeId(this.id, name),
      packageName: this.name,
      viewType: this.type(definition.view),
      choices: this.choices(
        name,
        () => definition.choices,
        (choice, argument, returns) => {
          const param = program.string(definition.param);
          return new LfChoiceCode(program, param, choice, argument, returns, interfaceSelf);
        },
      ),
      requires: definition.requires,
      methods: new Map(methods),
    };
  }

  private choices(
    owner: QualifiedName,
    choices: () => ReadonlyMap<string, LfChoice>,
    code: (choice: LfChoice, argument: DamlType, returns: DamlType) => ChoiceCode,
  ): ReadonlyMap<string, Choice> {
    return new LazyMap(choices, (name, choice): Choice => {
      const [argumentType, returnType] = [this.type(choice.argument), this.type(choice.returns)];
      const types = { argumentType, returnType };
      const { consuming } = choice;
      const made = { name, consuming, ...types, code: code(choice, argumentType, returnType) };
      const changed = this.code?.instrumentation?.consuming?.(this.lf, owner, choice);
      return changed === undefined
        ? made
        : Object.defineProperty(made, 'consuming', { get: changed, enumerable: true });
    });
  }

  isException(name: QualifiedName): boolean {
    return this.exceptionMessage(name) !== undefined;
  }

  exceptionMessage(name: QualifiedName): Definition | undefined {
    const known = this.messages.get(name);
    if (known !== undefined) return known;
    const colon = name.indexOf(':');
    const module = this.lf.modules.get(name.slice(0, colon));
    const bytes = module?.exceptions.get(name.slice(colon + 1))?.message;
    if (bytes === undefined) return undefined;
    const definition = this.program.within(name).applied('message', bytes);
    this.messages.set(name, definition);
    return definition;
  }

  /**
   * The top-level values, with their types. Names are inside the module.
   * @param isWanted sees a type before its synonyms are expanded: what is unwanted is not read further
   */
  *values(isWanted: (type: LfType) => boolean): Generator<TopLevelValue, undefined> {
    for (const module of this.lf.modules.values())
      for (const [name, type] of module.values.ofType(isWanted))
        yield { module: module.name, name, type: this.world.expand(type) };
  }

  /** Undefined if the name is unknown. */
  valueType(module: string, name: string): LfType | undefined {
    const value = this.lf.modules.get(module)?.values.get(name);
    return value && this.world.expand(value.type);
  }

  /** The code of a top-level value. */
  valueCode(module: string, name: string): Definition {
    return this.program.valueNamed(module, name);
  }

  /** Computes constants again when they are used next: those that instrumented code computes may have changed. */
  forgetConstants(): void {
    this.program.forgetConstants();
  }

  /** Shows all code of the package to its instruments, which then know the places of code that never ran. */
  visitCode(): void {
    for (const definition of this.program.allValues()) definition.visit();
    for (const { code, choices } of this.templates.values()) {
      if (code instanceof LfTemplateCode) visitAll(code.definitions());
      visitChoices(choices.values());
    }
    for (const { choices } of this.interfaces.values()) visitChoices(choices.values());
  }

  /** Replaces a top-level value with a function of one argument. Call it before the first use of the value. */
  replaceValue(module: string, name: string, run: (argument: unknown) => unknown): void {
    this.program.replace(module, name, run);
  }

  private type(type: LfType): DamlType {
    return damlType(this.world.expand(type));
  }
}
