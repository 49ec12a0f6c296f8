/**
 * Operations that run code of unbounded nesting, for deep code: `[operation, 0, arguments]` is a call, and the frames of the code that it
 * runs are on the heap as well. Code in TypeScript uses JavaScript's stack.
 */
import type { TypeId } from '../../model/types.js';
import type { ContractId } from '../../model/values.js';
import type { SourceLocation } from '../../errors/source-location.js';
import { actionsOf, guardOf, implementationOf } from './operations.js';
import type { CompiledActions } from './actions.js';
import { callOf, nativeDepth, type Machine } from './machine.js';
import { checkView } from './runtime-templates.js';
import { Code, type Any, type Call, type FastCode, type Fun } from './runtime-values.js';
import type { RuntimeRecord } from './runtime-values.js';

type At = SourceLocation | undefined;
type Steps = Generator<Call, unknown, unknown>;

/** Calls the interpreter. Meanwhile, the machine has the current stack depth for code that starts there. */
function* started(
  machine: Machine,
  depth: number,
  steps: (ledger: CompiledActions) => Steps,
): Steps {
  const base = nativeDepth(machine, depth);
  machine.look();
  const before = machine.base;
  machine.base = base;
  try {
    return yield* steps(actionsOf(machine));
  } finally {
    machine.base = before;
  }
}

const neverFast = (() => undefined) as FastCode;

function operation(steps: (self: 0, ...args: never[]) => Steps, guards = false): Code {
  return new Code(neverFast, () => steps as never, guards);
}

export const heapOperations = {
  exercise: operation(function* (
    _self,
    template: TypeId,
    choice: string,
    at: At,
    contractId: ContractId,
    argument: unknown,
    machine: Machine,
    depth: number,
  ) {
    return yield* started(machine, depth, (ledger) =>
      ledger.exerciseSteps(template, choice, at, contractId, argument, null),
    );
  }, true),
  exerciseInterface: operation(function* (
    _self,
    id: TypeId,
    choice: string,
    at: At,
    guard: Fun | null,
    contractId: ContractId,
    argument: unknown,
    machine: Machine,
    depth: number,
  ) {
    return yield* started(machine, depth, (ledger) =>
      ledger.exerciseSteps(id, choice, at, contractId, argument, guardOf(guard, machine)),
    );
  }, true),
  exerciseByKey: operation(function* (
    _self,
    template: TypeId,
    choice: string,
    at: At,
    key: unknown,
    argument: unknown,
    machine: Machine,
    depth: number,
  ) {
    return yield* started(machine, depth, (ledger) =>
      ledger.exerciseByKeySteps(template, choice, at, key, argument),
    );
  }, true),
  tryCatch: operation(function* (_self, body: Fun, handler: Fun, machine: Machine, depth: number) {
    return yield* started(machine, depth, (ledger) =>
      ledger.trySteps(
        callOf(body, 0),
        (exception) => callOf(handler, exception),
        (update) => callOf(update, 0),
      ),
    );
  }, true),
  callInterface: operation(function* (
    _self,
    id: TypeId,
    method: string,
    contract: Any,
    machine: Machine,
    depth: number,
  ) {
    const implementation = implementationOf(id, contract, machine);
    const record = contract.value as RuntimeRecord;
    const { calls } = implementation;
    if (calls === undefined) return implementation.method(method, record, machine, depth);
    return yield calls.method(method, record);
  }),
  viewInterface: operation(function* (
    _self,
    id: TypeId,
    contract: Any,
    machine: Machine,
    depth: number,
  ) {
    const implementation = implementationOf(id, contract, machine);
    const record = contract.value as RuntimeRecord;
    const { calls } = implementation;
    const view = calls ? yield calls.view(record) : implementation.view(record, machine, depth);
    checkView(machine.packages, id, view);
    return view;
  }),
} satisfies Readonly<Record<string, Code>>;
