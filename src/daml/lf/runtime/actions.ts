/** What compiled choices do to the ledger, in run-time values; the interpreter does it. `depth` is the stack taken so far. */
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
  /** The guard, a function of the contract, decides once it was fetched; null is no guard. */
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
  /** Runs the body; a Daml exception rolls back what it did and asks the handler for another update, or none. */
  tryCatch(
    body: () => unknown,
    handler: (exception: Any) => Fun | null,
    run: (update: Fun) => unknown,
  ): unknown;
  /** The contract's id and payload, a pair. */
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
  /** The exercises as deep code has them: they ask for calls, and their frames are on the heap. */
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
