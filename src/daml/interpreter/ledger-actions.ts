/** The actions of a choice's body, bound to its exercise, for code in TypeScript. They take ledger values. */
import type { Frame } from './frame.js';
import type { Interpreter } from './interpreter.js';
import type { FetchedContract, UpdateContext } from '../model/package.js';
import type { TypeId } from '../model/types.js';
import type { ContractId, DamlRecord, DamlValue, Timestamp } from '../model/values.js';

export class LedgerActions implements UpdateContext {
  constructor(
    protected readonly interpreter: Interpreter,
    protected readonly frame: Frame,
  ) {}

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
}
