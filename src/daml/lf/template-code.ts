/** The code of a DAR's templates and interfaces, with the types of Canticle's interpreter. */
import { Update } from '../define/update.js';
import { lf2 } from '../archive/lf-messages.js';
import type { LfChoice, LfImplementation, LfTemplate } from '../archive/lf-definitions.js';
import type {
  ChoiceTarget,
  CodeContext,
  InterfaceImplementation,
  MethodSignature,
  Template,
  TemplateCode,
  UpdateContext,
} from '../model/package.js';
import { interfaceDefinition, template as templateOf } from '../model/package.js';
import { typeCon } from '../archive/lf-type.js';
import type { DamlType, TypeId } from '../model/types.js';
import type { DamlRecord, DamlValue, Party } from '../model/values.js';
import type { CompiledActions } from './runtime/actions.js';
import type {
  CompiledChoiceCode,
  RuntimeImplementation,
  RuntimeTemplate,
} from './runtime/compiled.js';
import { toLedger, toRuntime } from './runtime/convert.js';
import { crash } from '../refusals/refusals.js';
import { run, type Expression } from './lowering/expression.js';
import type { LfCode } from '../archive/code/expression.js';
import type { Lowering } from './lowering/lowering.js';
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
import type { Fun } from './runtime/runtime-values.js';
import {
  Any,
  listToArray,
  NIL,
  TypeRep,
  type Call,
  type Cons,
  type RuntimeRecord,
} from './runtime/runtime-values.js';

type Native = (self: 0, ...all: unknown[]) => unknown;

function call(
  definition: Definition,
  args: readonly unknown[],
  machine: Machine,
  depth = machine.base,
): unknown {
  void definition.arity;
  if (definition.arity === args.length)
    return (definition.c as unknown as Native)(0, ...args, machine, depth);
  return applyAll(definition.force(machine, depth) as Fun, args, machine, depth);
}

const lowers =
  (bytes: Uint8Array | undefined, absent: Expression) =>
  (by: Lowering, code: LfCode): Expression =>
    bytes === undefined ? absent : by.lower(code.expression(bytes));
const NO_PARTIES: Expression = { kind: 'constant', value: NIL };
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
    let part = this.parts.get('maintainers');
    if (part === undefined) {
      part = this.program.function('maintainers', [], lowers(bytes, NO_PARTIES));
      this.parts.set('maintainers', part);
    }
    return call(part, [key], machine) as Cons;
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

/** A choice of a template or an interface; `self` returns the value of `this`. */
export class LfChoiceCode implements CompiledChoiceCode {
  readonly canonical = true;
  private readonly definitions = new Map<string, Definition>();

  constructor(
    private readonly program: Program,
    private readonly param: string,
    private readonly choice: LfChoice,
    private readonly argumentType: DamlType,
    private readonly returnType: DamlType,
    private readonly self: (target: ChoiceTarget) => unknown,
  ) {}

  private get argumentName(): string {
    const bytes = this.choice.message.argument ?? new Uint8Array();
    return this.program.string(lf2.decode('VarWithType', bytes).variable);
  }

  private partyDefinition(which: 'controllers' | 'observers' | 'authorizers'): Definition {
    let definition = this.definitions.get(which);
    if (definition === undefined) {
      const bytes = this.choice.message[which];
      definition = this.program.function(
        `${this.choice.name} ${which}`,
        [this.param, this.argumentName],
        lowers(bytes, NO_PARTIES),
      );
      this.definitions.set(which, definition);
    }
    return definition;
  }

  partiesOf(
    which: 'controllers' | 'observers',
    contract: unknown,
    argument: unknown,
    machine: Machine,
    depth: number,
  ): Cons {
    return call(this.partyDefinition(which), [contract, argument], machine, depth) as Cons;
  }

  private partyList(
    which: 'controllers' | 'observers' | 'authorizers',
    target: ChoiceTarget,
    argument: DamlValue,
  ): readonly Party[] {
    const machine = machineOf(target.context);
    const value = toRuntime(machine.packages, this.argumentType, argument);
    const args = [this.self(target), value];
    return listToArray(call(this.partyDefinition(which), args, machine) as Cons) as Party[];
  }

  controllers(target: ChoiceTarget, argument: DamlValue): readonly Party[] {
    return this.partyList('controllers', target, argument);
  }

  observers(target: ChoiceTarget, argument: DamlValue): readonly Party[] {
    return this.partyList('observers', target, argument);
  }

  authorizers(target: ChoiceTarget, argument: DamlValue): readonly Party[] | undefined {
    return this.choice.message.authorizers === undefined
      ? undefined
      : this.partyList('authorizers', target, argument);
  }

  private get body(): Definition {
    let definition = this.definitions.get('update');
    if (definition === undefined) {
      const { message } = this.choice;
      const self = this.program.string(message.selfBinder);
      // The last parameter is the token. Names in archives are never empty.
      const params = [this.param, self, this.argumentName, ''];
      definition = this.program.function(`${this.choice.name} update`, params, (by, code) =>
        run(by.lower(code.expression(message.update))),
      );
      this.definitions.set('update', definition);
    }
    return definition;
  }

  private given(target: ChoiceTarget, argument: DamlValue): readonly unknown[] {
    const value = toRuntime(target.context.packages, this.argumentType, argument);
    return [this.self(target), target.contractId, value, 0];
  }

  run(update: UpdateContext, target: ChoiceTarget, argument: DamlValue): DamlValue {
    const machine = machineOf(target.context);
    const { packages, actions: before } = machine;
    machine.actions = update as CompiledActions;
    try {
      const result = call(this.body, this.given(target, argument), machine);
      return toLedger(packages, this.returnType, result);
    } finally {
      machine.actions = before;
    }
  }

  *runSteps(
    update: UpdateContext,
    target: ChoiceTarget,
    argument: DamlValue,
  ): Generator<Call, DamlValue, unknown> {
    const machine = machineOf(target.context);
    const { packages, actions: before } = machine;
    machine.actions = update as CompiledActions;
    try {
      const result = yield callOfDefinition(this.body, ...this.given(target, argument));
      return toLedger(packages, this.returnType, result);
    } finally {
      machine.actions = before;
    }
  }
}

/** The value of `this` in an interface's choice: the contract with its template's type. */
export function interfaceSelf(target: ChoiceTarget): Any {
  const { packages } = target.context;
  const template: Template | undefined = templateOf(packages, target.templateId);
  if (template === undefined) throw crash(`unknown template ${target.templateId}`);
  const record = toRuntime(packages, template.payloadType, target.payload);
  return new Any(TypeRep.of(typeCon(target.templateId)), record);
}
