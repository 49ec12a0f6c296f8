/** The code of a DAR's templates, with the types of Canticle's interpreter. */
import { Update } from '../define/update.js';
import { lf2 } from '../archive/lf-messages.js';
import type { LfChoice, LfImplementation, LfTemplate } from '../archive/lf-definitions.js';
import type {
  ChoiceTarget,
  CodeContext,
  InterfaceImplementation,
  MethodSignature,
  TemplateCode,
} from '../model/package.js';
import { interfaceDefinition } from '../model/package.js';
import type { DamlType, TypeId } from '../model/types.js';
import type { DamlRecord, DamlValue, Party } from '../model/values.js';
import type { CompiledActions } from './runtime/actions.js';
import type { RuntimeImplementation, RuntimeTemplate } from './runtime/compiled.js';
import { toLedger, toRuntime } from './runtime/convert.js';
import { crash } from '../refusals/refusals.js';
import { call, LfChoiceCode, lowers, NO_PARTIES } from './choice-code.js';
import type { Expression } from './lowering/expression.js';
import type { SourceLocation } from '../errors/source-location.js';
import {
  applyAll,
  callOfDefinition,
  machineOf,
  type Definition,
  type Machine,
} from './runtime/machine.js';
import { Message } from '../archive/wire/message.js';
import type { Program } from './program.js';
import { listToArray, type Cons, type Fun, type RuntimeRecord } from './runtime/runtime-values.js';

const TRUE: Expression = { kind: 'constant', value: true };
const NOTHING: Expression = { kind: 'constant', value: null };

export class LfTemplateCode implements RuntimeTemplate, TemplateCode {
  readonly canonical = true;
  private readonly param: string;
  private readonly parts = new Map<string, Definition>();
  private readonly own = new Map<TypeId, RuntimeImplementation>();

  constructor(
    private readonly program: Program,
    private readonly payloadType: DamlType,
    private readonly lf: LfTemplate,
  ) {
    this.param = program.string(lf.message.param);
  }

  private part(name: string, bytes: Uint8Array | undefined, absent: Expression): Definition {
    let part = this.parts.get(name);
    if (part === undefined) {
      part = this.program.function(name, [this.param], lowers(bytes, absent));
      this.parts.set(name, part);
    }
    return part;
  }

  private record(payload: DamlRecord, { packages }: CodeContext): RuntimeRecord {
    return toRuntime(packages, this.payloadType, payload) as RuntimeRecord;
  }

  precondition(payload: DamlRecord, context: CodeContext): boolean {
    const definition = this.part('precondition', this.lf.message.precondition, TRUE);
    return call(definition, [this.record(payload, context)], machineOf(context)) === true;
  }

  get preconditionAt(): SourceLocation | undefined {
    const { precondition, location } = this.lf.message;
    const own = precondition && this.program.placeOf(precondition);
    return own ?? (location && this.program.placeAt(Message.of(location)));
  }

  signatories(payload: DamlRecord, context: CodeContext): readonly Party[];
  signatories(record: RuntimeRecord, machine: Machine, depth: number): Cons;
  signatories(
    value: DamlRecord | RuntimeRecord,
    context: CodeContext,
    depth?: number,
  ): readonly Party[] | Cons {
    return this.parties('signatories', value, machineOf(context), depth);
  }

  observers(payload: DamlRecord, context: CodeContext): readonly Party[];
  observers(record: RuntimeRecord, machine: Machine, depth: number): Cons;
  observers(
    value: DamlRecord | RuntimeRecord,
    context: CodeContext,
    depth?: number,
  ): readonly Party[] | Cons {
    return this.parties('observers', value, machineOf(context), depth);
  }

  private parties(
    name: 'signatories' | 'observers',
    value: DamlRecord | RuntimeRecord,
    machine: Machine,
    depth: number | undefined,
  ): readonly Party[] | Cons {
    const definition = this.part(name, this.lf.message[name], NO_PARTIES);
    if (depth !== undefined) return call(definition, [value], machine, depth) as Cons;
    const record = this.record(value as DamlRecord, machine);
    return listToArray(call(definition, [record], machine) as Cons) as Party[];
  }

  key(payload: DamlRecord, keyType: DamlType, context: CodeContext): DamlValue {
    const machine = machineOf(context);
    const { key, maintainers } = this.keyDefinition;
    const value = call(this.part('key', key, NOTHING), [this.record(payload, machine)], machine);
    try {
      return toLedger(machine.packages, keyType, value);
    } catch (error) {
      // Computes the maintainers before the key is checked, because they may throw a different error.
      this.maintainersOf(maintainers, value, machine);
      throw error;
    }
  }

  maintainers(key: DamlValue, keyType: DamlType, context: CodeContext): readonly Party[] {
    const { maintainers } = this.keyDefinition;
    const value = toRuntime(context.packages, keyType, key);
    return listToArray(this.maintainersOf(maintainers, value, machineOf(context))) as Party[];
  }

  private get keyDefinition() {
    if (this.lf.message.key === undefined) throw crash('the template has no key');
    return lf2.decode('DefTemplate.DefKey', this.lf.message.key);
  }

  private maintainersOf(bytes: Uint8Array | undefined, key: unknown, machine: Machine): Cons {
    return call(this.maintainersPart(bytes), [key], machine) as Cons;
  }

  private maintainersPart(bytes: Uint8Array | undefined): Definition {
    let part = this.parts.get('maintainers');
    if (part === undefined) {
      part = this.program.function('maintainers', [], lowers(bytes, NO_PARTIES));
      this.parts.set('maintainers', part);
    }
    return part;
  }

  /** All code of the template except that of its choices. */
  *definitions(): Generator<Definition, undefined> {
    const { precondition, signatories, observers, key } = this.lf.message;
    yield this.part('precondition', precondition, TRUE);
    yield this.part('signatories', signatories, NO_PARTIES);
    yield this.part('observers', observers, NO_PARTIES);
    if (key !== undefined) {
      const { key: value, maintainers } = this.keyDefinition;
      yield this.part('key', value, NOTHING);
      yield this.maintainersPart(maintainers);
    }
    for (const id of this.lf.implementations.keys())
      yield* this.implementation(id)?.definitions ?? [];
  }

  choice(choice: LfChoice, argumentType: DamlType, returnType: DamlType): LfChoiceCode {
    return new LfChoiceCode(this.program, this.param, choice, argumentType, returnType, (target) =>
      this.record(target.payload, target.context),
    );
  }

  implementation(id: TypeId): RuntimeImplementation | undefined {
    let implementation = this.own.get(id);
    if (implementation === undefined) {
      const lf = this.lf.implementations.get(id);
      if (lf === undefined) return undefined;
      implementation = this.implement(lf);
      this.own.set(id, implementation);
    }
    return implementation;
  }

  private implement({ interfaceId, methods, view }: LfImplementation): RuntimeImplementation {
    const part = (name: string, bytes: Uint8Array | undefined) =>
      this.program.function(`${interfaceId} ${name}`, [this.param], lowers(bytes, NOTHING));
    // A method's name cannot start with a colon.
    const body = part(':view', view);
    const definitions = new Map([...methods].map(([name, bytes]) => [name, part(name, bytes)]));
    const methodOf = (name: string): Definition => {
      const definition = definitions.get(name);
      if (definition === undefined) throw crash(`no implementation of method ${name}`);
      return definition;
    };
    return {
      definitions: [body, ...definitions.values()],
      view: (record, machine, depth) => call(body, [record], machine, depth),
      method: (name, record, machine, depth) => call(methodOf(name), [record], machine, depth),
      calls: {
        view: (record) => callOfDefinition(body, record),
        method: (name, record) => callOfDefinition(methodOf(name), record),
      },
    };
  }

  /** The implementation for templates and interfaces in TypeScript. */
  implementationCode(id: TypeId): NonNullable<InterfaceImplementation['code']> {
    const view = (payload: DamlRecord, context: CodeContext): DamlRecord => {
      const machine = machineOf(context);
      const { viewType } = interfaceDefinition(machine.packages, id)!;
      const record = this.record(payload, machine);
      const value = this.implementation(id)!.view(record, machine, machine.base);
      return toLedger(machine.packages, viewType, value) as DamlRecord;
    };
    return { view, methods: this.foreignMethods(id, view) };
  }

  private foreignMethods(
    id: TypeId,
    view: (payload: DamlRecord, context: CodeContext) => DamlRecord,
  ): Readonly<Record<string, (...args: never[]) => unknown>> {
    const methods: Record<string, (target: ChoiceTarget, ...args: unknown[]) => unknown> = {
      ':view': (target) => view(target.payload, target.context),
      ':signatories': (target) => this.signatories(target.payload, target.context),
    };
    for (const name of this.lf.implementations.get(id)!.methods.keys())
      methods[name] = (target, ...args) => this.callMethod(id, name, target, args);
    return methods as unknown as Readonly<Record<string, (...args: never[]) => unknown>>;
  }

  private callMethod(id: TypeId, name: string, target: ChoiceTarget, args: unknown[]): unknown {
    const machine = machineOf(target.context);
    const { packages, base, actions: before } = machine;
    const signature = methodSignature(packages, this.program, id, name);
    const record = this.record(target.payload, machine);
    const method = this.implementation(id)!.method(name, record, machine, base);
    const update = args[0] instanceof Update ? (args.shift() as Update) : undefined;
    const ledger = signature.args[0]?.kind === 'contractId' ? [target.contractId, ...args] : args;
    const given = signature.args.map((type, index) =>
      toRuntime(packages, type, ledger[index] as DamlValue),
    );
    if (signature.isUpdate) given.push(0);
    if (update !== undefined) machine.actions = update.untyped as CompiledActions;
    try {
      const result = given.length === 0 ? method : applyAll(method as Fun, given, machine, base);
      return toLedger(packages, signature.result, result);
    } finally {
      machine.actions = before;
    }
  }
}

function methodSignature(
  lookup: Parameters<typeof interfaceDefinition>[0],
  program: Program,
  id: TypeId,
  name: string,
): MethodSignature {
  const signature =
    interfaceDefinition(lookup, id)?.methods?.get(name) ?? program.methodSignature(id, name);
  if (signature === undefined) throw crash(`${id} has no method ${name}`);
  return signature;
}
