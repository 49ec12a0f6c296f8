/** Additional members of a package from a DAR: its code for other compiled code. */
import type {
  ChoiceCode,
  ChoiceTarget,
  DamlPackage,
  Template,
  UpdateContext,
} from '../../model/package.js';
import type { QualifiedName, TypeId } from '../../model/types.js';
import type { DamlValue } from '../../model/values.js';
import type { Definition, Machine } from './machine.js';
import type { Call, Cons, RuntimeRecord } from './runtime-values.js';

export interface CompiledPackage extends DamlPackage {
  /** The code that computes an exception's message. */
  exceptionMessage(name: QualifiedName): Definition | undefined;
}

export interface CompiledTemplate extends Template {
  readonly runtime: RuntimeTemplate;
}

export interface CompiledChoiceCode extends ChoiceCode {
  /** Controllers or observers as run-time values; `depth` is the current stack depth. */
  partiesOf(
    which: 'controllers' | 'observers',
    contract: unknown,
    argument: unknown,
    machine: Machine,
    depth: number,
  ): Cons;
  /** Like `run`, with the frames of its calls on the heap. */
  runSteps(
    update: UpdateContext,
    target: ChoiceTarget,
    argument: DamlValue,
  ): Generator<Call, DamlValue, unknown>;
}

/** A template's code on run-time values; `depth` is the current stack depth. */
export interface RuntimeTemplate {
  signatories(record: RuntimeRecord, machine: Machine, depth: number): Cons;
  observers(record: RuntimeRecord, machine: Machine, depth: number): Cons;
  implementation(interfaceId: TypeId): RuntimeImplementation | undefined;
}

export interface RuntimeImplementation {
  /** The definitions of its view and methods, for code of a DAR. */
  readonly definitions?: readonly Definition[];
  view(record: RuntimeRecord, machine: Machine, depth: number): unknown;
  method(name: string, record: RuntimeRecord, machine: Machine, depth: number): unknown;
  /** The same functions for deep code; undefined for code in TypeScript. */
  readonly calls?: {
    view(record: RuntimeRecord): Call;
    method(name: string, record: RuntimeRecord): Call;
  };
}

export function isCompiledPackage(of: DamlPackage): of is CompiledPackage {
  return 'exceptionMessage' in of;
}

export function isCompiled(template: Template): template is CompiledTemplate {
  return 'runtime' in template;
}

export function isCompiledChoice(code: ChoiceCode): code is CompiledChoiceCode {
  return 'partiesOf' in code;
}
