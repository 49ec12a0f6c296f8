/**
 * The contracts of a script's in-memory ledger, with the check that parties may use a contract. A contract must be
 * active, and a reader must be a stakeholder. It must also be effective, because a script can set the time back. A
 * caller that sets a mark can revert to it: from the first mark on, a journal has the changes.
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
  /** Its place in the order of creation. */
  readonly place: number;
  /** The number of the transaction that created it. */
  readonly createdIn: number;
  /** The number of the transaction that archived it. */
  archivedIn: number | undefined;
  /** The parties that have seen it: witnesses of its creation, and parties to which a use divulged it. */
  readonly seenBy: Set<Party>;
}

/** A usable contract, or the reason why it is not usable. */
export type Lookup = { readonly instance: ContractInstance } | { readonly reason: NotFoundReason };

/** A change in the journal. */
type Change =
  | { readonly kind: 'created'; readonly contract: IdeContract }
  | { readonly kind: 'archived'; readonly contract: IdeContract }
  | { readonly kind: 'seen'; readonly contract: IdeContract; readonly party: Party }
  | { readonly kind: 'keyed'; readonly hash: string; readonly before: readonly ContractId[] };

/** A state to which {@link IdeContracts.revert} returns. */
export type ContractsMark = number;

export class IdeContracts {
  readonly partySets = new PartySets();
  private readonly byId = new Map<ContractId, IdeContract>();
  private readonly inOrder: IdeContract[] = [];
  /** In the order of creation, archived contracts included. */
  private readonly byTemplate = new Map<TypeId, IdeContract[]>();
  /** Active contracts with a key, newest first, by the key's hash. */
  private readonly byKey = new Map<string, readonly ContractId[]>();
  private journal: Change[] | undefined;

  /** All contracts, archived contracts included, in the order of their creation. */
  all(): readonly IdeContract[] {
    return this.inOrder;
  }

  /** The contracts of exactly this template, archived contracts included, in the order of their creation. */
  ofTemplate(id: TypeId): readonly IdeContract[] {
    return this.byTemplate.get(id) ?? NONE;
  }

  get(id: ContractId): IdeContract | undefined {
    return this.byId.get(id);
  }

  mark(): ContractsMark {
    this.journal ??= [];
    return this.journal.length;
  }

  /** Reverts the changes since the mark. Later marks become invalid. */
  revert(mark: ContractsMark): void {
    const journal = this.journal ?? [];
    while (journal.length > mark) {
      const change = journal.pop()!;
      if (change.kind === 'keyed') this.byKey.set(change.hash, change.before);
      else if (change.kind === 'seen') change.contract.seenBy.delete(change.party);
      else if (change.kind === 'archived') change.contract.archivedIn = undefined;
      else {
        const { contractId, templateId } = change.contract.instance;
        this.byId.delete(contractId);
        this.inOrder.pop();
        this.byTemplate.get(templateId)!.pop();
      }
    }
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
    const all = templateId === undefined ? this.inOrder : this.ofTemplate(templateId);
    for (const { instance, archivedIn } of all) {
      if (archivedIn !== undefined || instance.createdAt > time) continue;
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
        if (found !== undefined) this.see(found, seenBy);
        if (node.kind === 'exercise' && node.consuming) this.archive(node.contract, number);
      }
    }
  }

  /** Adds an active contract that no transaction of this ledger created. */
  put(instance: ContractInstance): void {
    this.create(instance, 0, this.partySets.of(stakeholdersOf(instance)));
  }

  private see(contract: IdeContract, parties: readonly Party[]): void {
    const { seenBy } = contract;
    for (let i = 0; i < parties.length; i++) {
      const party = parties[i]!;
      if (seenBy.has(party)) continue;
      seenBy.add(party);
      this.journal?.push({ kind: 'seen', contract, party });
    }
  }

  private create(instance: ContractInstance, createdIn: number, seenBy: readonly Party[]): void {
    const { contractId, templateId, key } = instance;
    const place = this.inOrder.length;
    const seen = new Set(seenBy);
    const contract = { instance, place, createdIn, archivedIn: undefined, seenBy: seen };
    this.byId.set(contractId, contract);
    this.inOrder.push(contract);
    const same = this.byTemplate.get(templateId);
    if (same === undefined) this.byTemplate.set(templateId, [contract]);
    else same.push(contract);
    this.journal?.push({ kind: 'created', contract });
    if (key !== undefined) this.setKey(key.hash, [contractId, ...this.withKey(key.hash)]);
  }

  private archive({ contractId, key }: ContractInstance, number: number): void {
    const contract = this.byId.get(contractId);
    if (contract !== undefined) {
      contract.archivedIn = number;
      this.journal?.push({ kind: 'archived', contract });
    }
    if (key === undefined) return;
    const left = this.withKey(key.hash).filter((id) => id !== contractId);
    this.setKey(key.hash, left);
  }

  private setKey(hash: string, ids: readonly ContractId[]): void {
    this.journal?.push({ kind: 'keyed', hash, before: this.withKey(hash) });
    this.byKey.set(hash, ids);
  }
}

const NONE: readonly IdeContract[] = [];
