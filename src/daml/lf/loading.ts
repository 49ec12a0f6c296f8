/**
 * Loads a definition: emits its expression as JavaScript, compiles it, and passes its runtime. A unit that was compiled before already has
 * its source.
 */
import { emitModule, type EmittedModule } from './emitting/emitter.js';
import { builtinRuns, builtinValues } from './emitting/builtin-functions.js';
import { debuggingTrailer, functionName, type ScriptOrigin } from './debugging.js';
import { Unit } from './emitting/emitter-unit.js';
import type { Mode } from './emitting/function-text.js';
import { constantOf, FACTORY_PARAMS, type Factory, type CachedUnit } from './cached-code.js';
import { crash } from '../refusals/refusals.js';
import { Some, UNIT } from '../model/values.js';
import type { Expression, Lambda } from './lowering/expression.js';
import { scriptName, type CodeName } from './lowering/script-name.js';
import { addInt, mulInt, subInt } from './runtime/int64.js';
import {
  ap1,
  ap2,
  ap3,
  APPLY,
  applyAll,
  FAST_STACK_BYTES,
  FORCE,
  spent,
  type Definition,
} from './runtime/machine.js';
import { heapOperations } from './runtime/heap-operations.js';
import { operations } from './runtime/operations.js';
import { equal, equalText } from './runtime/ordering.js';
import { deep } from './runtime/trampoline.js';
import {
  Code,
  Cons,
  Fun,
  NIL,
  Variant,
  type DeepCode,
  type FastCode,
} from './runtime/runtime-values.js';

const RUNTIME = {
  Cons,
  NIL,
  Some,
  Variant,
  Fun,
  UNIT,
  O: operations,
  HEAP: heapOperations,
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

type Functions = readonly unknown[];

interface Compiled {
  readonly fast: FastCode;
  readonly code: Code;
}

/** Emitted source, with the name of its script. */
interface Script {
  readonly source: string;
  readonly name: string;
  /** Replaces the name if code is compiled for debugging. */
  readonly trailer?: string;
}

export const lambdaOf = (expression: Expression): Lambda =>
  expression.kind === 'lambda' ? expression : { kind: 'lambda', params: [], body: expression };

export function compile(
  body: Lambda,
  definition: Definition,
  code: CodeName,
  origin?: ScriptOrigin,
): Compiled & { readonly unit: Unit; readonly script: Script } {
  const unit = new Unit(origin && functionName(origin), origin?.home);
  const script = scriptOf(emitModule(unit, body, definition, 'fast'), code, 'fast', origin);
  const { lambdas, leaves, constants, definitions } = unit;
  const make = (codes: readonly Code[]) =>
    factoryOf(script)(RUNTIME, constants, definitions, codes);
  const deepOf = (codes: readonly Code[]) =>
    load(emitModule(unit, body, definition, 'deep'), code, unit, codes, origin);
  return { ...assembled(lambdas.length, leaves, make, deepOf), unit, script };
}

/** The deep form of a definition whose fast form was already compiled: it emits both again. */
export function deepFunctions(
  body: Lambda,
  definition: Definition,
  code: CodeName,
  codes: readonly Code[],
): Functions {
  const unit = new Unit();
  emitModule(unit, body, definition, 'fast');
  return load(emitModule(unit, body, definition, 'deep'), code, unit, codes);
}

/**
 * Functions of a unit that was compiled before.
 * @param deepOf creates the deep form when needed
 */
export function revived(
  { constants, lambdas, leaves }: CachedUnit,
  factory: Factory,
  definitions: readonly Definition[],
  deepOf: (codes: readonly Code[]) => Functions,
): Compiled {
  const make = (codes: readonly Code[]) =>
    factory(RUNTIME, constants.map(constantOf), definitions, codes);
  return assembled(lambdas, new Set(leaves), make, deepOf);
}

function assembled(
  count: number,
  leaves: ReadonlySet<number>,
  make: (codes: readonly Code[]) => Functions,
  deepOf: (codes: readonly Code[]) => Functions,
): Compiled {
  let deepForms: Functions | undefined;
  const codes: Code[] = [];
  const deepFunction = (index: number): DeepCode => {
    deepForms ??= deepOf(codes);
    return deepForms[index] as DeepCode;
  };
  for (let index = 0; index < count; index += 1) {
    const pending = (() => undefined) as FastCode;
    codes.push(new Code(pending, leaves.has(index) ? undefined : () => deepFunction(index)));
  }
  const functions = make(codes) as FastCode[];
  functions.forEach((fast, index) => {
    codes[index]!.fast = fast;
  });
  return { fast: functions[0]!, code: codes[0]! };
}

function scriptOf(
  { source, places }: EmittedModule,
  code: CodeName,
  form: Mode,
  origin?: ScriptOrigin,
): Script {
  const name = scriptName(code, places);
  if (origin === undefined) return { source, name };
  return { source, name, trailer: debuggingTrailer(origin, form, name, places) };
}

const load = (
  emitted: EmittedModule,
  code: CodeName,
  unit: Unit,
  codes: readonly Code[],
  origin?: ScriptOrigin,
) => {
  const script = scriptOf(emitted, code, 'deep', origin);
  return factoryOf(script)(RUNTIME, unit.constants, unit.definitions, codes);
};

/** This is safe for `new Function`: the source has only numbers and generated names, and the script's name only digits. */
export const factoryOf = ({ source, name, trailer }: Script): Factory =>
  new Function(...FACTORY_PARAMS, `${source}\n${trailer ?? `//# sourceURL=${name}`}`) as Factory;
