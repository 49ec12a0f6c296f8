/**
 * Templates as compiled code sees them, whoever wrote them: of a DAR directly, of TypeScript through its code and with
 * values converted.
 */
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
import { codeCannotRun, unknownDefinition } from '../../refusals/refusals.js';
import type { TypeId } from '../../model/types.js';
import { translate } from '../../upgrade/version.js';
import type { ContractId, DamlRecord, DamlValue } from '../../model/values.js';
import {
  isCompiled,
  isCompiledChoice,
  type RuntimeImplementation,
  type RuntimeTemplate,
} from './compiled.js';
import { toLedger, toRuntime } from './convert.js';
import { crash } from '../../refusals/refusals.js';
import { machine } from './machine.js';
import {
  Code,
  Fun,
  listFrom,
  type Any,
  type Cons,
  type FastCode,
  type RuntimeRecord,
} from './runtime-values.js';

function packages(): PackageLookup {
  if (machine.packages === undefined)
    throw crash('code of a contract runs outside of a transaction');
  return machine.packages;
}

export function runtimeTemplate(id: TypeId): RuntimeTemplate {
  const template = templateOf(packages(), id);
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

export function implementsInterface(template: TypeId, id: TypeId): boolean {
  return templateOf(packages(), template)?.implementations.has(id) ?? false;
}

/** Refuses a view that no ledger value may be. @throws LedgerError VALUE_NESTING, MALFORMED_TEXT */
export function checkView(id: TypeId, view: unknown): void {
  toLedger(packages(), interfaceDefinition(packages(), id)!.viewType, view);
}

/** The record as another version of its template has it; undefined for a template of another package name. */
export function translatedRecord(
  source: TypeId,
  target: TypeId,
  record: RuntimeRecord,
): RuntimeRecord | undefined {
  const [from, to] = [templateOf(packages(), source), templateOf(packages(), target)];
  if (from === undefined || to === undefined || from.packageName !== to.packageName)
    return undefined;
  const payload = toLedger(packages(), from.payloadType, record) as DamlRecord;
  const translated = translate(packages(), from, to, payload, undefined);
  return toRuntime(packages(), to.payloadType, translated) as RuntimeRecord;
}

/** A template written in TypeScript. */
function wrap(template: Template): RuntimeTemplate {
  const payload = (record: RuntimeRecord): DamlRecord =>
    toLedger(packages(), template.payloadType, record) as DamlRecord;
  return {
    signatories: (record) => listFrom(template.code!.signatories(payload(record))),
    observers: (record) => listFrom(template.code!.observers(payload(record))),
    implementation: (id) => {
      const implementation = template.implementations.get(id);
      return (
        implementation && wrapImplementation(implementation, (record) => targetOf(template, record))
      );
    },
  };
}

/** A contract without an id, as code in TypeScript is given it. */
function targetOf({ id, payloadType }: Template, record: unknown): ChoiceTarget {
  const payload = toLedger(packages(), payloadType, record) as DamlRecord;
  return { contractId: '', templateId: id, payload, methods: {} };
}

/** Who controls or observes a choice, of a template or of an interface, of a contract that need not exist. */
export function choiceParties(
  which: 'controllers' | 'observers',
  id: TypeId,
  name: string,
  contract: unknown,
  argument: unknown,
  depth: number,
): Cons {
  const template = templateOf(packages(), id);
  const choice = (template ?? interfaceDefinition(packages(), id))?.choices.get(name);
  if (choice?.code === undefined) throw codeCannotRun(id);
  const { code, argumentType } = choice;
  if (isCompiledChoice(code)) return code.partiesOf(which, contract, argument, depth);
  const target = template ? targetOf(template, contract) : throughInterface(id, contract as Any);
  return listFrom(code[which](target, toLedger(packages(), argumentType, argument)));
}

function throughInterface(id: TypeId, { type, value }: Any): ChoiceTarget {
  const template = templateOf(packages(), type.constructorId!)!;
  const { methods = {} } = template.implementations.get(id)?.code ?? {};
  return { ...targetOf(template, value), methods };
}

function wrapImplementation(
  { interfaceId, code }: InterfaceImplementation,
  targetOf: (record: RuntimeRecord) => ChoiceTarget,
): RuntimeImplementation {
  if (code === undefined) throw codeCannotRun(interfaceId);
  const definition = interfaceDefinition(packages(), interfaceId)!;
  return {
    view: (record) =>
      toRuntime(packages(), definition.viewType, code.view(targetOf(record).payload)),
    method: (name, record) => {
      const signature = definition.methods?.get(name);
      const method = code.methods[name] as ((...all: unknown[]) => unknown) | undefined;
      if (signature === undefined || method === undefined)
        throw crash(`${interfaceId} has no method ${name}`);
      return methodValue(signature, (args) => {
        const target = { ...targetOf(record), methods: code.methods };
        return method(...methodArguments(signature, target, args));
      });
    },
  };
}

/** The first argument of a method is the contract's own id, where it is one; an update comes before the rest. */
function methodArguments(
  signature: MethodSignature,
  target: ChoiceTarget,
  args: readonly unknown[],
): unknown[] {
  const takesSelf = signature.args[0]?.kind === 'contractId';
  const contractId = takesSelf ? (args[0] as ContractId) : target.contractId;
  const rest = signature.args
    .map((type, index) => toLedger(packages(), type, args[index]))
    .slice(takesSelf ? 1 : 0);
  const update = signature.isUpdate ? [new Update(machine.actions!)] : [];
  return [{ ...target, contractId }, ...update, ...rest];
}

/** A method as compiled code calls it: a function of its arguments and, of an update, the token. */
function methodValue(
  signature: MethodSignature,
  call: (args: readonly unknown[]) => unknown,
): unknown {
  const run = (args: readonly unknown[]): unknown =>
    toRuntime(packages(), signature.result, call(args) as DamlValue);
  const arity = signature.args.length + Number(signature.isUpdate);
  if (arity === 0) return run([]);
  const fast = ((_self: unknown, ...all: unknown[]) => run(all.slice(0, arity))) as FastCode;
  const code = new Code(fast);
  return new Fun(arity, fast, code, []);
}
