/** What a choice written in TypeScript can do: the ledger's actions, typed by templates and interfaces. */
import type { AnyChoices, ChoiceArgument, ChoiceResult } from './choice.js';
import type { InterfaceReference } from './interface.js';
import type { KeyedReference, TemplateReference } from './template.js';
import { DamlFailure, type UpdateContext } from '../model/package.js';
import type { TypeId } from '../model/types.js';
import type { ContractId, DamlRecord, DamlValue, Timestamp } from '../model/values.js';

const ASSERTION_FAILED = 'UNHANDLED_EXCEPTION/DA.Exception.AssertionFailed:AssertionFailed';

export interface FailureOptions {
  /** Names the kind of failure to clients, for example `my-app/insufficient-funds`. */
  readonly errorId?: string;
  /**
   * Canton error category; 9, invalid given the current system state, where left out. Of 4, 6, 7 and 14 clients learn nothing
   * but the status.
   */
  readonly category?: number;
  /** Told to clients with the error. */
  readonly meta?: Readonly<Record<string, string>>;
}

/** What a choice's code may do. Each action is authorized as of the choice, and throws where the ledger refuses it. */
export class Update {
  constructor(
    /** The same actions without types, for ids that are known only at run time. */
    readonly untyped: UpdateContext,
  ) {}

  /** The transaction's ledger time, in microseconds since 1970. */
  getTime(): Timestamp {
    return this.untyped.getTime();
  }

  /** @returns the id of the new contract */
  create<P>(template: TemplateReference<P>, payload: NoInfer<P>): ContractId {
    return this.untyped.create(template.id, payload as DamlRecord);
  }

  /** @returns the choice's result */
  exercise<C extends AnyChoices, K extends keyof C & string>(
    on: { readonly id: TypeId; readonly choices: C },
    contractId: ContractId,
    choice: K,
    argument: ChoiceArgument<C[K]>,
  ): ChoiceResult<C[K]> {
    return this.untyped.exercise(on.id, contractId, choice, argument as DamlValue) as ChoiceResult<
      C[K]
    >;
  }

  /** A contract that is active. @returns its id and payload */
  fetch<P>(
    template: TemplateReference<P>,
    contractId: ContractId,
  ): { contractId: ContractId; payload: P } {
    return { contractId, payload: this.untyped.fetch(template.id, contractId).payload as P };
  }

  /** Fetches a contract through an interface, with its view. */
  fetchView<V>(
    type: InterfaceReference<V>,
    contractId: ContractId,
  ): { contractId: ContractId; templateId: TypeId; view: V } {
    const { templateId, view } = this.untyped.fetchView(type.id, contractId);
    return { contractId, templateId, view: view as V };
  }

  /** Archives a contract. */
  archive(on: { readonly id: TypeId }, contractId: ContractId): void {
    this.untyped.archive(on.id, contractId);
  }

  /** The newest contract with the key that a submitter or reader may see. */
  fetchByKey<P, K>(
    template: KeyedReference<P, K>,
    key: NoInfer<K>,
  ): { contractId: ContractId; payload: P } {
    const { contractId, payload } = this.untyped.fetchByKey(template.id, key as DamlValue);
    return { contractId, payload: payload as P };
  }

  /** The same, or undefined; needs the authority of the key's maintainers. */
  lookupByKey<P, K>(template: KeyedReference<P, K>, key: NoInfer<K>): ContractId | undefined {
    return this.queryByKey(template, key, 1)[0]?.contractId;
  }

  /** Up to `count` contracts with the key, newest first; needs the authority of the key's maintainers. */
  queryByKey<P, K>(
    template: KeyedReference<P, K>,
    key: NoInfer<K>,
    count: number,
  ): readonly { contractId: ContractId; payload: P }[] {
    return this.untyped
      .queryByKey(template.id, key as DamlValue, count)
      .map(({ contractId, payload }) => ({ contractId, payload: payload as P }));
  }

  /** On the newest contract with the key. @returns the choice's result */
  exerciseByKey<K, C extends AnyChoices, N extends keyof C & string>(
    on: KeyedReference<unknown, K> & { readonly choices: C },
    key: NoInfer<K>,
    choice: N,
    argument: ChoiceArgument<C[N]>,
  ): ChoiceResult<C[N]> {
    const { id } = on;
    return this.untyped.exerciseByKey(
      id,
      key as DamlValue,
      choice,
      argument as DamlValue,
    ) as ChoiceResult<C[N]>;
  }

  /** Ends the transaction with DAML_FAILURE. */
  fail(message: string, options: FailureOptions = {}): never {
    throw new DamlFailure(message, options.errorId, options.category, options.meta);
  }

  /** Daml's `assertMsg`. */
  assert(condition: boolean, message: string): void {
    if (!condition) throw new DamlFailure(message, ASSERTION_FAILED);
  }
}
