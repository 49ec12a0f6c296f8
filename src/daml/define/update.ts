/** The ledger actions of a choice written in TypeScript, typed by templates and interfaces. */
import type { AnyChoices, ChoiceArgument, ChoiceResult } from './choice.js';
import type { InterfaceReference } from './interface.js';
import type { KeyedReference, TemplateReference } from './template.js';
import { DamlFailure, type UpdateContext } from '../model/package.js';
import type { TypeId } from '../model/types.js';
import type { ContractId, DamlRecord, DamlValue, Timestamp } from '../model/values.js';

const ASSERTION_FAILED = 'UNHANDLED_EXCEPTION/DA.Exception.AssertionFailed:AssertionFailed';

export interface FailureOptions {
  /** The id of the failure's kind for clients, for example `my-app/insufficient-funds`. */
  readonly errorId?: string;
  /**
   * The Canton error category; by default 9, invalid given the current system state. For 4, 6, 7 and 14, clients
   * receive only the status.
   */
  readonly category?: number;
  /** Metadata that clients receive with the error. */
  readonly meta?: Readonly<Record<string, string>>;
}

/** The actions of a choice's code. Each action has the authority of the choice, and throws if the ledger refuses it. */
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

  /** Fetches an active contract. @returns its id and payload */
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

  /** Fetches the newest contract with the key that a submitter or reader may see. */
  fetchByKey<P, K>(
    template: KeyedReference<P, K>,
    key: NoInfer<K>,
  ): { contractId: ContractId; payload: P } {
    const { contractId, payload } = this.untyped.fetchByKey(template.id, key as DamlValue);
    return { contractId, payload: payload as P };
  }

  /**
   * Like {@link fetchByKey}, but returns undefined if there is no contract. It needs the authority of the key's
   * maintainers.
   */
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

  /** Exercises a choice on the newest contract with the key. @returns the choice's result */
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
