/** Templates as compiled code uses them: directly if they are from a DAR, with converted values if they are in TypeScript. */
import { Update } from '../../define/update.js';
import {
  interfaceDefinition,
  template as templateOf,
  type ChoiceTarget,
  type InterfaceImplementation,
  type MethodSignature,
  type PackageLookup,
  type Template,
} from '../../model/package.js';
import { unknownDefinition } from '../../refusals/refusals.js';
import type { TypeId } from '../../model/types.js';
import { translate } from '../../upgrade/version.js';
import type { ContractId, DamlRecord, DamlValue } from '../../model/values.js';
import {
  isCompiled,
  isCompiledChoice,
  type RuntimeImplementation,
  type RuntimeTemplate,
} from './compiled.js';
import { checkLedgerValue, toLedger, toRuntime } from './convert.js';
import { crash } from '../../refusals/refusals.js';
import type { Machine } from './machine.js';
import {
  Code,
  Fun,
  listFrom,
  type Any,
  type Cons,
  type FastCode,
  type RuntimeRecord,
} from './runtime-values.js';

export function runtimeTemplate(packages: PackageLookup, id: TypeId): RuntimeTemplate {
  const template = templateOf(packages, id);
  if (template === undefined) throw unknownDefinition(id);
  return runtimeOf(template);
}

const foreign = new WeakMap<Template, RuntimeTemplate>();

function runtimeOf(template: Template): RuntimeTemplate {
  if (isCompiled(template)) return template.runtime;
  let wrapped = foreign.get(template);
  if (wrapped === undefined) {
    wrapped = wrap(template);
    foreign.set(template, wrapped);
  }
  return wrapped;
}

export function implementsInterface(
  packages: PackageLookup,
  template: TypeId,
  id: TypeId,
): boolean {
  return templateOf(packages, template)?.implementations.has(id) ?? false;
}

/**
 * Checks an interface view.
 * @throws LedgerError VALUE_NESTING, MALFORMED_TEXT
 */
export function checkView(packages: PackageLookup, id: TypeId, view: unknown): void {
  checkLedgerValue(packages, interfaceDefinition(packages, id)!.viewType, view);
}

/** The record for another version of its template; undefined for a template of another package name. */
export function translatedRecord(
  packages: PackageLookup,
  source: TypeId,
  target: TypeId,
  record: RuntimeRecord,
): RuntimeRecord | undefined {
  const [from, to] = [templateOf(packages, source), templateOf(packages, target)];
  if (from === undefined || to === undefined || from.packageName !== to.packageName)
    return undefined;
  const payload = toLedger(packages, from.payloadType, record) as DamlRecord;
  const translated = translate(packages, from, to, payload, undefined);
  return toRuntime(packages, to.payloadType, translated) as RuntimeRecord;
}

/** A template in TypeScript. */
function wrap(template: Template): RuntimeTemplate {
  const payload = (record: RuntimeRecord, { packages }: Machine): DamlRecord =>
    toLedger(packages, template.payloadType, record) as DamlRecord;
  return {
    signatories: (record, machine) =>
      listFrom(template.code.signatories(payload(record, machine), machine)),
    observers: (record, machine) =>
      listFrom(template.code.observers(payload(record, machine), machine)),
    implementation: (id) => {
      const implementation = template.implementations.get(id);
      return (
        implementation &&
        wrapImplementation(implementation, (record, machine) => targetOf(template, record, machine))
      );
    },
  };
}

/** A contract without an id, for code in TypeScript. */
function targetOf({ id, payloadType }: Template, record: unknown, machine: Machine): ChoiceTarget {
  const payload = toLedger(machine.packages, payloadType, record) as DamlRecord;
  return { contractId: '', templateId: id, payload, methods: {}, context: machine };
}

/** Controllers or observers of a choice of a template or interface, for a contract that need not exist. */
export function choiceParties(
  which: 'controllers' | 'observers',
  id: TypeId,
  name: string,
  contract: unknown,
  argument: unknown,
  machine: Machine,
  depth: number,
): Cons {
  const { packages } = machine;
  const template = templateOf(packages, id);
  const choice = (template ?? interfaceDefinition(packages, id))?.choices.get(name);
  if (choice === undefined) throw unknownDefinition(id);
  const { code, argumentType } = choice;
  if (isCompiledChoice(code)) return code.partiesOf(which, contract, argument, machine, depth);
  const target = template
    ? targetOf(template, contract, machine)
    : throughInterface(id, contract as Any, machine);
  return listFrom(code[which](target, toLedger(packages, argumentType, argument)));
}

function throughInterface(id: TypeId, { type, value }: Any, machine: Machine): ChoiceTarget {
  const template = templateOf(machine.packages, type.constructorId!)!;
  const { methods = {} } = template.implementations.get(id)?.code ?? {};
  return { ...targetOf(template, value, machine), methods };
}

function wrapImplementation(
  { interfaceId, code }: InterfaceImplementation,
  targetOf: (record: RuntimeRecord, machine: Machine) => ChoiceTarget,
): RuntimeImplementation {
  return {
    view: (record, machine) => {
      const { packages } = machine;
      const { viewType } = interfaceDefinition(packages, interfaceId)!;
      return toRuntime(packages, viewType, code.view(targetOf(record, machine).payload, machine));
    },
    method: (name, record, machine) => {
      const signature = interfaceDefinition(machine.packages, interfaceId)!.methods?.get(name);
      const method = code.methods[name] as ((...all: unknown[]) => unknown) | undefined;
      if (signature === undefined || method === undefined)
        throw crash(`${interfaceId} has no method ${name}`);
      return methodValue(signature, machine, (args, running) => {
        const target = { ...targetOf(record, running), methods: code.methods };
        return method(...methodArguments(signature, target, args, running));
      });
    },
  };
}

/** If the first argument of a method is the contract's id, it is added here. An update precedes the other arguments. */
function methodArguments(
  signature: MethodSignature,
  target: ChoiceTarget,
  args: readonly unknown[],
  { packages, actions }: Machine,
): unknown[] {
  const takesSelf = signature.args[0]?.kind === 'contractId';
  const contractId = takesSelf ? (args[0] as ContractId) : target.contractId;
  const rest = signature.args
    .map((type, index) => toLedger(packages, type, args[index]))
    .slice(takesSelf ? 1 : 0);
  const update = signature.isUpdate ? [new Update(actions!)] : [];
  return [{ ...target, contractId }, ...update, ...rest];
}

/** A method as a function value of its arguments and, if it is an update, the token. */
function methodValue(
  signature: MethodSignature,
  machine: Machine,
  call: (args: readonly unknown[], machine: Machine) => unknown,
): unknown {
  const run = (args: readonly unknown[], on: Machine): unknown =>
    toRuntime(on.packages, signature.result, call(args, on) as DamlValue);
  const arity = signature.args.length + Number(signature.isUpdate);
  if (arity === 0) return run([], machine);
  const fast = ((_self: unknown, ...all: unknown[]) =>
    run(all.slice(0, arity), all[arity] as Machine)) as FastCode;
  const code = new Code(fast);
  return new Fun(arity, fast, code, []);
}
