/**
 * The key lookups of a transaction. Keys are not unique: a key has a queue of contracts. The queue has the
 * transaction's contracts first, newest first, then the ledger's contracts, newest first. Each query reaches the
 * ledger only once, so that a key has the same contracts throughout a transaction.
 */
import type { ContractInstance, ContractKey } from '../model/transaction.js';
import type { ContractId } from '../model/values.js';

/** The results of a transaction's lookups of one key. */
interface KeyInput {
  /** Contracts of the ledger that a query by this key has returned, in the order of the ledger. */
  readonly queried: Set<ContractId>;
  /** Contracts of the ledger that were used only by their ids. */
  readonly onlyById: Set<ContractId>;
  /** The ledger's remaining contracts; undefined before the first query. */
  source: Iterator<ContractInstance> | undefined;
  /** Whether the ledger has no more contracts. */
  finished: boolean;
}

/** The transaction's changes to contracts so far. */
export interface TransactionContracts {
  isLocal(id: ContractId): boolean;
  isInput(id: ContractId): boolean;
  isConsumed(id: ContractId): boolean;
  addInput(contract: ContractInstance): unknown;
}

export interface KeyMapping {
  /** Active contracts, newest first. */
  readonly queue: readonly ContractId[];
  /** Whether there are no more contracts. */
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

  /** Records that a contract of the ledger is used by its id. Returns whether this agrees with earlier queries. */
  usedById(key: ContractKey, id: ContractId): boolean {
    const input = this.input(key);
    if (input.queried.has(id)) return true;
    if (input.finished) return false;
    input.onlyById.add(id);
    return true;
  }

  /** Up to `count` active contracts with the key; undefined if the ledger's answers are inconsistent. */
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

  /** The ledger's contracts that queries by the key have returned, in the ledger's order. */
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
