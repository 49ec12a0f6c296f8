/**
 * The code of a package of Daml-LF: its definitions, compiled when they are first called. A definition costs nothing
 * before, and its deep form nothing before it is needed.
 */
import type { LfPackage } from '../archive/lf-package.js';
import { damlType } from '../archive/daml-type.js';
import { unapply, type LfType } from '../archive/lf-type.js';
import type { LfWorld } from '../archive/lf-world.js';
import type { MethodSignature } from '../model/package.js';
import { splitTypeId, type DamlType, type TypeId } from '../model/types.js';
import { Some, UNIT } from '../model/values.js';
import { builtinRuns, builtinValues } from './emitting/builtin-functions.js';
import { emitModule, type EmittedModule } from './emitting/emitter.js';
import { Unit } from './emitting/emitter-unit.js';
import { crash } from '../refusals/refusals.js';
import { apply, Binding, type Expression, type Lambda } from './lowering/expression.js';
import { Lowering, sourceLocation, type ExpressionContext } from './lowering/lowering.js';
import type { SourceLocation } from '../errors/source-location.js';
import { addInt, mulInt, subInt } from './runtime/int64.js';
import { leadingParams, type LeadingParams } from './lowering/leading-params.js';
import {
  ap1,
  ap2,
  ap3,
  APPLY,
  applyAll,
  deep,
  Definition,
  FAST_STACK_BYTES,
  FORCE,
  spent,
} from './runtime/machine.js';
import type { Message } from '../archive/wire/message.js';
import { LfCode, type LfExpression } from '../archive/code/expression.js';
import { operations } from './runtime/operations.js';
import { equal, equalText } from './runtime/ordering.js';
import {
  Code,
  Cons,
  Fun,
  NIL,
  Variant,
  type DeepCode,
  type FastCode,
} from './runtime/runtime-values.js';
import { scriptName } from './lowering/script-name.js';

const RUNTIME = {
  Cons,
  NIL,
  Some,
  Variant,
  Fun,
  UNIT,
  O: operations,
  B: builtinRuns,
  V: builtinValues,
  APPLY,
  FORCE,
  deep,
  ap1,
  ap2,
  ap3,
  applyAll,
  spent,
  noMatch: (): never => {
    throw crash('no alternative of a case matches');
  },
  LIM: FAST_STACK_BYTES,
  equal,
  equalText,
  addInt,
  subInt,
  mulInt,
};

const programs = new WeakMap<LfPackage, Program>();

/** The program of a package; `world` holds the packages that it refers to. */
export function programOf(lf: LfPackage, world: LfWorld): Program {
  let program = programs.get(lf);
  if (program === undefined) {
    program = new Program(lf, world);
    programs.set(lf, program);
  }
  return program;
}

/** Makes the expression that is to be compiled. */
type Lower = (by: Lowering, code: LfCode) => Expression;

export class Program implements ExpressionContext {
  /** Whose code {@link function} and {@link applied} compile. */
  private module = '';
  private readonly definitions = new Map<string, Definition>();
  /** Those that were referred to. */
  private readonly values = new Map<TypeId, Definition>();

  constructor(
    readonly lf: LfPackage,
    readonly world: LfWorld,
  ) {}

  /** The same program, for code of the module. */
  inModule(module: string): Program {
    const view = Object.create(this) as Program;
    view.module = module;
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

  rank(type: TypeId, constructor: string): number {
    const { body } = this.world.dataType(type, '');
    const rank =
      body.kind === 'variant'
        ? body.fields.findIndex(([name]) => name === constructor)
        : body.kind === 'enum'
          ? body.constructors.indexOf(constructor)
          : -1;
    if (rank < 0) throw crash(`${type} has no constructor ${constructor}`);
    return rank;
  }

  /** A value that this package refers to, its own or another's. */
  value(id: TypeId, number: number): Definition {
    let definition = this.values.get(id);
    if (definition === undefined) {
      definition = this.find(id, number);
      this.values.set(id, definition);
    }
    return definition;
  }

  /** A top-level value of this package, by its names. */
  valueNamed(module: string, name: string): Definition {
    return this.definition(module, name);
  }

  /** Puts a function of one argument in the place of a top-level value; nothing that refers to it may have been compiled yet. */
  replace(module: string, name: string, run: (argument: unknown) => unknown): void {
    const fast = ((_self: unknown, argument: unknown) => run(argument)) as FastCode;
    const compile = () => ({ fast, code: new Code(fast) });
    const replacement = new Definition({ explicitArity: () => 1, arity: () => 1, compile });
    this.definitions.set(`${module}:${name}`, replacement);
  }

  private find(id: TypeId, number: number): Definition {
    const { packageId, module, entity } = splitTypeId(id);
    if (packageId === this.lf.id) return this.definition(module, entity, number);
    const other = this.world.package(packageId);
    if (other === undefined) throw crash(`unknown package ${packageId}`);
    return programOf(other, this.world).definition(module, entity);
  }

  /** @param number of the interned name, where the package itself refers to it */
  private definition(module: string, name: string, number?: number): Definition {
    const key = `${module}:${name}`;
    let definition = this.definitions.get(key);
    if (definition === undefined) {
      const values = this.lf.modules.get(module)?.values;
      const numbered = number === undefined ? undefined : values?.numbered(number);
      const expression = (numbered ?? values?.get(name))?.expression;
      if (expression === undefined) throw crash(`unknown value ${this.lf.id}:${key}`);
      // What was read of it for its parameters need not be read again.
      let known: LfExpression | undefined;
      const read = () => (known ??= new LfCode(this.lf).expression(expression));
      const lower: Lower = (by) => {
        const whole = read();
        known = undefined;
        return by.lower(whole);
      };
      definition = this.define(lower, () => leadingParams(read()), module);
      this.definitions.set(key, definition);
    }
    return definition;
  }

  /** Code of this package, as a function of the named parameters; compiled when first called. */
  function(params: readonly string[], body: Lower): Definition {
    const lower: Lower = (by, code) => {
      const bindings = params.map(() => new Binding());
      const inside = by.within(params, bindings, () => body(by, code));
      return { kind: 'lambda', params: bindings, body: inside };
    };
    return this.define(lower, () => ({ count: params.length, isAll: false }), this.module);
  }

  /** Code that is a function, applied to its one argument. */
  applied(bytes: Uint8Array): Definition {
    return this.function([''], (by, code) => {
      const argument = by.variable('');
      return apply(by.lower(code.expression(bytes)), [argument]);
    });
  }

  /** Where an expression says that it stands; undefined where it does not say. */
  placeOf(expression: Uint8Array): SourceLocation | undefined {
    const { location } = new LfCode(this.lf).expression(expression);
    return location && this.placeAt(location);
  }

  placeAt(location: Message): SourceLocation {
    return sourceLocation(this.lf.tables, this.module, location);
  }

  /** What a method of an interface takes and gives. */
  methodSignature(id: TypeId, name: string): MethodSignature | undefined {
    const type = this.world.interface(id, '').methods.get(name);
    return type && signatureOf(this.world.expand(type));
  }

  private define(lower: Lower, leading: () => LeadingParams, module: string): Definition {
    let known: LeadingParams | undefined;
    let parsed: Lambda | undefined;
    const body = (): Lambda => {
      if (parsed === undefined) {
        const expression = lower(new Lowering(this, module), new LfCode(this.lf));
        parsed =
          expression.kind === 'lambda'
            ? expression
            : { kind: 'lambda', params: [], body: expression };
        if (known?.isAll === true && parsed.params.length !== known.count)
          throw crash(`a definition takes ${parsed.params.length} arguments, not ${known.count}`);
      }
      return parsed;
    };
    const definition: Definition = new Definition({
      explicitArity: () => (known ??= leading()).count,
      arity: () => {
        known ??= leading();
        return known.isAll ? known.count : body().params.length;
      },
      compile: () => {
        const compiled = compile(body(), definition, module);
        parsed = undefined;
        return compiled;
      },
    });
    return definition;
  }
}

/** Splits a method's type into arguments, result and whether the result is an update. */
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

type Functions = readonly unknown[];

function compile(
  body: Lambda,
  definition: Definition,
  module: string,
): { fast: FastCode; code: Code } {
  const unit = new Unit();
  const emitted = emitModule(unit, body, definition, 'fast');
  let deepFunctions: Functions | undefined;
  const codes: Code[] = [];
  const deepFunction = (index: number): DeepCode => {
    deepFunctions ??= load(emitModule(unit, body, definition, 'deep'), module, unit, codes);
    return deepFunctions[index] as DeepCode;
  };
  unit.lambdas.forEach((_, index) => {
    const pending = (() => undefined) as FastCode;
    codes.push(new Code(pending, unit.leaves.has(index) ? undefined : () => deepFunction(index)));
  });
  const functions = load(emitted, module, unit, codes) as FastCode[];
  functions.forEach((fast, index) => {
    codes[index]!.fast = fast;
  });
  return { fast: functions[0]!, code: codes[0]! };
}

function load(
  { source, places }: EmittedModule,
  module: string,
  unit: Unit,
  codes: readonly Code[],
): Functions {
  // The source is the emitter's own: numbers and made-up names; that of the script is digits.
  const named = `${source}\n//# sourceURL=${scriptName(module, places)}`;
  const factory = new Function('R', 'K', 'D', 'C', named) as (...all: unknown[]) => Functions;
  return factory(RUNTIME, unit.constants, unit.definitions, codes);
}
