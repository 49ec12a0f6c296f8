/** What came of an exercise, as tests and scenarios see it: its JSON is made when it is first read. */
import { inspect } from 'node:util';
import { encodeValue } from '../daml/codec/json/codec.js';
import { interfaceDefinition, template as templateOf } from '../daml/model/package.js';
import type { ExerciseNode } from '../daml/model/transaction.js';
import type { UpdateId } from '../network/ids.js';
import type { Participant } from '../network/participant.js';
import type { TransactionUpdate } from '../network/updates.js';
import { activeContract, type ActiveContract } from './active-contract.js';

export interface ExerciseResult {
  /** The choice's result, as Ledger API JSON. */
  readonly result: unknown;
  /** Contracts that the whole transaction created and left active, in order. */
  readonly created: readonly ActiveContract[];
  readonly updateId: UpdateId;
  readonly offset: number;
}

export class Exercised implements ExerciseResult {
  readonly #participant: Participant;
  readonly #update: TransactionUpdate;
  #result: { readonly value: unknown } | undefined = undefined;
  #created: readonly ActiveContract[] | undefined = undefined;

  constructor(
    participant: Participant,
    update: TransactionUpdate,
    readonly offset: number,
  ) {
    this.#participant = participant;
    this.#update = update;
  }

  get result(): unknown {
    return (this.#result ??= { value: this.encodedResult() }).value;
  }

  get created(): readonly ActiveContract[] {
    return (this.#created ??= this.contractsLeft());
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
    return encodeValue(packages, definition!.choices.get(choice)!.returnType, result);
  }

  /** Where the transaction left them: what was done to them later does not count. */
  private contractsLeft(): ActiveContract[] {
    const participant = this.#participant;
    const { synchronizerId, transaction } = this.#update;
    const consumed = new Set<string>();
    for (const node of transaction.nodes)
      if (node.kind === 'exercise' && node.consuming) consumed.add(node.contract.contractId);
    const left: ActiveContract[] = [];
    for (const node of transaction.nodes) {
      if (node.kind !== 'create' || consumed.has(node.contract.contractId)) continue;
      const { contract } = node;
      if (participant.hostsStakeholder(contract))
        left.push(
          activeContract(participant, { contract, synchronizerId, reassignmentCounter: 0 }),
        );
    }
    return left;
  }

  toJSON(): ExerciseResult {
    const { result, created, updateId, offset } = this;
    return { result, created, updateId, offset };
  }

  [inspect.custom](): ExerciseResult {
    return this.toJSON();
  }
}
