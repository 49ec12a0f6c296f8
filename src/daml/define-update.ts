/** What a choice written in TypeScript can do: the ledger's actions, typed by templates and interfaces. */
import type { AnyChoices, ChoiceArgument, ChoiceResult } from './define-choice.js';
import type { InterfaceReference } from './define-interface.js';
import type { TemplateReference } from './define-template.js';
import { DamlFailure, type UpdateContext } from './package.js';
import type { TypeId } from './types.js';
import type { ContractId, DamlRecord, DamlValue, Timestamp } from './values.js';

const ASSERTION_FAILED = 'UNHANDLED_EXCEPTION/DA.Exception.AssertionFailed:AssertionFailed';

export interface FailureOptions {
  /** Names the kind of failure to clients, for example `my-app/insufficient-funds`. */
  readonly errorId?: string;
  /** Canton error category; 9, invalid given the current system state, where left out. */
  readonly category?: number;
  readonly meta?: Readonly<Record<string, string>>;
}

export class Update {
  constructor(
    /** The same actions without types, for ids that are known only at run time. */
    readonly untyped: UpdateContext,
  ) {}

  /** The transaction's ledger time, in microseconds since 1970. */
  getTime(): Timestamp {
    return this.untyped.getTime();
  }

  create<P>(template: TemplateReference<P>, payload: NoInfer<P>): ContractId {
    return this.untyped.create(template.id, payload as DamlRecord);
  }

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

  archive(on: { readonly id: TypeId }, contractId: ContractId): void {
    this.untyped.archive(on.id, contractId);
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
