/**
 * The contracts of a script's in-memory ledger, with the check that parties may use a contract. A contract must be
 * active, and a reader must be a stakeholder. It must also be effective, because a script can set the time back.
 */
import type { ContractInstance, Transaction } from '../../daml/model/transaction.js';
import type { TypeId } from '../../daml/model/types.js';
import { stakeholdersOf } from '../../daml/model/transaction.js';
import type { ContractId, Party, Timestamp } from '../../daml/model/values.js';
import { PartySets } from '../../daml/model/parties.js';
import { informeesOf, witnessesOf } from '../../network/routing/visibility.js';
import type { NotFoundReason } from '../ledger.js';

export interface IdeContract {
  readonly instance: ContractInstance;
  /** The number of the transaction that created it. */
  readonly createdIn: number;
  /** The number of the transaction that archived it. */
  archivedIn: number | undefined;
  /** The parties that have seen it: witnesses of its creation, and parties to which a use divulged it. */
  readonly seenBy: Set<Party>;
}

/** A usable contract, or the reason why it is not usable. */
export type Lookup = { readonly instance: ContractInstance } | { readonly reason: NotFoundReason };

export class IdeContracts {
  private readonly partySets = new PartySets();
  private readonly byId = new Map<ContractId, IdeContract>();
  /** Active contracts with a key, newest first, by the key's hash. */
  private readonly byKey = new Map<string, ContractId[]>();

  /** All contracts, archived contracts included, in the order of their creation. */
  all(): Iterable<IdeContract> {
    return this.byId.values();
  }

  get(id: ContractId): IdeContract | undefined {
    return this.byId.get(id);
  }

  isActive(id: ContractId): boolean {
    const found = this.byId.get(id);
    return found !== undefined && found.archivedIn === undefined;
  }

  lookup(
    id: ContractId,
    actAs: readonly Party[],
    readAs: readonly Party[],
    time: Timestamp,
  ): Lookup {
    const found = this.byId.get(id);
    if (found === undefined) return { reason: { kind: 'NotFound' } };
    const { instance, archivedIn, seenBy } = found;
    const { contractId, templateId, createdAt } = instance;
    if (createdAt > time)
      return { reason: { kind: 'NotEffective', contractId, templateId, effectiveAt: createdAt } };
    if (archivedIn !== undefined) return { reason: { kind: 'NotActive', contractId, templateId } };
    const isReader = (party: Party) => actAs.includes(party) || readAs.includes(party);
    if (stakeholdersOf(instance).some(isReader)) return { instance };
    const observers = [...seenBy].sort();
    return { reason: { kind: 'NotVisible', contractId, templateId, actAs, readAs, observers } };
  }

  /** The contracts that one of the parties may use. @param templateId selects contracts of this template */
  visibleTo(
    parties: readonly Party[],
    time: Timestamp,
    templateId?: TypeId,
  ): readonly ContractInstance[] {
    const isReader = (party: Party) => parties.includes(party);
    const visible: ContractInstance[] = [];
    for (const { instance, archivedIn } of this.byId.values()) {
      if (archivedIn !== undefined || instance.createdAt > time) continue;
      if (templateId !== undefined && instance.templateId !== templateId) continue;
      if (stakeholdersOf(instance).some(isReader)) visible.push(instance);
    }
    return visible;
  }

  /** Active contracts, newest first. */
  withKey(hash: string): readonly ContractId[] {
    return this.byKey.get(hash) ?? [];
  }

  /** All parties that see a part of the transaction. */
  informees(transaction: Transaction): readonly Party[] {
    return informeesOf(this.partySets, witnessesOf(this.partySets, transaction));
  }

  /** Applies a transaction. Rolled-back nodes have no effect. */
  apply(transaction: Transaction, number: number): void {
    const witnesses = witnessesOf(this.partySets, transaction);
    for (const [place, node] of transaction.nodes.entries()) {
      if (node.kind === 'rollback' || node.kind === 'rolledBack') continue;
      const seenBy = witnesses[place]!;
      if (node.kind === 'create') this.create(node.contract, number, seenBy);
      else if (node.kind !== 'queryByKey') {
        const found = this.byId.get(node.contract.contractId);
        for (const party of seenBy) found?.seenBy.add(party);
        if (node.kind === 'exercise' && node.consuming) this.archive(node.contract, number);
      }
    }
  }

  private create(instance: ContractInstance, number: number, seenBy: readonly Party[]): void {
    const { contractId, key } = instance;
    const contract = { instance, createdIn: number, archivedIn: undefined };
    this.byId.set(contractId, { ...contract, seenBy: new Set(seenBy) });
    if (key !== undefined) this.byKey.set(key.hash, [contractId, ...this.withKey(key.hash)]);
  }

  private archive({ contractId, key }: ContractInstance, number: number): void {
    const found = this.byId.get(contractId);
    if (found !== undefined) found.archivedIn = number;
    if (key === undefined) return;
    const left = this.withKey(key.hash).filter((id) => id !== contractId);
    this.byKey.set(key.hash, left);
  }
}
