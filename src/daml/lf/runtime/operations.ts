/**
 * Functions that compiled code calls by name, besides builtins: for Any and interfaces, exceptions, and ledger actions. The machine follows
 * their arguments, and then the stack depth if they may run compiled code.
 */
import { wronglyTyped } from '../../refusals/refusals.js';
import { qualifiedNameOf, type TypeId } from '../../model/types.js';
import { Some, type ContractId } from '../../model/values.js';
import type { CompiledActions } from './actions.js';
import type { RuntimeImplementation } from './compiled.js';
import { DamlException, notRequiringInterface, uncaught, userError } from './exceptions.js';
import { crash } from '../../refusals/refusals.js';
import type { SourceLocation } from '../../errors/source-location.js';
import { int64, type Int64 } from './int64.js';
import { ap1, nativeDepth, type Machine } from './machine.js';
import type { TypeRep } from './runtime-values.js';
import { Any, type Fun, type RuntimeRecord } from './runtime-values.js';
import {
  checkView,
  choiceParties,
  implementsInterface,
  runtimeTemplate,
  translatedRecord,
} from './runtime-templates.js';

type At = SourceLocation | undefined;

/** The template of a contract that is used as an interface. */
function templateOf(contract: Any): TypeId {
  const id = contract.type.constructorId;
  if (id === undefined) throw crash('an interface value is no contract');
  return id;
}

export function actionsOf({ actions }: Machine): CompiledActions {
  if (actions === undefined) throw crash('an update runs outside of a transaction');
  return actions;
}

export function implementationOf(
  id: TypeId,
  contract: Any,
  { packages }: Machine,
): RuntimeImplementation {
  const implementation = runtimeTemplate(packages, templateOf(contract)).implementation(id);
  if (implementation === undefined) throw crash(`no implementation of ${id}`);
  return implementation;
}

/** The check of a fetched contract before an exercise. */
export function guardOf(guard: Fun | null, machine: Machine): ((contract: Any) => boolean) | null {
  return guard && ((contract) => ap1(guard, contract, machine, machine.base) === true);
}

/** Calls the interpreter, which may start compiled code above the current stack depth. */
function natively<T>(machine: Machine, depth: number, call: (ledger: CompiledActions) => T): T {
  const base = nativeDepth(machine, depth);
  machine.look();
  const before = machine.base;
  machine.base = base;
  try {
    return call(actionsOf(machine));
  } finally {
    machine.base = before;
  }
}

export const operations = {
  toAny: (type: TypeRep, value: unknown): Any => new Any(type, value),
  fromAny: (type: TypeRep, any: Any): Some | null =>
    any.type === type ? new Some(any.value as never) : null,
  throwException: (type: TypeRep, value: unknown): never => {
    throw new DamlException(new Any(type, value));
  },
  toInterface: (type: TypeRep, record: unknown): Any => new Any(type, record),

  /** Converts a contract of another version of the template's package to this version. */
  fromInterface: (template: TypeId, contract: Any, { packages }: Machine): Some | null => {
    const source = templateOf(contract);
    if (source === template) return new Some(contract.value as never);
    if (qualifiedNameOf(source) !== qualifiedNameOf(template)) return null;
    const record = translatedRecord(packages, source, template, contract.value as RuntimeRecord);
    return record === undefined ? null : new Some(record as never);
  },
  unsafeFromInterface: (template: TypeId, contractId: ContractId, contract: Any): unknown => {
    const source = templateOf(contract);
    if (source !== template) throw wronglyTyped(contractId, template, source);
    return contract.value;
  },
  fromRequiredInterface: (requiring: TypeId, contract: Any, { packages }: Machine): Some | null =>
    implementsInterface(packages, templateOf(contract), requiring)
      ? new Some(contract as never)
      : null,
  unsafeFromRequiredInterface: (
    required: TypeId,
    requiring: TypeId,
    contractId: ContractId,
    contract: Any,
    { packages }: Machine,
  ): Any => {
    const source = templateOf(contract);
    if (!implementsInterface(packages, source, requiring))
      throw notRequiringInterface(contractId, source, required, requiring);
    return contract;
  },
  interfaceTypeRep: (contract: Any): TypeRep => contract.type,
  callInterface: (
    id: TypeId,
    method: string,
    contract: Any,
    machine: Machine,
    depth: number,
  ): unknown => {
    const implementation = implementationOf(id, contract, machine);
    return implementation.method(method, contract.value as RuntimeRecord, machine, depth);
  },
  viewInterface: (id: TypeId, contract: Any, machine: Machine, depth: number): unknown => {
    const implementation = implementationOf(id, contract, machine);
    const view = implementation.view(contract.value as RuntimeRecord, machine, depth);
    checkView(machine.packages, id, view);
    return view;
  },
  signatoryInterface: (_id: TypeId, contract: Any, machine: Machine, depth: number): unknown =>
    runtimeTemplate(machine.packages, templateOf(contract)).signatories(
      contract.value as RuntimeRecord,
      machine,
      nativeDepth(machine, depth),
    ),
  observerInterface: (_id: TypeId, contract: Any, machine: Machine, depth: number): unknown =>
    runtimeTemplate(machine.packages, templateOf(contract)).observers(
      contract.value as RuntimeRecord,
      machine,
      nativeDepth(machine, depth),
    ),
  choiceController: (
    id: TypeId,
    choice: string,
    contract: unknown,
    argument: unknown,
    machine: Machine,
    depth: number,
  ): unknown =>
    uncaught(() =>
      choiceParties(
        'controllers',
        id,
        choice,
        contract,
        argument,
        machine,
        nativeDepth(machine, depth),
      ),
    ),
  choiceObserver: (
    id: TypeId,
    choice: string,
    contract: unknown,
    argument: unknown,
    machine: Machine,
    depth: number,
  ): unknown =>
    uncaught(() =>
      choiceParties(
        'observers',
        id,
        choice,
        contract,
        argument,
        machine,
        nativeDepth(machine, depth),
      ),
    ),
  experimental: (name: string): never => {
    throw userError(`experimental ${name} not supported.`);
  },

  getTime: (machine: Machine): Int64 => int64(actionsOf(machine).getTime()),
  ledgerTimeLt: (time: Int64, machine: Machine, depth: number): boolean =>
    natively(machine, depth, (ledger) => ledger.ledgerTimeLt(time)),
  create: (
    template: TypeId,
    at: At,
    payload: RuntimeRecord,
    machine: Machine,
    depth: number,
  ): ContractId => natively(machine, depth, (ledger) => ledger.createValue(template, at, payload)),
  createInterface: (at: At, contract: Any, machine: Machine, depth: number): ContractId =>
    natively(machine, depth, (ledger) =>
      ledger.createValue(templateOf(contract), at, contract.value as RuntimeRecord),
    ),
  exercise: (
    template: TypeId,
    choice: string,
    at: At,
    contractId: ContractId,
    argument: unknown,
    machine: Machine,
    depth: number,
  ): unknown =>
    natively(machine, depth, (ledger) =>
      ledger.exerciseValue(template, choice, at, contractId, argument),
    ),
  exerciseInterface: (
    id: TypeId,
    choice: string,
    at: At,
    guard: Fun | null,
    contractId: ContractId,
    argument: unknown,
    machine: Machine,
    depth: number,
  ): unknown =>
    natively(machine, depth, (ledger) =>
      ledger.exerciseInterface(id, choice, at, contractId, argument, guardOf(guard, machine)),
    ),
  fetch: (
    template: TypeId,
    at: At,
    contractId: ContractId,
    machine: Machine,
    depth: number,
  ): unknown => natively(machine, depth, (ledger) => ledger.fetchValue(template, at, contractId)),
  fetchInterface: (
    id: TypeId,
    at: At,
    contractId: ContractId,
    machine: Machine,
    depth: number,
  ): Any => natively(machine, depth, (ledger) => ledger.fetchInterface(id, at, contractId)),
  fetchByKey: (template: TypeId, at: At, key: unknown, machine: Machine, depth: number): unknown =>
    natively(machine, depth, (ledger) => ledger.fetchValueByKey(template, at, key)),
  lookupByKey: (template: TypeId, at: At, key: unknown, machine: Machine, depth: number): unknown =>
    natively(machine, depth, (ledger) => ledger.lookupValueByKey(template, at, key)),
  queryNByKey: (
    template: TypeId,
    at: At,
    count: Int64,
    key: unknown,
    machine: Machine,
    depth: number,
  ): unknown =>
    natively(machine, depth, (ledger) => ledger.queryValuesByKey(template, at, count, key)),
  exerciseByKey: (
    template: TypeId,
    choice: string,
    at: At,
    key: unknown,
    argument: unknown,
    machine: Machine,
    depth: number,
  ): unknown =>
    natively(machine, depth, (ledger) =>
      ledger.exerciseValueByKey(template, choice, at, key, argument),
    ),
  tryCatch: (body: Fun, handler: Fun, machine: Machine, depth: number): unknown =>
    natively(machine, depth, (ledger) =>
      ledger.tryCatch(
        () => ap1(body, 0, machine, machine.base),
        (exception) =>
          (ap1(handler, exception, machine, machine.base) as Some<never> | null)?.value ?? null,
        (update) => ap1(update, 0, machine, machine.base),
      ),
    ),
};
