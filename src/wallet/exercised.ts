/** The outcome of an exercise for tests and scenarios. It encodes its JSON on first use. */
import { inspect } from 'node:util';
import { encodeValue } from '../daml/codec/json/codec.js';
import { interfaceDefinition, template as templateOf } from '../daml/model/package.js';
import type { ExerciseNode } from '../daml/model/transaction.js';
import type { UpdateId } from '../network/model/ids.js';
import type { Participant } from '../network/participant.js';
import type { TransactionUpdate } from '../network/model/updates.js';
import type { AnyChoice, AnyTemplate } from '../daml/model/typed-template.js';
import { activeContract, type ActiveContract, type Placed } from './active-contract.js';
import { seenAs } from './contracts-of.js';
import { decodedResult, type ContractOf } from './typed.js';

export interface ExerciseResult<Result = unknown> {
  /** The choice's result as Ledger API JSON, or as `@daml/types` decodes it for a choice of `dpm codegen-js`. */
  readonly result: Result;
  /** Contracts that the whole transaction created and left active, in order. */
  readonly created: readonly ActiveContract[];
  /** The created contracts of a template, with its types. */
  createdOf<T extends AnyTemplate>(template: T): readonly ContractOf<T>[];
  /** Id of the transaction. */
  readonly updateId: UpdateId;
  /** The transaction's offset at the participant. */
  readonly offset: number;
}

export class Exercised implements ExerciseResult {
  readonly #participant: Participant;
  readonly #update: TransactionUpdate;
  readonly #choice: AnyChoice | undefined;
  #result: { readonly value: unknown } | undefined = undefined;
  #created: readonly ActiveContract[] | undefined = undefined;

  constructor(
    participant: Participant,
    update: TransactionUpdate,
    readonly offset: number,
    choice?: AnyChoice,
  ) {
    this.#choice = choice;
    this.#participant = participant;
    this.#update = update;
  }

  /** The same outcome, with the result decoded by the choice. */
  of(choice: AnyChoice): Exercised {
    return new Exercised(this.#participant, this.#update, this.offset, choice);
  }

  get result(): unknown {
    return (this.#result ??= { value: this.encodedResult() }).value;
  }

  get created(): readonly ActiveContract[] {
    return (this.#created ??= this.#left().map((placed) =>
      activeContract(this.#participant, placed),
    ));
  }

  get updateId(): UpdateId {
    return this.#update.updateId;
  }

  private encodedResult(): unknown {
    const { packages } = this.#participant;
    const { nodes, roots } = this.#update.transaction;
    const { interfaceId, templateId, choice, result } = nodes[roots[0]!] as ExerciseNode;
    const definition =
      interfaceDefinition(packages, interfaceId ?? '') ?? templateOf(packages, templateId);
    const { returnType } = definition!.choices.get(choice)!;
    return decodedResult(this.#choice, encodeValue(packages, returnType, result));
  }

  /** The contracts as the transaction left them, regardless of later updates. */
  #left(): readonly Placed[] {
    const participant = this.#participant;
    const { synchronizerId, transaction } = this.#update;
    const consumed = new Set<string>();
    for (const node of transaction.nodes)
      if (node.kind === 'exercise' && node.consuming) consumed.add(node.contract.contractId);
    const left: Placed[] = [];
    for (const node of transaction.nodes) {
      if (node.kind !== 'create' || consumed.has(node.contract.contractId)) continue;
      const { contract } = node;
      if (participant.hostsStakeholder(contract))
        left.push({ contract, synchronizerId, reassignmentCounter: 0 });
    }
    return left;
  }

  createdOf<T extends AnyTemplate>(template: T): readonly ContractOf<T>[] {
    return seenAs(this.#participant, template, this.#left()) as unknown as ContractOf<T>[];
  }

  toJSON(): Omit<ExerciseResult, 'createdOf'> {
    const { result, created, updateId, offset } = this;
    return { result, created, updateId, offset };
  }

  [inspect.custom](): Omit<ExerciseResult, 'createdOf'> {
    return this.toJSON();
  }
}
