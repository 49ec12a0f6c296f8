/** The code of a choice of a template or an interface. */
import { lf2 } from '../archive/lf-messages.js';
import type { LfChoice } from '../archive/lf-definitions.js';
import type { LfCode } from '../archive/code/expression.js';
import { typeCon } from '../archive/lf-type.js';
import type { ChoiceTarget, Template, UpdateContext } from '../model/package.js';
import { template as templateOf } from '../model/package.js';
import type { DamlType } from '../model/types.js';
import type { DamlValue, Party } from '../model/values.js';
import { crash } from '../refusals/refusals.js';
import { run, type Expression } from './lowering/expression.js';
import type { Lowering } from './lowering/lowering.js';
import type { Program } from './program.js';
import type { CompiledActions } from './runtime/actions.js';
import type { CompiledChoiceCode } from './runtime/compiled.js';
import { callCode } from './runtime/calling.js';
import { toLedger, toRuntime } from './runtime/convert.js';
import {
  applyAll,
  callOfDefinition,
  machineOf,
  type Definition,
  type Machine,
} from './runtime/machine.js';
import {
  Any,
  listToArray,
  NIL,
  TypeRep,
  type Call,
  type Cons,
  type Fun,
} from './runtime/runtime-values.js';

export function call(
  definition: Definition,
  args: readonly unknown[],
  machine: Machine,
  depth = machine.base,
): unknown {
  if (definition.arity === args.length) return callCode(definition.c, 0, args, machine, depth);
  return applyAll(definition.force(machine, depth) as Fun, args, machine, depth);
}

export const lowers =
  (bytes: Uint8Array | undefined, absent: Expression) =>
  (by: Lowering, code: LfCode): Expression =>
    bytes === undefined ? absent : by.lower(code.expression(bytes));
export const NO_PARTIES: Expression = { kind: 'constant', value: NIL };

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

  /** All code of the choice. */
  allCode(): readonly Definition[] {
    const parts = ['controllers', 'observers', 'authorizers'] as const;
    return [...parts.map((which) => this.partyDefinition(which)), this.body];
  }

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
