/**
 * The code of a package of Daml-LF: its definitions, compiled when they are first called. A definition costs nothing
 * before, and its deep form nothing before it is needed.
 */
import type { LfPackage } from '../archive/lf-package.js';
import { damlType } from '../archive/daml-type.js';
import { unapply, type LfType } from '../archive/lf-type.js';
import type { LfWorld } from '../archive/lf-world.js';
import type { MethodSignature } from '../model/package.js';
import type { DamlType, TypeId } from '../model/types.js';
import { Some, UNIT } from '../model/values.js';
import { builtinRuns, builtinValues } from './emitting/builtin-functions.js';
import { emitModule, type EmittedModule } from './emitting/emitter.js';
import { Unit } from './emitting/emitter-unit.js';
import { crash } from '../refusals/refusals.js';
import { apply, Binding, type Expression, type Lambda } from './reading/expression.js';
import {
  ExpressionReader,
  readLocation,
  type ExpressionContext,
} from './reading/expression-reader.js';
import type { SourceLocation } from '../errors/source-location.js';
import { addInt, mulInt, subInt } from './runtime/int64.js';
import { leadingParams, type LeadingParams } from './reading/leading-params.js';
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
  overrun,
} from './runtime/machine.js';
import { Message } from './reading/message.js';
import { operations } from './runtime/operations.js';
import { equal } from './runtime/ordering.js';
import {
  Code,
  Cons,
  Fun,
  NIL,
  Variant,
  type DeepCode,
  type FastCode,
} from './runtime/runtime-values.js';
import { scriptName } from './reading/script-name.js';

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
  overrun,
  noMatch: (): never => {
    throw crash('no alternative of a case matches');
  },
  LIM: FAST_STACK_BYTES,
  equal,
  addInt,
  subInt,
  mulInt,
};

/** The field of `Expr` for an entry of the table of expressions. */
const INTERNED = 44;

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

export class Program implements ExpressionContext {
  /** Whose code {@link function} and {@link applied} compile. */
  private module = '';
  private readonly definitions = new Map<string, Definition>();

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

  dottedName(index: number): string {
    return this.lf.tables.dottedName(index);
  }

  typeId(reference: Uint8Array): TypeId {
    return this.lf.tables.typeId(reference);
  }

  type(reference: Uint8Array): LfType {
    return this.world.expand(this.lf.tables.type(reference));
  }

  interned(index: number): Uint8Array {
    return this.lf.expression(index);
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
  value(packageReference: Uint8Array, module: number, name: number): Definition {
    const { tables, id: own } = this.lf;
    const id = tables.packageIdOf(packageReference);
    const names = [tables.dottedName(module), tables.dottedName(name)] as const;
    if (id === own) return this.definition(...names, name);
    const other = this.world.package(id);
    if (other === undefined) throw crash(`unknown package ${id}`);
    return programOf(other, this.world).definition(...names);
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
      definition = this.define(
        (reader) => reader.read(Message.of(expression)),
        () => leadingParams(expression, (index) => this.interned(index)),
        module,
      );
      this.definitions.set(key, definition);
    }
    return definition;
  }

  /** Code of this package, as a function of the named parameters; compiled when first called. */
  function(params: readonly string[], body: (reader: ExpressionReader) => Expression): Definition {
    const read = (reader: ExpressionReader): Expression => {
      const bindings = params.map(() => new Binding());
      const inside = (index: number): Expression =>
        index === params.length
          ? body(reader)
          : reader.bound(params[index], bindings[index]!, () => inside(index + 1));
      return { kind: 'lambda', params: bindings, body: inside(0) };
    };
    return this.define(read, () => ({ count: params.length, isAll: false }), this.module);
  }

  /** Code that is a function, applied to its one argument. */
  applied(bytes: Uint8Array): Definition {
    return this.function([''], (reader) => {
      const argument = reader.variable('');
      return apply(reader.read(Message.of(bytes)), [argument]);
    });
  }

  /** Where an expression says that it stands; undefined where it does not say. */
  placeOf(expression: Uint8Array): SourceLocation | undefined {
    const message = Message.of(expression);
    let place: SourceLocation | undefined;
    while (message.next()) {
      if (message.field === 1) place = this.placeAt(message.message());
      else if (message.field === INTERNED) place ??= this.placeOf(this.interned(message.int()));
      else message.skip();
    }
    return place;
  }

  placeAt(location: Message): SourceLocation {
    return readLocation(this, this.module, location);
  }

  /** What a method of an interface takes and gives. */
  methodSignature(id: TypeId, name: string): MethodSignature | undefined {
    const type = this.world.interface(id, '').methods.get(name);
    return type && signatureOf(this.world.expand(type));
  }

  private define(
    read: (reader: ExpressionReader) => Expression,
    leading: () => LeadingParams,
    module: string,
  ): Definition {
    let known: LeadingParams | undefined;
    let parsed: Lambda | undefined;
    const body = (): Lambda => {
      if (parsed === undefined) {
        const expression = read(new ExpressionReader(this, module));
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
