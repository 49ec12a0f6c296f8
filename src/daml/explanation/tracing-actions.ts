/** The actions of a choice's body, which tell the tracing interpreter first where in the source they stand. */
import { FrameActions } from '../interpreter/frame-actions.js';
import type { Frame } from '../interpreter/frame.js';
import type { SourceLocation } from '../errors/source-location.js';
import type { Int64 } from '../lf/runtime/int64.js';
import type { Any, Call, RuntimeRecord } from '../lf/runtime/runtime-values.js';
import type { FetchedContract } from '../model/package.js';
import type { TypeId } from '../model/types.js';
import type { ContractId, DamlRecord, DamlValue, Some } from '../model/values.js';
import { codeCalls } from './code-places.js';
import type { TracingInterpreter } from './tracing-interpreter.js';

type At = SourceLocation | undefined;

export class TracingActions extends FrameActions {
  constructor(
    private readonly tracing: TracingInterpreter,
    frame: Frame,
  ) {
    super(tracing, frame);
  }

  override create(id: TypeId, payload: DamlRecord): ContractId {
    return this.fromScript(() => super.create(id, payload));
  }

  override exercise(
    id: TypeId,
    contractId: ContractId,
    choice: string,
    argument: DamlValue,
  ): DamlValue {
    return this.fromScript(() => super.exercise(id, contractId, choice, argument));
  }

  override fetch(id: TypeId, contractId: ContractId): FetchedContract {
    return this.fromScript(() => super.fetch(id, contractId));
  }

  override fetchView(
    id: TypeId,
    contractId: ContractId,
  ): FetchedContract & { readonly view: DamlRecord } {
    return this.fromScript(() => super.fetchView(id, contractId));
  }

  override archive(id: TypeId, contractId: ContractId): void {
    this.fromScript(() => super.archive(id, contractId));
  }

  override createValue(id: TypeId, at: At, payload: RuntimeRecord): ContractId {
    this.tracing.comingFrom(codeCalls(), at);
    return super.createValue(id, at, payload);
  }

  override exerciseValue(
    id: TypeId,
    choice: string,
    at: At,
    contractId: ContractId,
    argument: unknown,
  ): unknown {
    this.tracing.comingFrom(codeCalls(), at);
    return super.exerciseValue(id, choice, at, contractId, argument);
  }

  override exerciseInterface(
    id: TypeId,
    choice: string,
    at: At,
    contractId: ContractId,
    argument: unknown,
    guard: ((contract: Any) => boolean) | null,
  ): unknown {
    this.tracing.comingFrom(codeCalls(), at);
    return super.exerciseInterface(id, choice, at, contractId, argument, guard);
  }

  override exerciseSteps(
    id: TypeId,
    choice: string,
    at: At,
    contractId: ContractId,
    argument: unknown,
    guard: ((contract: Any) => boolean) | null,
  ): Generator<Call, unknown, unknown> {
    this.tracing.comingFrom([], at);
    return super.exerciseSteps(id, choice, at, contractId, argument, guard);
  }

  override exerciseByKeySteps(
    id: TypeId,
    choice: string,
    at: At,
    key: unknown,
    argument: unknown,
  ): Generator<Call, unknown, unknown> {
    this.tracing.comingFrom([], at);
    return super.exerciseByKeySteps(id, choice, at, key, argument);
  }

  override fetchValue(id: TypeId, at: At, contractId: ContractId): RuntimeRecord {
    this.tracing.comingFrom(codeCalls(), at);
    return super.fetchValue(id, at, contractId);
  }

  override fetchInterface(id: TypeId, at: At, contractId: ContractId): Any {
    this.tracing.comingFrom(codeCalls(), at);
    return super.fetchInterface(id, at, contractId);
  }

  override fetchByKey(id: TypeId, key: DamlValue): FetchedContract {
    return this.fromScript(() => super.fetchByKey(id, key));
  }

  override queryByKey(id: TypeId, key: DamlValue, count: number): readonly FetchedContract[] {
    return this.fromScript(() => super.queryByKey(id, key, count));
  }

  override exerciseByKey(
    id: TypeId,
    key: DamlValue,
    choice: string,
    argument: DamlValue,
  ): DamlValue {
    return this.fromScript(() => super.exerciseByKey(id, key, choice, argument));
  }

  override fetchValueByKey(id: TypeId, at: At, key: unknown): RuntimeRecord {
    this.tracing.comingFrom(codeCalls(), at);
    return super.fetchValueByKey(id, at, key);
  }

  override lookupValueByKey(id: TypeId, at: At, key: unknown): Some | null {
    this.tracing.comingFrom(codeCalls(), at);
    return super.lookupValueByKey(id, at, key);
  }

  override queryValuesByKey(id: TypeId, at: At, count: Int64, key: unknown): Some {
    this.tracing.comingFrom(codeCalls(), at);
    return super.queryValuesByKey(id, at, count, key);
  }

  override exerciseValueByKey(
    id: TypeId,
    choice: string,
    at: At,
    key: unknown,
    argument: unknown,
  ): unknown {
    this.tracing.comingFrom(codeCalls(), at);
    return super.exerciseValueByKey(id, choice, at, key, argument);
  }

  private fromScript<T>(act: () => T): T {
    this.tracing.comingFrom(codeCalls());
    return act();
  }
}
