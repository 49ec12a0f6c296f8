/** What a choice's body may do, bound to its exercise: for TypeScript in ledger values, for compiled code in its own. */
import { isCompiled } from '../lf/runtime/compiled.js';
import type { Frame } from './frame.js';
import type { Interpreter } from './interpreter.js';
import { queryLimit } from './keyed-contracts.js';
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
  type Fun,
  type RuntimeRecord,
} from '../lf/runtime/runtime-values.js';
import { interfaceSelf } from '../lf/template-code.js';
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
import {
  Some,
  type ContractId,
  type DamlRecord,
  type DamlValue,
  type Timestamp,
} from '../model/values.js';

type At = SourceLocation | undefined;

export class FrameActions implements CompiledActions {
  constructor(
    private readonly interpreter: Interpreter,
    private readonly frame: Frame,
  ) {}

  private get packages() {
    return this.interpreter.input.packages;
  }

  getTime(): Timestamp {
    const { ledgerTime, onTime } = this.interpreter.input;
    onTime?.({ min: ledgerTime, max: ledgerTime });
    return ledgerTime;
  }

  create(id: TypeId, payload: DamlRecord): ContractId {
    const { interpreter, frame } = this;
    return interpreter.guarded(frame, () => {
      const template = interpreter.resolution.template(id);
      const canonical = interpreter.checked(template.payloadType, payload) as DamlRecord;
      return interpreter.create(frame, template.id, canonical);
    });
  }

  exercise(id: TypeId, contractId: ContractId, choiceName: string, argument: DamlValue): DamlValue {
    const { interpreter, frame } = this;
    return interpreter.guarded(frame, () => {
      const { choice } = interpreter.resolution.choice(id, choiceName);
      const canonical = interpreter.checked(choice.argumentType, argument);
      return interpreter.exercise(frame, id, contractId, choiceName, canonical);
    });
  }

  fetch(id: TypeId, contractId: ContractId): FetchedContract {
    return this.interpreter.guarded(this.frame, () =>
      this.interpreter.fetch(this.frame, id, contractId),
    );
  }

  fetchView(id: TypeId, contractId: ContractId): FetchedContract & { readonly view: DamlRecord } {
    return this.interpreter.guarded(this.frame, () =>
      this.interpreter.fetchView(this.frame, id, contractId),
    );
  }

  archive(id: TypeId, contractId: ContractId): void {
    this.interpreter.guarded(this.frame, () =>
      this.interpreter.exercise(this.frame, id, contractId, 'Archive', {}),
    );
  }

  fetchByKey(id: TypeId, key: DamlValue): FetchedContract {
    const { interpreter, frame } = this;
    return interpreter.guarded(frame, () =>
      interpreter.fetchByKey(frame, id, this.checkedKey(id, key)),
    );
  }

  queryByKey(id: TypeId, key: DamlValue, count: number): readonly FetchedContract[] {
    const { interpreter, frame } = this;
    return interpreter.guarded(frame, () =>
      interpreter.queryByKey(frame, id, this.checkedKey(id, key), BigInt(count)),
    );
  }

  exerciseByKey(id: TypeId, key: DamlValue, choiceName: string, argument: DamlValue): DamlValue {
    const { interpreter, frame } = this;
    return interpreter.guarded(frame, () => {
      const { choice } = interpreter.resolution.choice(id, choiceName);
      const canonical = interpreter.checked(choice.argumentType, argument);
      return interpreter.exerciseByKey(frame, id, this.checkedKey(id, key), choiceName, canonical);
    });
  }

  private checkedKey(id: TypeId, key: DamlValue): DamlValue {
    const { resolution } = this.interpreter;
    return this.interpreter.checked(resolution.templateWithKey(id).key!.type, key);
  }

  createValue(id: TypeId, _at: At, payload: RuntimeRecord): ContractId {
    const { interpreter, frame } = this;
    return interpreter.catchable(frame, () => {
      const template = interpreter.resolution.template(id);
      const { value, fault } = this.ledgerValue(template.payloadType, payload);
      if (fault === undefined) return interpreter.create(frame, template.id, value as DamlRecord);
      runContractCode(template, value as DamlRecord, interpreter.machine);
      throw fault;
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
      const { choice } = interpreter.resolution.choice(id, choiceName);
      const { value, fault } = this.ledgerValue(choice.argumentType, argument);
      const result = interpreter.exercise(frame, id, contractId, choiceName, value, (target) => {
        if (guard !== null && !allows(guard, target))
          throw refuse.choiceGuardFailed(contractId, target.templateId, choiceName, id);
        if (fault !== undefined) this.argumentRefused(choice, value, fault)(target);
      });
      return toRuntime(this.packages, choice.returnType, result);
    });
  }

  /** To be called once the contract is known. */
  private argumentRefused({ code }: Choice, argument: DamlValue, fault: LedgerError) {
    return (target: ChoiceTarget): never => {
      this.interpreter.guarded(this.frame, () => {
        if (code.canonical === true) runParties(code, target, argument);
      });
      throw fault;
    };
  }

  /** What no value of the ledger may be comes with its refusal: the contract's code runs before that, and may throw. */
  private ledgerValue(type: DamlType, value: unknown): { value: DamlValue; fault?: LedgerError } {
    try {
      return { value: toLedger(this.packages, type, value) };
    } catch (fault) {
      if (!(fault instanceof LedgerError)) throw fault;
      try {
        return { value: toLedgerUnchecked(this.packages, type, value), fault };
      } catch {
        // Too deep for the stack even so.
        throw fault;
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
    const { interpreter, frame } = this;
    const savepoint = interpreter.beginTry();
    try {
      return body();
    } catch (error) {
      const exception = daml(error);
      if (exception === undefined) throw error;
      interpreter.rollBack(frame, savepoint);
      const update = handler(exception.value);
      if (update !== null) return run(update);
      // Thrown on from here: the exercises around the handler are those that count.
      throw new DamlException(exception.value);
    }
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
      const { choice } = interpreter.resolution.choice(id, choiceName);
      const { value, fault } = this.ledgerValue(choice.argumentType, argument);
      const refused = fault && this.argumentRefused(choice, value, fault);
      const ledgerKey = this.ledgerKey(id, key);
      const result = interpreter.exerciseByKey(frame, id, ledgerKey, choiceName, value, refused);
      return toRuntime(this.packages, choice.returnType, result);
    });
  }

  /** @param count of the contracts that are asked for: it is looked at before the key */
  private ledgerKey(id: TypeId, key: unknown, count = 1n): DamlValue {
    const template = this.interpreter.resolution.templateWithKey(id);
    const { type } = template.key!;
    const { value, fault } = this.ledgerValue(type, key);
    if (fault === undefined) return value;
    this.interpreter.guarded(this.frame, () =>
      template.code.maintainers!(value, type, this.interpreter.machine),
    );
    queryLimit(count);
    throw fault;
  }

  /** `(contract id, contract)`. */
  private pair({ contractId, templateId, payload }: FetchedContract): RuntimeRecord {
    return { p0: contractId, p1: this.recordOf(templateId, payload) };
  }
}

/** A guard that throws an exception forbids: no handler is asked. */
function allows(guard: (contract: Any) => boolean, target: ChoiceTarget): boolean {
  try {
    return guard(interfaceSelf(target));
  } catch (error) {
    if (error instanceof DamlException) return false;
    throw error;
  }
}

/** What a creation runs of its template's code, in its order. */
function runContractCode(template: Template, payload: DamlRecord, context: CodeContext): void {
  const { code, key } = template;
  if (!isCompiled(template) || !code.precondition(payload, context)) return;
  code.signatories(payload, context);
  code.observers(payload, context);
  if (key === undefined) return;
  code.maintainers!(code.key!(payload, key.type, context), key.type, context);
}

/** What an exercise runs of its choice's code before the body. */
function runParties(code: ChoiceCode, target: ChoiceTarget, argument: DamlValue): void {
  code.controllers(target, argument);
  code.observers(target, argument);
  code.authorizers?.(target, argument);
}

/** The Daml exception that a handler may catch, also as TypeScript code throws arithmetic errors. */
function daml(error: unknown): DamlException | undefined {
  if (error instanceof DamlException) return error.isFinal ? undefined : error;
  if (!(error instanceof ArithmeticError)) return undefined;
  return new DamlException(new Any(ARITHMETIC_ERROR_TYPE, { p0: error.message }));
}
