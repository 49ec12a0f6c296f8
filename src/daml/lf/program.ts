/** The code of a Daml-LF package. A definition is compiled at its first call, and its deep form when it is first needed. */
import type { LfPackage } from '../archive/lf-package.js';
import { damlType } from '../archive/daml-type.js';
import { unapply, type LfType } from '../archive/lf-type.js';
import type { LfWorld } from '../archive/lf-world.js';
import type { MethodSignature } from '../model/package.js';
import {
  splitTypeId,
  typeId,
  type DamlType,
  type QualifiedName,
  type TypeId,
} from '../model/types.js';
import { crash } from '../refusals/refusals.js';
import { cachedUnit, type CodeStore, type CachedCode, type CachedUnit } from './cached-code.js';
import type { ScriptOrigin } from './debugging.js';
import { compile, deepFunctions, lambdaOf, revived } from './loading.js';
import { apply, Binding, type Expression, type Lambda } from './lowering/expression.js';
import { Lowering, sourceLocation, type ExpressionContext } from './lowering/lowering.js';
import type { SourceLocation } from '../errors/source-location.js';
import type { CodeName } from './lowering/script-name.js';
import { leadingParams, type LeadingParams } from './lowering/leading-params.js';
import { Definition } from './runtime/machine.js';
import type { Message } from '../archive/wire/message.js';
import { LfCode, type LfExpression } from '../archive/code/expression.js';
import { Code, type FastCode } from './runtime/runtime-values.js';

interface Sought {
  /** The number of the interned name, for references in the package itself. */
  readonly number?: number | undefined;
  /** Whether it exists for certain: a compiled unit of the same package refers to it. */
  readonly isThere?: boolean | undefined;
}

const programs = new WeakMap<LfPackage, Program>();

/**
 * The program of a package; `world` has the packages that it refers to.
 * @param store compiled units
 */
export function programOf(lf: LfPackage, world: LfWorld, store?: CodeStore): Program {
  let program = programs.get(lf);
  if (program === undefined) {
    program = new Program(lf, world, store);
    programs.set(lf, program);
  }
  return program;
}

/** Lowers the expression to compile. */
type Lower = (by: Lowering, code: LfCode) => Expression;

export class Program implements ExpressionContext {
  /** The module, and the template or interface, of the code for {@link function} and {@link applied}. */
  private module = '';
  private entity = '';
  private readonly definitions = new Map<string, Definition>();
  /** Starts of choices, by the functions that the Daml compiler lifted out of them. */
  private readonly homes = new Map<TypeId, SourceLocation>();
  /** Values that were referred to. */
  private readonly values = new Map<TypeId, Definition>();

  private readonly saved: CachedCode | undefined;

  constructor(
    readonly lf: LfPackage,
    readonly world: LfWorld,
    private readonly store?: CodeStore,
  ) {
    this.saved = store?.of(lf.id);
  }

  /** A view of the program for the code of a template or interface. */
  within(name: QualifiedName): Program {
    const view = Object.create(this) as Program;
    const colon = name.indexOf(':');
    view.module = name.slice(0, colon);
    view.entity = name.slice(colon + 1);
    return view;
  }

  string(index: number): string {
    return this.lf.tables.string(index);
  }

  type(index: number): LfType {
    return this.world.expand(this.lf.tables.internedType(index));
  }

  fieldIndex(record: TypeId, field: string): number {
    const { body } = this.world.dataType(record, '');
    const index = body.kind === 'record' ? body.fields.findIndex(([name]) => name === field) : -1;
    if (index < 0) throw crash(`${record} has no field ${field}`);
    return index;
  }

  constructors(type: TypeId): readonly string[] {
    const { body } = this.world.dataType(type, '');
    if (body.kind === 'variant') return body.fields.map(([name]) => name);
    return body.kind === 'enum' ? body.constructors : [];
  }

  rank(type: TypeId, constructor: string): number {
    const rank = this.constructors(type).indexOf(constructor);
    if (rank < 0) throw crash(`${type} has no constructor ${constructor}`);
    return rank;
  }

  /** A value that this package refers to, in any package. */
  value(id: TypeId, number: number, home?: SourceLocation): Definition {
    if (home !== undefined && isLifted(id) && !this.homes.has(id)) this.homes.set(id, home);
    let definition = this.values.get(id);
    if (definition === undefined) {
      definition = this.find(id, { number });
      this.values.set(id, definition);
    }
    return definition;
  }

  /** A top-level value of this package, by name. */
  valueNamed(module: string, name: string): Definition {
    return this.definition(module, name);
  }

  /** All top-level values of this package. */
  *allValues(): Generator<Definition, undefined> {
    for (const module of this.lf.modules.values())
      for (const [name] of module.values) yield this.definition(module.name, name);
  }

  /** Computes constants again when they are used next. */
  forgetConstants(): void {
    for (const definition of this.definitions.values()) definition.forget();
  }

  /** Replaces a top-level value by a function of one argument, before any code that refers to it is compiled. */
  replace(module: string, name: string, run: (argument: unknown) => unknown): void {
    const fast = ((_self: unknown, argument: unknown) => run(argument)) as FastCode;
    const compile = () => ({ fast, code: new Code(fast) });
    const replacement = new Definition({ explicitArity: () => 1, arity: () => 1, compile });
    this.definitions.set(`${module}:${name}`, replacement);
  }

  private find(id: TypeId, { number, isThere }: Sought): Definition {
    const { packageId, module, entity } = splitTypeId(id);
    if (packageId === this.lf.id) return this.definition(module, entity, { number, isThere });
    const other = this.world.package(packageId);
    if (other === undefined) throw crash(`unknown package ${packageId}`);
    return programOf(other, this.world).definition(module, entity, { isThere });
  }

  /** The definitions that a compiled unit refers to; undefined if one of them does not exist. */
  private referred(unit: CachedUnit): Definition[] | undefined {
    const found: Definition[] = [];
    for (const [id, arity] of unit.definitions) {
      const definition = this.values.get(id) ?? this.find(id, { isThere: true });
      if (definition.id === undefined) return undefined;
      this.values.set(id, definition);
      definition.hasArity(arity);
      found.push(definition);
    }
    return found;
  }

  private definition(
    module: string,
    name: string,
    { number, isThere = false }: Sought = {},
  ): Definition {
    const key = `${module}:${name}`;
    let definition = this.definitions.get(key);
    if (definition === undefined) {
      let found: Uint8Array | undefined;
      const bytes = (): Uint8Array => {
        const values = this.lf.modules.get(module)?.values;
        const numbered = number === undefined ? undefined : values?.numbered(number);
        found ??= (numbered ?? values?.get(name))?.expression;
        if (found === undefined) throw crash(`unknown value ${this.lf.id}:${key}`);
        return found;
      };
      // A compiled unit, and definitions that it refers to, are searched only when needed.
      if (!isThere && this.saved?.has(key) !== true) bytes();
      // The expression that was read for its parameters is used again.
      let known: LfExpression | undefined;
      const read = () => (known ??= new LfCode(this.lf).expression(bytes()));
      const lower: Lower = (by) => {
        const whole = read();
        known = undefined;
        return by.lower(whole);
      };
      const id = typeId(this.lf.id, key);
      definition = this.define(lower, () => leadingParams(read()), module, key, id);
      this.definitions.set(key, definition);
    }
    return definition;
  }

  /**
   * Code of this package as a function of named parameters, compiled at its first call.
   * @param part names the code within the template or interface
   */
  function(part: string, params: readonly string[], body: Lower): Definition {
    const lower: Lower = (by, code) => {
      const bindings = params.map(() => new Binding());
      const inside = by.within(params, bindings, () => body(by, code));
      return { kind: 'lambda', params: bindings, body: inside };
    };
    const key = `${this.module}:${this.entity} ${part}`;
    return this.define(lower, () => ({ count: params.length, isAll: false }), this.module, key);
  }

  /** Code that is a function, applied to its argument. */
  applied(part: string, bytes: Uint8Array): Definition {
    return this.function(part, [''], (by, code) => {
      const argument = by.variable('');
      return apply(by.lower(code.expression(bytes)), [argument]);
    });
  }

  /** The position of an expression; undefined if it has none. */
  placeOf(expression: Uint8Array): SourceLocation | undefined {
    const { location } = new LfCode(this.lf).expression(expression);
    return location && this.placeAt(location);
  }

  placeAt(location: Message): SourceLocation {
    return sourceLocation(this.lf.tables, this.module, location);
  }

  /** Argument and result types of an interface method. */
  methodSignature(id: TypeId, name: string): MethodSignature | undefined {
    const type = this.world.interface(id, '').methods.get(name);
    return type && signatureOf(this.world.expand(type));
  }

  private originOf(url: string, code: CodeName, home: SourceLocation | undefined): ScriptOrigin {
    const packageName = `${this.lf.name}-${this.lf.packageVersion}`;
    const text = this.store?.sources?.textOf(this.lf.id, code.module);
    return { url, text, packageName, ...code, home };
  }

  private define(
    lower: Lower,
    leading: () => LeadingParams,
    module: string,
    key: string,
    id?: TypeId,
  ): Definition {
    let known: LeadingParams | undefined;
    let parsed: Lambda | undefined;
    const { isDebugged, sources, instrumentation } = this.store ?? {};
    const url = isDebugged === true ? sources?.urlOf(this.lf.id, module) : undefined;
    const name = key.slice(module.length + 1);
    const code = { module, entity: name };
    const home = (): SourceLocation | undefined =>
      id === undefined
        ? sources?.choiceAt(this.lf.id, module, name.replace(/ update$/, ''))
        : this.homes.get(id);
    const originOf = () => (url === undefined ? undefined : this.originOf(url, code, home()));
    const instrumentOf = () => {
      const { lf, world } = this;
      return instrumentation?.of({ lf, world, module, name, isValue: id !== undefined });
    };
    const anew = (instrument = instrumentOf()): Lambda => {
      const start = url === undefined ? undefined : home();
      const by = new Lowering(this, module, url !== undefined, instrument, start);
      const whole = lambdaOf(lower(by, new LfCode(this.lf)));
      return instrument?.whole?.(whole, by) ?? whole;
    };
    const body = (): Lambda => {
      parsed ??= anew();
      if (known?.isAll === true && parsed.params.length !== known.count)
        throw crash(`a definition takes ${parsed.params.length} arguments, not ${known.count}`);
      return parsed;
    };
    const compileAnew = () => {
      const whole = body();
      parsed = undefined;
      const emitted = compile(whole, definition, code, originOf());
      const { arity } = definition;
      const unit = this.saved && cachedUnit(emitted.unit, { ...emitted.script, arity });
      if (unit !== undefined) this.saved!.add(key, unit);
      return emitted;
    };
    const definition: Definition = new Definition(
      {
        explicitArity: () => (known ??= leading()).count,
        arity: () => {
          const unit = this.saved?.get(key);
          if (unit !== undefined) return unit.arity;
          known ??= leading();
          return known.isAll ? known.count : body().params.length;
        },
        visit: () => {
          const instrument = instrumentOf();
          if (instrument !== undefined) anew(instrument);
        },
        compile: () => {
          const unit = this.saved?.get(key);
          const definitions = unit && this.referred(unit);
          if (unit === undefined || definitions === undefined) return compileAnew();
          const factory = this.saved!.factory(key);
          const again = (codes: readonly Code[]) => deepFunctions(anew(), definition, code, codes);
          return revived(unit, factory, definitions, again);
        },
      },
      id,
    );
    return definition;
  }
}

/** Whether the compiler lifted it out of another definition: `$$sc_Iou_3`, with each `$` twice. */
const isLifted = (id: TypeId): boolean => id.includes(':$$$$sc_');

/** Splits a method's type into arguments and result, and whether the result is an update. */
export function signatureOf(type: LfType): MethodSignature {
  const args: DamlType[] = [];
  let rest = type;
  for (;;) {
    const { head, args: parts } = unapply(rest);
    if (head.tag !== 'builtin' || head.name !== 'Arrow' || parts.length !== 2) break;
    args.push(damlType(parts[0]!));
    rest = parts[1]!;
  }
  const { head, args: parts } = unapply(rest);
  const isUpdate = head.tag === 'builtin' && head.name === 'Update';
  return { args, result: damlType(isUpdate ? parts[0]! : rest), isUpdate };
}
