/** Every contract of the network: its content, its location, and the updates that created and archived it. */
import { invariant } from '../../daml/errors/ledger-error.js';
import { isEvent, type ContractInstance, type Transaction } from '../../daml/model/transaction.js';
import { ContractTable } from './contract-table.js';
import type { ContractId, ReassignmentId, SynchronizerId } from '../model/ids.js';
import { JournaledMap, type Journal, type Undoable } from '../journal/journal.js';
import { KeyIndex } from './key-index.js';
import type {
  Activation,
  ContractState,
  LedgerUpdate,
  ReassignmentUpdate,
  TransactionUpdate,
} from '../model/updates.js';

/** All data of a contract in one object. Only the stores of this folder change it. */
export class StoredContract {
  archivedIn: TransactionUpdate | undefined = undefined;
  /** Its state after a reassignment; undefined while it stays on the synchronizer of its creation. */
  moved: Exclude<ContractState, { kind: 'archived' }> | undefined = undefined;
  /** Its open activation at a participant, which links to those at others. */
  stay: Activation | undefined = undefined;

  constructor(
    public instance: ContractInstance,
    readonly createdIn: TransactionUpdate,
    readonly createdNode: number,
  ) {}

  get isArchived(): boolean {
    return this.archivedIn !== undefined;
  }
}

export interface Archival {
  readonly update: TransactionUpdate;
  readonly nodeId: number;
}

/** The contract data of a file. */
export interface Restoring {
  readonly created: (contract: ContractInstance, update: TransactionUpdate, node: number) => void;
  readonly archived: (id: ContractId, update: TransactionUpdate) => void;
  readonly moved: (id: ContractId, moved: StoredContract['moved']) => void;
}

export class ContractStore implements Undoable {
  private readonly contracts = new ContractTable<StoredContract>();
  private readonly reassignments: JournaledMap<
    ReassignmentId,
    { readonly unassigned: ReassignmentUpdate; readonly assigned?: ReassignmentUpdate }
  >;
  /** The state of contracts that were never reassigned, by synchronizer. */
  private readonly unmoved = new Map<SynchronizerId, ContractState>();

  private readonly keys: KeyIndex;

  constructor(private readonly journal: Journal) {
    this.keys = new KeyIndex(journal);
    this.reassignments = new JournaledMap(journal, 'reassignments');
  }

  get(id: ContractId): StoredContract | undefined {
    return this.contracts.get(id);
  }

  state(id: ContractId): ContractState | undefined {
    const stored = this.contracts.get(id);
    return stored && this.stateOf(stored);
  }

  private stateOf({ archivedIn, moved, createdIn }: StoredContract): ContractState {
    if (archivedIn !== undefined) return { kind: 'archived', updateId: archivedIn.updateId };
    return moved ?? this.activeOn(createdIn.synchronizerId);
  }

  private activeOn(synchronizerId: SynchronizerId): ContractState {
    let state = this.unmoved.get(synchronizerId);
    if (state === undefined) {
      state = { kind: 'active', synchronizerId, reassignmentCounter: 0 };
      this.unmoved.set(synchronizerId, state);
    }
    return state;
  }

  /** All active contracts with their locations, sorted by id; iterates over every contract. */
  active(): readonly {
    readonly contractId: ContractId;
    readonly synchronizerId: SynchronizerId;
  }[] {
    const active: { contractId: ContractId; synchronizerId: SynchronizerId }[] = [];
    for (const stored of this.contracts) {
      const state = this.stateOf(stored);
      if (state.kind !== 'active') continue;
      const { contractId } = stored.instance;
      active.push({ contractId, synchronizerId: state.synchronizerId });
    }
    return active.sort((a, b) => (a.contractId < b.contractId ? -1 : 1));
  }

  /** The active contracts, in the order of their creation. */
  *activeInOrder(): Generator<ContractInstance, void, undefined> {
    for (const stored of this.contracts)
      if (this.stateOf(stored).kind === 'active') yield stored.instance;
  }

  /** Active contracts with this key, newest activation first. Contracts in flight are not active. */
  withKey(hash: string): Iterable<ContractId> {
    return this.keys.active(hash);
  }

  archival(id: ContractId): Archival | undefined {
    const update = this.contracts.get(id)?.archivedIn;
    if (update === undefined) return undefined;
    const nodeId = update.transaction.nodes.findIndex(
      (node) => node.kind === 'exercise' && node.consuming && node.contract.contractId === id,
    );
    return { update, nodeId };
  }

  reassignment(id: ReassignmentId) {
    return this.reassignments.get(id);
  }

  /** Frees the memory of contracts that ended in updates which no client can read any more. */
  forget(isForgotten: (update: LedgerUpdate) => boolean): void {
    const ended = [...this.contracts].filter(
      ({ archivedIn }) => archivedIn !== undefined && isForgotten(archivedIn),
    );
    for (const { instance } of ended) this.contracts.delete(instance.contractId);
    for (const id of this.reassignments.sortedKeys()) {
      const { unassigned, assigned } = this.reassignments.get(id)!;
      if (assigned !== undefined && isForgotten(unassigned) && isForgotten(assigned))
        this.reassignments.delete(id);
    }
  }

  /** Whether the store still has a contract that the update created or reassigned. */
  rememberAnyOf(update: LedgerUpdate): boolean {
    if (update.kind === 'reassignment')
      return update.events.some(({ contract }) => this.get(contract.contractId) !== undefined);
    return update.transaction.nodes.some(
      (node) => node.kind === 'create' && this.get(node.contract.contractId) !== undefined,
    );
  }

  /** Its state after a reassignment; for files. */
  movedTo(id: ContractId): StoredContract['moved'] {
    return this.contracts.get(id)?.moved;
  }

  /** Restores from a file: replaces the content, and accepts the parts in the order of sequencing. */
  restoring(): Restoring {
    for (const { instance } of [...this.contracts]) this.contracts.delete(instance.contractId);
    return {
      created: (contract, update, nodeId) => {
        if (this.contracts.get(contract.contractId) === undefined)
          this.contracts.add(new StoredContract(contract, update, nodeId));
      },
      archived: (id, update) => {
        const stored = this.contracts.get(id);
        if (stored === undefined) return;
        stored.archivedIn = update;
      },
      moved: (id, moved) => {
        this.contracts.get(id)!.moved = moved;
      },
    };
  }

  /** Checks the conditions of {@link apply}, which must not fail in the middle. */
  check({ nodes }: Transaction): void {
    for (let i = 0; i < nodes.length; i++) {
      const node = nodes[i]!;
      if (!isEvent(node)) continue;
      const stored = this.contracts.get(node.contract.contractId);
      if (node.kind === 'create') invariant(stored === undefined, 'a contract is created once');
      else if (node.consuming)
        invariant(
          stored === undefined
            ? isCreatedIn(nodes, node.contract.contractId)
            : this.stateOf(stored).kind === 'active',
          'only an active contract is archived',
        );
    }
  }

  /** Creates and archives contracts. The caller that commits the update journals it, except for keys. */
  apply(update: TransactionUpdate): void {
    const { nodes } = update.transaction;
    for (let i = 0; i < nodes.length; i++) {
      const node = nodes[i]!;
      if (!isEvent(node)) continue;
      const { nodeId, contract } = node;
      if (node.kind === 'create') {
        // Only an imported contract can exist already.
        if (this.contracts.get(contract.contractId) !== undefined) continue;
        this.contracts.add(new StoredContract(contract, update, nodeId));
        if (contract.key) this.keys.activate(contract.key.hash, contract.contractId);
      } else if (node.consuming) {
        const stored = this.contracts.get(contract.contractId)!;
        stored.archivedIn = update;
        if (contract.key) this.keys.deactivate(contract.contractId);
      }
    }
  }

  /** Undoes {@link apply} of the last update. */
  takeBack(update: TransactionUpdate): void {
    for (const node of update.transaction.nodes) {
      if (!isEvent(node)) continue;
      const { contractId } = node.contract;
      if (node.kind === 'create') {
        if (this.contracts.get(contractId)?.createdIn === update) this.contracts.delete(contractId);
      } else if (node.consuming) {
        const stored = this.contracts.get(contractId);
        if (stored === undefined) continue;
        stored.archivedIn = undefined;
      }
    }
  }

  undo(slot: unknown, previous: unknown): void {
    (slot as StoredContract).moved = previous as StoredContract['moved'];
  }

  /** Temporarily replaces the contract of this id; the caller reverts it at once. */
  replace(id: ContractId, instance: ContractInstance): void {
    const stored = this.contracts.get(id)!;
    this.journal.record(REPLACEMENT, stored, stored.instance);
    if (stored.instance.key) this.keys.deactivate(id);
    stored.instance = instance;
    if (instance.key) this.keys.activate(instance.key.hash, id);
  }

  private move(contractId: ContractId, moved: StoredContract['moved']): void {
    const stored = this.contracts.get(contractId)!;
    this.journal.record(this, stored, stored.moved);
    stored.moved = moved;
  }

  unassign(update: ReassignmentUpdate): void {
    for (const event of update.events) {
      const { contractId } = event.contract;
      const state = this.state(contractId);
      invariant(
        state?.kind === 'active' && state.synchronizerId === event.source,
        'only what is active on the source is unassigned',
      );
      invariant(
        event.reassignmentCounter === state.reassignmentCounter + 1,
        'an unassignment raises the counter by one',
      );
      const { reassignmentId, source, target, reassignmentCounter } = event;
      this.move(contractId, {
        kind: 'inFlight',
        reassignmentId,
        source,
        target,
        reassignmentCounter,
      });
      const { key } = event.contract;
      if (key) this.keys.deactivate(contractId);
    }
    this.reassignments.set(update.events[0]!.reassignmentId, { unassigned: update });
  }

  assign(update: ReassignmentUpdate): void {
    const id = update.events[0]!.reassignmentId;
    const reassignment = this.reassignments.get(id);
    invariant(
      reassignment !== undefined && reassignment.assigned === undefined,
      'an assignment completes one unassignment',
    );
    for (const event of update.events) {
      const { contractId } = event.contract;
      const state = this.state(contractId);
      invariant(
        state?.kind === 'inFlight' && state.reassignmentId === id,
        'only what is in flight is assigned',
      );
      invariant(
        event.reassignmentCounter === state.reassignmentCounter,
        'both halves of a reassignment carry the same counter',
      );
      this.move(contractId, {
        kind: 'active',
        synchronizerId: event.target,
        reassignmentCounter: event.reassignmentCounter,
      });
      const { key } = event.contract;
      if (key) this.keys.activate(key.hash, contractId);
    }
    this.reassignments.set(id, { ...reassignment, assigned: update });
  }
}

function isCreatedIn(nodes: Transaction['nodes'], id: ContractId): boolean {
  return nodes.some((node) => node.kind === 'create' && node.contract.contractId === id);
}

const REPLACEMENT: Undoable = {
  undo(slot, previous) {
    (slot as StoredContract).instance = previous as ContractInstance;
  },
};
