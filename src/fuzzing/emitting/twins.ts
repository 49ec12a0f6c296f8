/** Numbers contracts with equal payloads, in the order of their creation. */
import type { ContractInstance, Transaction } from '../../daml/model/transaction.js';
import type { ContractId } from '../../daml/model/values.js';

export class Twins {
  private readonly active = new Map<ContractId, string>();

  /** @param textOf equal for contracts that a search by the payload finds together */
  constructor(private readonly textOf: (contract: ContractInstance) => string) {}

  add(contract: ContractInstance): void {
    this.active.set(contract.contractId, `${contract.templateId} ${this.textOf(contract)}`);
  }

  apply({ nodes }: Transaction): void {
    for (const node of nodes)
      if (node.kind === 'create') this.add(node.contract);
      else if (node.kind === 'exercise' && node.consuming)
        this.active.delete(node.contract.contractId);
  }

  /** The place of an active contract among those with an equal payload, from 1. */
  placeOf({ contractId }: ContractInstance): number {
    const text = this.active.get(contractId);
    let place = 1;
    for (const [id, other] of this.active) {
      if (id === contractId) break;
      if (other === text) place += 1;
    }
    return place;
  }
}
