/** The ledger actions of compiled choices, on run-time values; the interpreter implements them. `depth` is the current stack depth. */
import type { ExternalCall } from '../../model/transaction.js';
import type { UpdateContext } from '../../model/package.js';
import type { TypeId } from '../../model/types.js';
import type { ContractId } from '../../model/values.js';
import type { SourceLocation } from '../../errors/source-location.js';
import type { Int64 } from './int64.js';
import type { Any, Call, Fun, RuntimeRecord } from './runtime-values.js';
import type { Some } from '../../model/values.js';

type At = SourceLocation | undefined;
type Steps = Generator<Call, unknown, unknown>;

export interface CompiledActions extends UpdateContext {
  createValue(template: TypeId, at: At, payload: RuntimeRecord): ContractId;
  exerciseValue(
    template: TypeId,
    choice: string,
    at: At,
    contractId: ContractId,
    argument: unknown,
  ): unknown;
  /** The guard is a function of the fetched contract, or null if there is none. */
  exerciseInterface(
    id: TypeId,
    choice: string,
    at: At,
    contractId: ContractId,
    argument: unknown,
    guard: ((contract: Any) => boolean) | null,
  ): unknown;
  fetchValue(template: TypeId, at: At, contractId: ContractId): RuntimeRecord;
  fetchInterface(id: TypeId, at: At, contractId: ContractId): Any;
  ledgerTimeLt(time: Int64): boolean;
  /** @returns the output */
  externalCall(call: ExternalCall): string;
  /** Runs the body. A Daml exception rolls back its actions and calls the handler, which returns another update or none. */
  tryCatch(
    body: () => unknown,
    handler: (exception: Any) => Fun | null,
    run: (update: Fun) => unknown,
  ): unknown;
  /** The contract's id and payload, as a pair. */
  fetchValueByKey(template: TypeId, at: At, key: unknown): RuntimeRecord;
  lookupValueByKey(template: TypeId, at: At, key: unknown): Some | null;
  /** Some list of pairs of contract id and payload. */
  queryValuesByKey(template: TypeId, at: At, count: Int64, key: unknown): Some;
  exerciseValueByKey(
    template: TypeId,
    choice: string,
    at: At,
    key: unknown,
    argument: unknown,
  ): unknown;
  /** Exercises for deep code: they yield calls, and their frames are on the heap. */
  exerciseSteps(
    id: TypeId,
    choice: string,
    at: At,
    contractId: ContractId,
    argument: unknown,
    guard: ((contract: Any) => boolean) | null,
  ): Steps;
  exerciseByKeySteps(
    template: TypeId,
    choice: string,
    at: At,
    key: unknown,
    argument: unknown,
  ): Steps;
  trySteps(body: Call, handler: (exception: Any) => Call, run: (update: Fun) => Call): Steps;
}
