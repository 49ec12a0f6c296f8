/** The actions of a choice's body, bound to its exercise, for compiled code. They take run-time values. */
import type { ExternalCall } from '../model/transaction.js';
import { isCompiled } from '../lf/runtime/compiled.js';
import type { Savepoint } from './frame.js';
import { queryLimit } from './keyed-contracts.js';
import { LedgerActions } from './ledger-actions.js';
import type { CompiledActions } from '../lf/runtime/actions.js';
import { LedgerError } from '../errors/ledger-error.js';
import { toLedger, toLedgerUnchecked, toRuntime } from '../lf/runtime/convert.js';
import { ARITHMETIC_ERROR_TYPE, DamlException } from '../lf/runtime/exceptions.js';
import type { SourceLocation } from '../errors/source-location.js';
import { int64, type Int64 } from '../lf/runtime/int64.js';
import {
  Any,
  listFrom,
  TypeRep,
  type Call,
  type Fun,
  type RuntimeRecord,
} from '../lf/runtime/runtime-values.js';
import { interfaceSelf } from '../lf/choice-code.js';
import { typeCon } from '../archive/lf-type.js';
import { ArithmeticError } from '../model/numeric.js';
import {
  template as templateOf,
  type Choice,
  type ChoiceCode,
  type ChoiceTarget,
  type CodeContext,
  type FetchedContract,
  type Template,
} from '../model/package.js';
import * as refuse from '../refusals/refusals.js';
import type { DamlType, TypeId } from '../model/types.js';
import { Some, type ContractId, type DamlRecord, type DamlValue } from '../model/values.js';

type At = SourceLocation | undefined;
type Steps = Generator<Call, unknown, unknown>;

export class FrameActions extends LedgerActions implements CompiledActions {
  private get packages() {
    return this.interpreter.input.packages;
  }

  createValue(id: TypeId, _at: At, payload: RuntimeRecord): ContractId {
    const { interpreter, frame } = this;
    return interpreter.catchable(frame, () => {
      const template = interpreter.resolution.template(id);
      const { value, error } = this.ledgerValue(template.payloadType, payload);
      if (error === undefined) return interpreter.create(frame, template.id, value as DamlRecord);
      runContractCode(template, value as DamlRecord, interpreter.machine);
      throw error;
    });
  }

  exerciseValue(
    id: TypeId,
    choiceName: string,
    _at: At,
    contractId: ContractId,
    argument: unknown,
  ): unknown {
    return this.exerciseCompiled(id, choiceName, contractId, argument);
  }

  exerciseInterface(
    id: TypeId,
    choiceName: string,
    _at: At,
    contractId: ContractId,
    argument: unknown,
    guard: ((contract: Any) => boolean) | null,
  ): unknown {
    return this.exerciseCompiled(id, choiceName, contractId, argument, guard);
  }

  private exerciseCompiled(
    id: TypeId,
    choiceName: string,
    contractId: ContractId,
    argument: unknown,
    guard: ((contract: Any) => boolean) | null = null,
  ): unknown {
    const { interpreter, frame } = this;
    return interpreter.catchable(frame, () => {
      const { choice, value, check } = this.exerciseInput(
        id,
        choiceName,
        contractId,
        argument,
        guard,
      );
      const result = interpreter.exercise(frame, id, contractId, choiceName, value, check);
      return toRuntime(this.packages, choice.returnType, result);
    });
  }

  *exerciseSteps(
    id: TypeId,
    choiceName: string,
    _at: At,
    contractId: ContractId,
    argument: unknown,
    guard: ((contract: Any) => boolean) | null,
  ): Steps {
    return yield* this.steps(
      () => this.exerciseInput(id, choiceName, contractId, argument, guard),
      ({ value, check }) =>
        this.interpreter.exerciseSteps(this.frame, id, contractId, choiceName, value, check),
    );
  }

  /** The input of an exercise: its argument, and the checks that need the contract. */
  private exerciseInput(
    id: TypeId,
    choiceName: string,
    contractId: ContractId,
    argument: unknown,
    guard: ((contract: Any) => boolean) | null,
  ) {
    const { choice } = this.interpreter.resolution.choice(id, choiceName);
    const { value, error } = this.ledgerValue(choice.argumentType, argument);
    const check = (target: ChoiceTarget): void => {
      if (guard !== null && !allows(guard, target))
        throw refuse.choiceGuardFailed(contractId, target.templateId, choiceName, id);
      if (error !== undefined) this.argumentRefused(choice, value, error)(target);
    };
    return { choice, value, check };
  }

  /** Call it as soon as the contract is known. */
  private argumentRefused({ code }: Choice, argument: DamlValue, error: LedgerError) {
    return (target: ChoiceTarget): never => {
      this.interpreter.guarded(this.frame, () => {
        if (code.canonical === true) runParties(code, target, argument);
      });
      throw error;
    };
  }

  /**
   * Converts a run-time value to a ledger value. For an invalid value it returns the error instead of throwing it,
   * because the contract's code runs first and may throw.
   */
  private ledgerValue(type: DamlType, value: unknown): { value: DamlValue; error?: LedgerError } {
    try {
      return { value: toLedger(this.packages, type, value) };
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
      try {
        return { value: toLedgerUnchecked(this.packages, type, value), error };
      } catch {
        // Still too deep for the stack.
        throw error;
      }
    }
  }

  fetchValue(id: TypeId, _at: At, contractId: ContractId): RuntimeRecord {
    const { interpreter, frame } = this;
    return interpreter.catchable(frame, () => {
      const { templateId, payload } = interpreter.fetch(frame, id, contractId);
      return this.recordOf(templateId, payload);
    });
  }

  fetchInterface(id: TypeId, _at: At, contractId: ContractId): Any {
    const { interpreter, frame } = this;
    return interpreter.catchable(frame, () => {
      const { templateId, payload } = interpreter.fetch(frame, id, contractId);
      return new Any(TypeRep.of(typeCon(templateId)), this.recordOf(templateId, payload));
    });
  }

  private recordOf(templateId: TypeId, payload: DamlRecord): RuntimeRecord {
    const { payloadType } = templateOf(this.packages, templateId)!;
    return toRuntime(this.packages, payloadType, payload) as RuntimeRecord;
  }

  externalCall(call: ExternalCall): string {
    return this.interpreter.externalCall(this.frame, call);
  }

  ledgerTimeLt(time: Int64): boolean {
    const { ledgerTime, onTime } = this.interpreter.input;
    const isBefore = int64(ledgerTime) < time;
    onTime?.(isBefore ? { max: BigInt(time) - 1n } : { min: BigInt(time) });
    return isBefore;
  }

  tryCatch(
    body: () => unknown,
    handler: (exception: Any) => Fun | null,
    run: (update: Fun) => unknown,
  ): unknown {
    const savepoint = this.interpreter.beginTry();
    try {
      return body();
    } catch (error) {
      const { value } = this.rolledBack(savepoint, error);
      const update = handler(value);
      if (update !== null) return run(update);
      // Throws it again here, because errors name the exercises that enclose the handler.
      throw new DamlException(value);
    }
  }

  *trySteps(body: Call, handler: (exception: Any) => Call, run: (update: Fun) => Call): Steps {
    const savepoint = this.interpreter.beginTry();
    let exception: DamlException;
    try {
      return yield body;
    } catch (error) {
      exception = this.rolledBack(savepoint, error);
    }
    const update = (yield handler(exception.value)) as Some<never> | null;
    if (update === null) throw new DamlException(exception.value);
    return yield run(update.value);
  }

  /** @throws the error itself if no handler catches it */
  private rolledBack(savepoint: Savepoint, error: unknown): DamlException {
    const exception = daml(error);
    if (exception === undefined) throw error;
    this.interpreter.rollBack(this.frame, savepoint);
    return exception;
  }

  fetchValueByKey(id: TypeId, _at: At, key: unknown): RuntimeRecord {
    const { interpreter, frame } = this;
    return interpreter.catchable(frame, () =>
      this.pair(interpreter.fetchByKey(frame, id, this.ledgerKey(id, key))),
    );
  }

  lookupValueByKey(id: TypeId, _at: At, key: unknown): Some | null {
    const { interpreter, frame } = this;
    return interpreter.catchable(frame, () => {
      const [first] = interpreter.queryByKey(frame, id, this.ledgerKey(id, key), 1n);
      return first === undefined ? null : new Some(first.contractId);
    });
  }

  queryValuesByKey(id: TypeId, _at: At, count: Int64, key: unknown): Some {
    const { interpreter, frame } = this;
    return interpreter.catchable(frame, () => {
      const wanted = BigInt(count);
      const found = interpreter.queryByKey(frame, id, this.ledgerKey(id, key, wanted), wanted);
      return new Some(listFrom(found.map((each) => this.pair(each))) as never);
    });
  }

  exerciseValueByKey(
    id: TypeId,
    choiceName: string,
    _at: At,
    key: unknown,
    argument: unknown,
  ): unknown {
    const { interpreter, frame } = this;
    return interpreter.catchable(frame, () => {
      const input = this.exerciseInputByKey(id, choiceName, key, argument);
      const { choice, ledgerKey, value, check } = input;
      const result = interpreter.exerciseByKey(frame, id, ledgerKey, choiceName, value, check);
      return toRuntime(this.packages, choice.returnType, result);
    });
  }

  *exerciseByKeySteps(
    id: TypeId,
    choiceName: string,
    _at: At,
    key: unknown,
    argument: unknown,
  ): Steps {
    return yield* this.steps(
      () => this.exerciseInputByKey(id, choiceName, key, argument),
      ({ ledgerKey, value, check }) => {
        const { interpreter, frame } = this;
        const { template, contractId } = interpreter.firstByKey(frame, id, ledgerKey);
        return interpreter.exerciseSteps(
          frame,
          template.id,
          contractId,
          choiceName,
          value,
          check,
          true,
        );
      },
    );
  }

  /** Prepares an exercise, then runs its steps. Errors name this frame or a nested frame. */
  private *steps<T extends { readonly choice: Choice }>(
    prepare: () => T,
    exercise: (input: T) => Generator<Call, DamlValue, unknown>,
  ): Steps {
    const { interpreter, frame, packages } = this;
    return yield* interpreter.catchableSteps(frame, function* () {
      const input = prepare();
      return toRuntime(packages, input.choice.returnType, yield* exercise(input));
    });
  }

  private exerciseInputByKey(id: TypeId, choiceName: string, key: unknown, argument: unknown) {
    const { choice } = this.interpreter.resolution.choice(id, choiceName);
    const { value, error } = this.ledgerValue(choice.argumentType, argument);
    const check = error && this.argumentRefused(choice, value, error);
    return { choice, value, check, ledgerKey: this.ledgerKey(id, key) };
  }

  /** @param count the number of contracts to find, which is checked before the key */
  private ledgerKey(id: TypeId, key: unknown, count = 1n): DamlValue {
    const template = this.interpreter.resolution.templateWithKey(id);
    const { type } = template.key!;
    const { value, error } = this.ledgerValue(type, key);
    if (error === undefined) return value;
    this.interpreter.guarded(this.frame, () =>
      template.code.maintainers!(value, type, this.interpreter.machine),
    );
    queryLimit(count);
    throw error;
  }

  /** `(contract id, contract)`. */
  private pair({ contractId, templateId, payload }: FetchedContract): RuntimeRecord {
    return { p0: contractId, p1: this.recordOf(templateId, payload) };
  }
}

/** Whether the guard allows the exercise. An exception in a guard means no, and no handler sees it. */
function allows(guard: (contract: Any) => boolean, target: ChoiceTarget): boolean {
  try {
    return guard(interfaceSelf(target));
  } catch (error) {
    if (error instanceof DamlException) return false;
    throw error;
  }
}

/** Runs the template code of a create, in Canton's order. */
function runContractCode(template: Template, payload: DamlRecord, context: CodeContext): void {
  const { code, key } = template;
  if (!isCompiled(template) || !code.precondition(payload, context)) return;
  code.signatories(payload, context);
  code.observers(payload, context);
  if (key === undefined) return;
  code.maintainers!(code.key!(payload, key.type, context), key.type, context);
}

/** Runs the choice code of an exercise that precedes the body. */
function runParties(code: ChoiceCode, target: ChoiceTarget, argument: DamlValue): void {
  code.controllers(target, argument);
  code.observers(target, argument);
  code.authorizers?.(target, argument);
}

/** The Daml exception that a handler may catch, which includes arithmetic errors from TypeScript code. */
function daml(error: unknown): DamlException | undefined {
  if (error instanceof DamlException) return error.isFinal ? undefined : error;
  if (!(error instanceof ArithmeticError)) return undefined;
  return new DamlException(new Any(ARITHMETIC_ERROR_TYPE, { p0: error.message }));
}
