/**
 * The active contract set of one participant: its open activations by party and template, in order of activation. For
 * an earlier offset, it takes the current set and undoes the later entries. Costs grow with the distance, not with the
 * history.
 */
import type { ContractInstance, CreateNode } from '../../daml/model/transaction.js';
import { isEvent, stakeholdersOf } from '../../daml/model/transaction.js';
import { qualifiedNameOf, type TypeId } from '../../daml/model/types.js';
import type { ContractId, Party } from '../../daml/model/values.js';
import { invariant } from '../../daml/errors/ledger-error.js';
import type { ContractStore, StoredContract } from './contract-store.js';
import type { SynchronizerId } from '../model/ids.js';
import type { UpdateEntry } from './log-entry.js';
import { isImport } from './witnesses.js';
import { mergeAscending, OrderedIndex } from '../journal/ordered-index.js';
import type { Activation, LedgerUpdate, LogEntry } from '../model/updates.js';

/** `<package name>:<Module>:<Entity>`: all versions of a template, as read filters use it. */
export type TemplateName = string;

/** By template id. A cache, because names are needed often. */
const names = new Map<TypeId, { readonly packageName: string; readonly name: TemplateName }>();

export function templateNameOf({
  packageName,
  templateId,
}: Pick<ContractInstance, 'packageName' | 'templateId'>): TemplateName {
  const known = names.get(templateId);
  // A discloser can claim another package name for a contract.
  if (known?.packageName === packageName) return known.name;
  const name = `${packageName}:${qualifiedNameOf(templateId)}`;
  names.set(templateId, { packageName, name });
  return name;
}

/** Contracts of these parties (undefined: any) and these templates (undefined: all). */
export interface AcsKey {
  readonly party: Party | undefined;
  readonly templates: readonly TemplateName[] | undefined;
}

/**
 * An activation of a contract on a synchronizer, as one participant sees it. Each synchronizer has a separate set. If
 * a participant is disconnected from one and learns of a reassignment to another, both sets contain the contract for a
 * while (B-RSG-027).
 */
class Stay implements Activation {
  constructor(
    readonly sequence: number,
    readonly entry: UpdateEntry,
    /** The node id in the update, by the network's numbering. */
    readonly node: number,
    readonly contract: ContractInstance,
    /** The contract's activation at another participant, or on another synchronizer. */
    public other: Stay | undefined,
  ) {}

  /** The set that the activation belongs to. */
  get at(): ActiveContracts {
    return this.entry.participant.activeContracts;
  }

  get offset(): number {
    return this.entry.offset;
  }

  get update(): LedgerUpdate {
    return this.entry.update as LedgerUpdate;
  }

  get nodeId(): number {
    return this.entry.nodeIdOf(this.node)!;
  }

  get synchronizerId(): SynchronizerId {
    return this.entry.update.synchronizerId;
  }

  get reassignmentCounter(): number {
    const { update } = this;
    return update.kind === 'reassignment' ? update.events[this.node]!.reassignmentCounter : 0;
  }
}

/** An activation in a file: its number, the number of its update, and the node there. */
export type SavedActivation = readonly [sequence: number, update: number, node: number];

const EVERYTHING: readonly AcsKey[] = [{ party: undefined, templates: undefined }];

type Index = OrderedIndex<Activation>;

/**
 * The activations of one party's contracts, or of all contracts, by template. A read of all templates merges several
 * lists.
 */
class StaysOf {
  private readonly byTemplate = new Map<TemplateName, Index>();

  get size(): number {
    let size = 0;
    for (const index of this.byTemplate.values()) size += index.size;
    return size;
  }

  get indexes(): readonly Index[] {
    return [...this.byTemplate.values()];
  }

  of(template: TemplateName): Index | undefined {
    return this.byTemplate.get(template);
  }

  insert(template: TemplateName, stay: Stay): void {
    let index = this.byTemplate.get(template);
    if (index === undefined) this.byTemplate.set(template, (index = new OrderedIndex()));
    index.insert(stay);
  }

  remove(template: TemplateName, stay: Stay): void {
    this.byTemplate.get(template)!.remove(stay);
  }

  /** Removes the index of a template that has no activations. */
  clear(template: TemplateName): void {
    if (this.byTemplate.get(template)?.size === 0) this.byTemplate.delete(template);
  }

  forget(): void {
    this.byTemplate.clear();
  }
}

/** The participant journals its log; reverting an entry also reverts its change here. */
export class ActiveContracts {
  private readonly everybodys = new StaysOf();
  private readonly byParty = new Map<Party, StaysOf>();
  private nextSequence = 1;

  constructor(private readonly contracts: ContractStore) {}

  get size(): number {
    return this.everybodys.size;
  }

  activate(entry: UpdateEntry, node: number, stored: StoredContract): void {
    const known = this.find(stored, entry.synchronizerId);
    // An import while the participant was disconnected: the participant receives the creation later.
    if (known !== undefined && isImport(known.update)) return;
    invariant(
      known === undefined,
      'a contract is activated only while it is not active on the synchronizer',
    );
    this.open(stored, new Stay(this.nextSequence++, entry, node, stored.instance, undefined));
  }

  /** Undefined if this participant never saw the contract active on the synchronizer. */
  deactivate(contractId: ContractId, synchronizerId: SynchronizerId): Activation | undefined {
    const stored = this.contracts.get(contractId);
    const stay = stored && this.find(stored, synchronizerId);
    if (stay !== undefined) this.close(stored!, stay);
    return stay;
  }

  /** For files: each activation that a log entry or the current set refers to, by its number. */
  stays(entries: Iterable<LogEntry>): readonly SavedActivation[] {
    const all = [...this.now(EVERYTHING)] as Stay[];
    for (const { deactivated } of entries) all.push(...(deactivated as Stay[]));
    return all
      .sort((one, other) => one.sequence - other.sequence)
      .map(({ sequence, update, node }) => [sequence, update.sequence, node] as const);
  }

  /** The number of the next activation; for files. */
  get next(): number {
    return this.nextSequence;
  }

  /**
   * Restores from a file: nothing is active.
   * @param next number of the next activation
   */
  restore(next: number): void {
    for (const stay of [...this.now(EVERYTHING)])
      this.close(this.contracts.get(stay.contract.contractId)!, stay as Stay);
    this.byParty.clear();
    this.everybodys.forget();
    this.nextSequence = next;
  }

  /**
   * Restores from a file.
   * @param isOpen whether the contract is still active
   */
  restoreStay(sequence: number, entry: UpdateEntry, node: number, isOpen: boolean): Activation {
    const update = entry.update as LedgerUpdate;
    const { contractId } =
      update.kind === 'transaction'
        ? (update.transaction.nodes[node] as CreateNode).contract
        : update.events[node]!.contract;
    const stored = this.contracts.get(contractId)!;
    const stay = new Stay(sequence, entry, node, stored.instance, undefined);
    if (isOpen) this.open(stored, stay);
    return stay;
  }

  /** Undoes the change of the last entry. */
  takeBack(entry: UpdateEntry): void {
    const { update } = entry;
    if (update.kind === 'topology') return;
    const changes =
      update.kind === 'transaction' ? update.transaction.nodes.filter(isEvent) : update.events;
    for (const { contract } of changes) {
      const stored = this.contracts.get(contract.contractId);
      const stay = stored && this.find(stored, entry.synchronizerId);
      if (stay?.entry !== entry) continue;
      this.close(stored!, stay);
      this.forget(stay.contract);
      this.nextSequence--;
    }
    for (const stay of entry.deactivated)
      this.open(this.contracts.get(stay.contract.contractId)!, stay as Stay);
  }

  /**
   * Removes the empty indexes after an activation is undone. An archival keeps them for the next contract of its kind.
   */
  private forget(contract: ContractInstance): void {
    const template = templateNameOf(contract);
    this.everybodys.clear(template);
    for (const party of stakeholdersOf(contract)) {
      const stays = this.byParty.get(party);
      stays?.clear(template);
      if (stays?.size === 0) this.byParty.delete(party);
    }
  }

  /** @param on any synchronizer if absent; the last activation comes first */
  private find(stored: StoredContract, on?: SynchronizerId): Stay | undefined {
    let stay = stored.stay as Stay | undefined;
    while (
      stay !== undefined &&
      (stay.at !== this || (on !== undefined && stay.synchronizerId !== on))
    )
      stay = stay.other;
    return stay;
  }

  private open(stored: StoredContract, stay: Stay): void {
    stay.other = stored.stay as Stay | undefined;
    stored.stay = stay;
    const template = templateNameOf(stay.contract);
    const { signatories, observers } = stay.contract;
    this.everybodys.insert(template, stay);
    for (let i = 0; i < signatories.length; i++) this.of(signatories[i]!).insert(template, stay);
    for (let i = 0; i < observers.length; i++) this.of(observers[i]!).insert(template, stay);
  }

  private close(stored: StoredContract, stay: Stay): void {
    if (stored.stay === stay) stored.stay = stay.other;
    else {
      let before = stored.stay as Stay;
      while (before.other !== stay) before = before.other!;
      before.other = stay.other;
    }
    const template = templateNameOf(stay.contract);
    const { signatories, observers } = stay.contract;
    this.everybodys.remove(template, stay);
    for (let i = 0; i < signatories.length; i++) this.of(signatories[i]!).remove(template, stay);
    for (let i = 0; i < observers.length; i++) this.of(observers[i]!).remove(template, stay);
  }

  /** @param on any synchronizer if absent */
  get(contractId: ContractId, on?: SynchronizerId): Activation | undefined {
    const stored = this.contracts.get(contractId);
    return stored && this.find(stored, on);
  }

  /** Open activations that match any key, in order of activation, after the number `after`. */
  now(keys: readonly AcsKey[], after = 0): Generator<Activation, void, undefined> {
    const indexes = new Set(keys.flatMap((key) => this.indexesFor(key)));
    return mergeAscending([...indexes].map((index) => index.after(after)));
  }

  /**
   * The set at `offset`, from the entries after it.
   * @param since log entries with offsets above `offset`
   */
  *at(
    offset: number,
    since: Iterable<LogEntry>,
    keys: readonly AcsKey[],
    after = 0,
  ): Generator<Activation, void, undefined> {
    const ended: Activation[] = [];
    for (const entry of since)
      for (const activation of entry.deactivated)
        if (
          activation.offset <= offset &&
          activation.sequence > after &&
          keys.some((key) => matches(key, activation.contract))
        )
          ended.push(activation);
    ended.sort((a, b) => a.sequence - b.sequence);
    for (const activation of mergeAscending([ended.values(), this.now(keys, after)])) {
      if (activation.offset > offset) return;
      yield activation;
    }
  }

  private of(party: Party): StaysOf {
    let stays = this.byParty.get(party);
    if (stays === undefined) this.byParty.set(party, (stays = new StaysOf()));
    return stays;
  }

  private indexesFor({ party, templates }: AcsKey): readonly Index[] {
    const stays = party === undefined ? this.everybodys : this.byParty.get(party);
    if (stays === undefined) return [];
    if (templates === undefined) return stays.indexes;
    return templates.flatMap((template) => stays.of(template) ?? []);
  }
}

function matches(key: AcsKey, contract: ContractInstance): boolean {
  if (key.party !== undefined && !stakeholdersOf(contract).includes(key.party)) return false;
  return key.templates === undefined || key.templates.includes(templateNameOf(contract));
}
