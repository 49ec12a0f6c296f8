/**
 * The contracts that a transaction has created or looked up so far, and those that it has consumed. Most
 * transactions use only a few contracts, so a linear search finds them. Larger transactions get an index.
 */
import type { TransactionContracts } from './key-lookups.js';
import type { ContractInstance } from '../model/transaction.js';
import type { ContractId } from '../model/values.js';

const FEW = 8;
const NONE = -1;
const NO_IDS: readonly ContractId[] = [];

/** One contract of a transaction, and the one before it. */
export interface ContractInUse {
  readonly contract: ContractInstance;
  /** The node that created it; {@link NONE} for a contract of the ledger. */
  readonly createdBy: number;
  /** The node that consumed it; negative for none. */
  consumedBy: number;
  before: ContractInUse | undefined;
}

export class ContractsInUse implements TransactionContracts {
  private last: ContractInUse | undefined;
  private count = 0;
  private index: Map<ContractId, ContractInUse> | undefined;

  get(id: ContractId): ContractInUse | undefined {
    if (this.index !== undefined) return this.index.get(id);
    let use = this.last;
    while (use !== undefined && use.contract.contractId !== id) use = use.before;
    return use;
  }

  addCreated(contract: ContractInstance, nodeId: number): void {
    this.add(contract, nodeId);
  }

  addInput(contract: ContractInstance): ContractInUse {
    return this.add(contract, NONE);
  }

  private add(contract: ContractInstance, createdBy: number): ContractInUse {
    const use = { contract, createdBy, consumedBy: NONE, before: this.last };
    this.last = use;
    this.count += 1;
    if (this.index !== undefined) this.index.set(contract.contractId, use);
    else if (this.count > FEW) this.index = new Map(this.all().map((each) => [idOf(each), each]));
    return use;
  }

  isLocal(id: ContractId): boolean {
    return (this.get(id)?.createdBy ?? NONE) !== NONE;
  }

  isInput(id: ContractId): boolean {
    return this.get(id)?.createdBy === NONE;
  }

  isConsumed(id: ContractId): boolean {
    return (this.get(id)?.consumedBy ?? NONE) !== NONE;
  }

  /** The ids of the ledger's contracts, in order of first use. */
  inputIds(): readonly ContractId[] {
    let ids: ContractId[] | undefined;
    for (let use = this.last; use !== undefined; use = use.before) {
      if (use.createdBy !== NONE) continue;
      if (ids === undefined) ids = [idOf(use)];
      else ids.push(idOf(use));
    }
    return ids?.reverse() ?? NO_IDS;
  }

  /** The ledger's contracts by id, in order of first use. */
  inputs(): ReadonlyMap<ContractId, ContractInstance> {
    const inputs = this.all().filter(({ createdBy }) => createdBy === NONE);
    return new Map(inputs.map((use) => [idOf(use), use.contract]));
  }

  /** Reverts the creates and archives of this node and later nodes. Contracts that they looked up remain. */
  takeBackFrom(nodeId: number): void {
    const remaining = this.all().filter(({ createdBy }) => createdBy < nodeId);
    this.last = undefined;
    for (const use of remaining) {
      if (use.consumedBy >= nodeId) use.consumedBy = NONE;
      use.before = this.last;
      this.last = use;
    }
    this.count = remaining.length;
    if (this.index !== undefined) this.index = new Map(remaining.map((use) => [idOf(use), use]));
  }

  private all(): readonly ContractInUse[] {
    const all: ContractInUse[] = [];
    for (let use = this.last; use !== undefined; use = use.before) all.push(use);
    return all.reverse();
  }
}

const idOf = ({ contract }: ContractInUse): ContractId => contract.contractId;
