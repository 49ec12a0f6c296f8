/**
 * What a transaction knows of contract keys. Keys are not unique: a key stands for a queue of contracts, those of the
 * transaction itself first, newest first, then those of the ledger, newest first. What was once asked of the ledger is
 * asked only once, so a key means the same throughout a transaction.
 */
import type { ContractInstance, ContractKey } from '../model/transaction.js';
import type { ContractId } from '../model/values.js';

/** What a transaction found out about one key. */
interface KeyInput {
  /** Contracts of the ledger that a query by this key has met, in the order of the ledger. */
  readonly queried: Set<ContractId>;
  /** Contracts of the ledger that were used by their ids alone. */
  readonly onlyById: Set<ContractId>;
  /** Where the ledger goes on; undefined before the first query. */
  source: Iterator<ContractInstance> | undefined;
  /** The ledger has no more. */
  finished: boolean;
}

/** What the transaction has done to contracts so far. */
export interface TransactionContracts {
  isLocal(id: ContractId): boolean;
  isInput(id: ContractId): boolean;
  isConsumed(id: ContractId): boolean;
  addInput(contract: ContractInstance): unknown;
}

export interface KeyMapping {
  /** Active contracts, newest first. */
  readonly queue: readonly ContractId[];
  /** There are no more. */
  readonly exhaustive: boolean;
}

export class KeyLookups {
  private readonly local = new Map<string, ContractId[]>();
  private readonly inputs = new Map<string, KeyInput>();

  constructor(
    private readonly contracts: TransactionContracts,
    /** Active contracts of the ledger with the key that the submitters may see. */
    private readonly ledger: (key: ContractKey) => Iterable<ContractInstance>,
  ) {}

  created(key: ContractKey, id: ContractId): void {
    const queue = this.local.get(key.hash);
    if (queue === undefined) this.local.set(key.hash, [id]);
    else queue.unshift(id);
  }

  /** A contract of the ledger is used by its id. Answers whether that agrees with earlier queries. */
  usedById(key: ContractKey, id: ContractId): boolean {
    const input = this.input(key);
    if (input.queried.has(id)) return true;
    if (input.finished) return false;
    input.onlyById.add(id);
    return true;
  }

  /** Up to `count` active contracts with the key; undefined where the ledger contradicts itself. */
  query(key: ContractKey, count: number): KeyMapping | undefined {
    const { contracts } = this;
    const input = this.input(key);
    const queue: ContractId[] = [];
    for (const id of [...(this.local.get(key.hash) ?? []), ...input.queried]) {
      if (queue.length === count) break;
      if (contracts.isLocal(id) || contracts.isInput(id))
        if (!contracts.isConsumed(id)) queue.push(id);
    }
    while (queue.length < count && !input.finished) {
      input.source ??= this.ledger(key)[Symbol.iterator]();
      const next = input.source.next();
      if (next.done === true) input.finished = true;
      else this.meet(input, next.value, queue);
    }
    const exhaustive = queue.length < count;
    if (exhaustive && input.onlyById.size > 0) return undefined;
    return { queue, exhaustive };
  }

  /** What queries by the key have met of the ledger, in its order. */
  met(hash: string): readonly ContractId[] {
    return [...(this.inputs.get(hash)?.queried ?? [])];
  }

  private meet(input: KeyInput, contract: ContractInstance, queue: ContractId[]): void {
    const { contracts } = this;
    const { contractId } = contract;
    if (input.queried.has(contractId)) return;
    input.onlyById.delete(contractId);
    if (!contracts.isInput(contractId)) contracts.addInput(contract);
    input.queried.add(contractId);
    if (!contracts.isConsumed(contractId)) queue.push(contractId);
  }

  private input(key: ContractKey): KeyInput {
    let input = this.inputs.get(key.hash);
    if (input === undefined) {
      input = { queried: new Set(), onlyById: new Set(), source: undefined, finished: false };
      this.inputs.set(key.hash, input);
    }
    return input;
  }
}
